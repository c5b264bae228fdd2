// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Swapper} from "./Swapper.sol";

interface WrappedNative {
    function withdraw(uint256 amount) external;
}

interface DepositTaker {
    function depositNative(address depositor, bytes32 id) external payable;
    function depositErc20(address depositor, address token, uint256 amount, bytes32 id) external;
}

interface Nft721 {
    function safeTransferFrom(address from, address to, uint256 id) external;
}

interface Nft1155 {
    function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes calldata data) external;
    function safeBatchTransferFrom(
        address from,
        address to,
        uint256[] calldata ids,
        uint256[] calldata amounts,
        bytes calldata data
    ) external;
}

/// Runs a list of calls in one transaction: swaps, payments, deposits, and calls of any contract. Between transactions
/// it holds nothing: anyone could take what is left in it. Never give it an allowance: anyone could spend it. During
/// a multicall for one caller, other callers are refused.
contract Router is Swapper {
    struct Call {
        address target;
        bool allowFailure;
        uint256 value;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    event RouterMulticall(address caller, bytes metadata);

    error Busy();
    error NotTheRouter(address caller);
    error LengthsDiffer();
    error TooLittleReceived(address currency, uint256 amount, uint256 minimum);
    error CallForbidden(address target, bytes4 selector);
    error AllowanceLeft(address currency, address spender);

    bytes4 private constant approveSelector = bytes4(keccak256("approve(address,uint256)"));

    /// The only account that may start the next multicall, after `hold`. This contract itself while a multicall runs.
    address private transient holder;
    /// Receives the NFTs that arrive during a multicall.
    address private transient nftReceiver;

    /// For functions that use the router's balances. Only a call of a running multicall may reach them.
    modifier self() {
        if (msg.sender != address(this)) revert NotTheRouter(msg.sender);
        _;
    }

    /// Accepts native currency only during a multicall: from unwrapping, or as change of a call. It could not be
    /// returned otherwise.
    receive() external payable {
        if (holder != address(this)) revert NotTheRouter(msg.sender);
    }

    /// Reserves the next multicall of this transaction for the caller, which then transfers the currencies to use.
    /// A currency that calls other contracts during the transfer cannot let them take what has arrived. Without a
    /// following multicall, the router stays reserved until the transaction ends.
    function hold() external {
        if (holder != address(0)) revert Busy();
        holder = msg.sender;
    }

    /// Runs `calls`, then sends the remaining native currency to `refundTo`, unless that is the zero address. NFTs that
    /// arrive meanwhile go to `nftRecipient`. Nonempty `metadata` is emitted.
    function multicall(Call[] calldata calls, address refundTo, address nftRecipient, bytes calldata metadata)
        external
        payable
        returns (Result[] memory results)
    {
        // The holder is this contract while a multicall runs, so that its calls cannot start another one.
        if (holder != address(0) && (holder != msg.sender || msg.sender == address(this))) revert Busy();
        holder = address(this);
        nftReceiver = nftRecipient;
        results = runCalls(calls);
        uint256 left = address(this).balance;
        if (left != 0 && refundTo != address(0)) payNative(refundTo, left);
        if (metadata.length != 0) emit RouterMulticall(msg.sender, metadata);
        holder = address(0);
        nftReceiver = address(0);
    }

    /// Swaps along each path, one after the other.
    function swap(address input, Path[] calldata paths) external self {
        for (uint256 i; i < paths.length; i++) swapPath(input, paths[i]);
    }

    /// Unwraps the router's whole balance of `wrapped` into native currency.
    function unwrap(address wrapped) external self {
        uint256 held = balanceOf(wrapped, address(this));
        if (held != 0) WrappedNative(wrapped).withdraw(held);
    }

    /// Sends the router's whole balance of `currency`. Reverts if it is below `minimum`. Here and below, the zero
    /// address stands for the native currency.
    function pay(address currency, address recipient, uint256 minimum) external self {
        send(currency, recipient, atLeast(currency, type(uint256).max, minimum));
    }

    /// Reverts if the router's balance of `currency` is below `minimum`.
    function requireBalance(address currency, uint256 minimum) external view self {
        atLeast(currency, type(uint256).max, minimum);
    }

    /// Deposits the router's balance, but at most `maximum`. Reverts if that is below `minimum`.
    function depositNative(address depository, address depositor, bytes32 id, uint256 minimum, uint256 maximum)
        external
        self
    {
        uint256 amount = atLeast(address(0), maximum, minimum);
        DepositTaker(depository).depositNative{value: amount}(depositor, id);
    }

    function depositErc20(
        address depository,
        address depositor,
        address currency,
        bytes32 id,
        uint256 minimum,
        uint256 maximum
    ) external self {
        uint256 amount = atLeast(currency, maximum, minimum);
        approve(currency, depository, amount);
        DepositTaker(depository).depositErc20(depositor, currency, amount, id);
        if (allowanceOf(currency, address(this), depository) != 0) revert AllowanceLeft(currency, depository);
    }

    /// Sends ERC-20 currencies. An amount of zero stands for the whole balance, which may be zero.
    function cleanupErc20s(address[] calldata currencies, address[] calldata recipients, uint256[] calldata amounts)
        external
        self
    {
        if (currencies.length != recipients.length || currencies.length != amounts.length) revert LengthsDiffer();
        for (uint256 i; i < currencies.length; i++) {
            uint256 amount = amounts[i] == 0 ? balanceOf(currencies[i], address(this)) : amounts[i];
            if (amount != 0) transfer(currencies[i], recipients[i], amount);
        }
    }

    /// Sends native currency. An amount of zero stands for the whole balance.
    function cleanupNative(uint256 amount, address recipient) external self {
        send(address(0), recipient, amount == 0 ? address(this).balance : amount);
    }

    function onERC721Received(address, address, uint256 id, bytes calldata) external returns (bytes4) {
        Nft721(msg.sender).safeTransferFrom(address(this), takesNfts(), id);
        return this.onERC721Received.selector;
    }

    function onERC1155Received(address, address, uint256 id, uint256 amount, bytes calldata data)
        external
        returns (bytes4)
    {
        Nft1155(msg.sender).safeTransferFrom(address(this), takesNfts(), id, amount, data);
        return this.onERC1155Received.selector;
    }

    function onERC1155BatchReceived(
        address,
        address,
        uint256[] calldata ids,
        uint256[] calldata amounts,
        bytes calldata data
    ) external returns (bytes4) {
        Nft1155(msg.sender).safeBatchTransferFrom(address(this), takesNfts(), ids, amounts, data);
        return this.onERC1155BatchReceived.selector;
    }

    function takesNfts() private view returns (address) {
        if (nftReceiver == address(0)) revert UnexpectedCall(msg.sender);
        return nftReceiver;
    }

    function runCalls(Call[] calldata calls) private returns (Result[] memory results) {
        results = new Result[](calls.length);
        bool approves;
        for (uint256 i; i < calls.length; i++) {
            Call calldata each = calls[i];
            if (each.target != address(this)) approves = leavesAllowance(each) || approves;
            (bool success, bytes memory answer) = each.target.call{value: each.value}(each.callData);
            if (!success && !each.allowFailure) bubble(answer);
            results[i] = Result(success, answer);
        }
        if (approves) takeAllowancesBack(calls);
    }

    /// A lasting right to spend the router's balances would expose the next caller. Allowances from `approve` end with
    /// the multicall. Calls that grant other rights are refused. Returns whether the call is an `approve`.
    function leavesAllowance(Call calldata each) private pure returns (bool) {
        if (each.callData.length < 4) return false;
        bytes4 selector = bytes4(each.callData);
        if (selector == approveSelector && each.callData.length >= 36) return true;
        if (
            selector == approveSelector
                || selector == bytes4(keccak256("increaseAllowance(address,uint256)"))
                || selector == bytes4(keccak256("increaseApproval(address,uint256)"))
                || selector == bytes4(keccak256("setApprovalForAll(address,bool)"))
                // Permit2
                || selector == bytes4(keccak256("approve(address,address,uint160,uint48)"))
                // ERC-1363
                || selector == bytes4(keccak256("approveAndCall(address,uint256)"))
                || selector == bytes4(keccak256("approveAndCall(address,uint256,bytes)"))
                // ERC-777, and ERC-1820, the registry of its hooks
                || selector == bytes4(keccak256("authorizeOperator(address)"))
                || selector == bytes4(keccak256("setInterfaceImplementer(address,bytes32,address)"))
                || selector == bytes4(keccak256("setManager(address,address)"))
                // ERC-6909
                || selector == bytes4(keccak256("setOperator(address,bool)"))
                || selector == bytes4(keccak256("approve(address,uint256,uint256)"))
                // Aave
                || selector == bytes4(keccak256("approveDelegation(address,uint256)"))
                // Compound
                || selector == bytes4(keccak256("allow(address,bool)"))
        ) revert CallForbidden(each.target, selector);
        return false;
    }

    /// Resets the allowances of all `approve` calls. Reverts if a currency keeps one.
    function takeAllowancesBack(Call[] calldata calls) private {
        for (uint256 i; i < calls.length; i++) {
            Call calldata each = calls[i];
            if (each.callData.length < 36 || bytes4(each.callData) != approveSelector) continue;
            address spender = address(uint160(uint256(bytes32(each.callData[4:36]))));
            if (allowanceOf(each.target, address(this), spender) == 0) continue;
            approve(each.target, spender, 0);
            if (allowanceOf(each.target, address(this), spender) != 0) revert AllowanceLeft(each.target, spender);
        }
    }

    /// The router's balance, but at most `maximum`. Reverts if that is below `minimum`.
    function atLeast(address currency, uint256 maximum, uint256 minimum) private view returns (uint256 amount) {
        amount = currency == address(0) ? address(this).balance : balanceOf(currency, address(this));
        if (amount > maximum) amount = maximum;
        if (amount < minimum) revert TooLittleReceived(currency, amount, minimum);
    }

    function send(address currency, address recipient, uint256 amount) private {
        if (amount == 0) return;
        if (currency == address(0)) payNative(recipient, amount);
        else transfer(currency, recipient, amount);
    }
}
