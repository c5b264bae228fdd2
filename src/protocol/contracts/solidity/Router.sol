// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {Call, Executor} from "./Executor.sol";
import {WrappedNative} from "./ManagedPools.sol";
import {Swapper} from "./Swapper.sol";

interface DepositTaker {
    function depositNative(address depositor, bytes32 id) external payable;
    function depositErc20(address depositor, address token, uint256 amount, bytes32 id) external;
}

/// Runs a list of its own functions in one transaction: swaps, payments, deposits, and calls of any contract through an
/// executor. It calls only pools, currencies and the depository, with functions that are fixed in its code. Nobody can
/// therefore make it grant an allowance, and it needs no list of forbidden calls. Between transactions it holds
/// nothing: anyone could take a balance that is left in it. Never give it an allowance. During a run for one account,
/// other accounts are refused.
contract Router is Swapper {
    struct Result {
        bool success;
        bytes returnData;
    }

    /// @notice A run with metadata has ended.
    /// @param caller The account that called, or the approval proxy.
    /// @param metadata The request id or the order id.
    event RouterMulticall(address caller, bytes metadata);

    error Busy();
    error NotTheProxy(address caller);
    error NotTheRouter(address caller);
    error ForeignCall(address target);
    error LengthsDiffer();
    error Expired(uint256 deadline);
    error TooLittleReceived(address currency, uint256 amount, uint256 minimum);
    error AllowanceLeft(address currency);
    error IdUsed(address account, bytes32 id);

    /// @notice Deployed this contract. Only the proxy may reserve it.
    address public immutable proxy = msg.sender;
    /// @notice Receives all deposits.
    address public immutable depository;
    /// @notice Each executor is a clone of it.
    Executor public immutable executor = new Executor();

    /// The account for which the router runs or is reserved. Each account has its own executors.
    address private transient sponsor;
    /// Receives the native currency that the recipient of a refund refuses.
    address private transient payer;
    bool private transient running;
    /// Receives the NFTs that arrive at an executor.
    address private transient nftReceiver;

    /// For functions that use the router's balances. Only a call of a running multicall may reach them.
    modifier self() {
        if (msg.sender != address(this)) revert NotTheRouter(msg.sender);
        _;
    }

    constructor(address depository_) {
        depository = depository_;
    }

    /// Accepts native currency only during a multicall: from unwrapping, or as a call's change. It could not be
    /// returned otherwise.
    receive() external payable {
        if (!running) revert NotTheRouter(msg.sender);
    }

    /// @notice Reserves the router for `account` until the proxy's multicall: a currency that calls other contracts
    /// during its transfer must not let them take currencies that have already arrived. The proxy has authenticated
    /// `account`. The currencies come from `payer_`, which need not be authenticated: it only receives a refund that
    /// `refundTo` refuses.
    /// @param account The account of the run.
    /// @param payer_ Pays the currencies of the run, and receives a refund that `refundTo` refuses.
    function hold(address account, address payer_) external {
        if (msg.sender != proxy) revert NotTheProxy(msg.sender);
        if (sponsor != address(0)) revert Busy();
        (sponsor, payer) = (account, payer_);
    }

    /// @notice Runs `calls`, all of which go to this contract. Then sends this run's remaining native currency to
    /// `refundTo`, unless that is the zero address. If `refundTo` refuses it, the payer receives it. NFTs that arrive
    /// at an executor go to `nftRecipient`. Nonempty `metadata` is emitted.
    /// @param calls The calls, in sequence.
    /// @param refundTo Receives the rest of the native currency. The zero address: nobody.
    /// @param nftRecipient Receives the NFTs that arrive at an executor.
    /// @param metadata Bytes for the event; none if empty.
    /// @return results The result of each call.
    function multicall(Call[] calldata calls, address refundTo, address nftRecipient, bytes calldata metadata)
        external
        payable
        returns (Result[] memory results)
    {
        if (running) revert Busy();
        if (msg.sender != proxy) {
            if (sponsor != address(0)) revert Busy();
            (sponsor, payer) = (msg.sender, msg.sender);
        }
        running = true;
        nftReceiver = nftRecipient;
        uint256 earlier = address(this).balance - msg.value;
        results = runCalls(calls);
        if (refundTo != address(0)) refund(refundTo, earlier);
        if (metadata.length != 0) emit RouterMulticall(msg.sender, metadata);
        running = false;
        (sponsor, payer) = (address(0), address(0));
        nftReceiver = address(0);
    }

    /// @notice The address of the executor that `execute` uses in a run of `account` with `id`.
    /// @param account The account of the run.
    /// @param id The id of the order or request.
    /// @return The address.
    function executorOf(address account, bytes32 id) public view returns (address) {
        return Clones.predictDeterministicAddress(address(executor), saltOf(account, id));
    }

    /// @notice Reverts after `deadline`, a block timestamp in seconds since 1970.
    /// @param deadline The last block timestamp, in seconds since 1970.
    function requireBefore(uint256 deadline) external view self {
        if (block.timestamp > deadline) revert Expired(deadline);
    }

    /// @notice Swaps along each path, one after the other.
    /// @param input The currency to sell. The zero address is the native one.
    /// @param paths The paths, each with its amount and its minimum.
    function swap(address input, Path[] calldata paths) external self {
        for (uint256 i; i < paths.length; i++) swapPath(input, paths[i]);
    }

    /// @notice Wraps `amount` of native currency.
    /// @param wrapped The ERC-20 that wraps the native currency.
    /// @param amount The amount in the smallest unit.
    function wrap(address wrapped, uint256 amount) external self {
        WrappedNative(wrapped).deposit{value: amount}();
    }

    /// @notice Unwraps the router's whole balance of `wrapped` into native currency.
    /// @param wrapped The ERC-20 that wraps the native currency.
    function unwrap(address wrapped) external self {
        uint256 held = balanceOf(wrapped, address(this));
        if (held != 0) WrappedNative(wrapped).withdraw(held);
    }

    /// @notice Sends the router's whole balance of `currency`. Reverts if it is below `minimum`. Here and below, the
    /// zero address stands for the native currency.
    /// @param currency The currency. The zero address is the native one.
    /// @param recipient The account that is paid.
    /// @param minimum The least amount. Less reverts.
    function pay(address currency, address recipient, uint256 minimum) external self {
        send(currency, recipient, atLeast(currency, type(uint256).max, minimum));
    }

    /// @notice Makes `calls` to any contracts from a new executor, which first receives the router's whole balance of
    /// `currency`. Reverts if that is below `minimum`. The remaining native currency and currencies of `returned` go to
    /// `recipient`. Reverts if the account has used `id` before: no executor runs twice.
    /// @param id The id of the order or request.
    /// @param calls The calls, in sequence.
    /// @param currency The currency. The zero address is the native one.
    /// @param minimum The least amount. Less reverts.
    /// @param returned Currencies of which the executor returns its balance.
    /// @param recipient The account that is paid.
    function execute(
        bytes32 id,
        Call[] calldata calls,
        address currency,
        uint256 minimum,
        address[] calldata returned,
        address recipient
    ) external self {
        uint256 amount = atLeast(currency, type(uint256).max, minimum);
        // Without this check, CREATE2 would also fail, but use up all gas.
        if (executorOf(sponsor, id).code.length != 0) revert IdUsed(sponsor, id);
        address instance = Clones.cloneDeterministic(address(executor), saltOf(sponsor, id));
        uint256 value = currency == address(0) ? amount : 0;
        if (value == 0) send(currency, instance, amount);
        Executor(payable(instance)).run{value: value}(calls, returned, recipient, nftReceiver);
    }

    /// @notice Deposits the router's balance, but at most `maximum`. Reverts if that is below `minimum`.
    /// @param depositor The account that can take the deposit back.
    /// @param id The id of the order or request.
    /// @param minimum The least amount. Less reverts.
    /// @param maximum The largest amount.
    function depositNative(address depositor, bytes32 id, uint256 minimum, uint256 maximum) external self {
        uint256 amount = atLeast(address(0), maximum, minimum);
        DepositTaker(depository).depositNative{value: amount}(depositor, id);
    }

    /// @notice Deposits the router's balance of an ERC-20 currency, but at most `maximum`. Reverts if that is below
    /// `minimum`.
    /// @param depositor The account that can take the deposit back.
    /// @param currency The currency. The zero address is the native one.
    /// @param id The id of the order or request.
    /// @param minimum The least amount. Less reverts.
    /// @param maximum The largest amount.
    function depositErc20(address depositor, address currency, bytes32 id, uint256 minimum, uint256 maximum)
        external
        self
    {
        uint256 amount = atLeast(currency, maximum, minimum);
        approve(currency, depository, amount);
        DepositTaker(depository).depositErc20(depositor, currency, amount, id);
        if (allowanceOf(currency, address(this), depository) != 0) revert AllowanceLeft(currency);
    }

    /// @notice Sends ERC-20 currencies. An amount of zero stands for the whole balance, which may be zero.
    /// @param currencies The currencies.
    /// @param recipients The account that is paid for each currency.
    /// @param amounts The amount of each currency.
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

    /// @notice Sends native currency. An amount of zero stands for the whole balance.
    /// @param amount The amount in the smallest unit.
    /// @param recipient The account that is paid.
    function cleanupNative(uint256 amount, address recipient) external self {
        send(address(0), recipient, amount == 0 ? address(this).balance : amount);
    }

    function runCalls(Call[] calldata calls) private returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i; i < calls.length; i++) {
            Call calldata each = calls[i];
            if (each.target != address(this)) revert ForeignCall(each.target);
            (bool success, bytes memory answer) = address(this).call{value: each.value}(each.callData);
            if (!success && !each.allowFailure) bubble(answer);
            results[i] = Result(success, answer);
        }
    }

    /// Does not refund a balance from before the run: a stray wei must not make every run pay a recipient that refuses
    /// it. Reverts the run if neither accepts: others could take the remainder otherwise.
    function refund(address refundTo, uint256 earlier) private {
        uint256 held = address(this).balance;
        if (held <= earlier) return;
        if (!tryPayNative(refundTo, held - earlier)) payNative(payer, held - earlier);
    }

    function saltOf(address account, bytes32 id) private pure returns (bytes32) {
        return keccak256(abi.encode(account, id));
    }

    /// The router's balance, but at most `maximum`. Reverts if that is below `minimum`.
    function atLeast(address currency, uint256 maximum, uint256 minimum) private view returns (uint256 amount) {
        amount = heldOf(currency);
        if (amount > maximum) amount = maximum;
        if (amount < minimum) revert TooLittleReceived(currency, amount, minimum);
    }

    function send(address currency, address recipient, uint256 amount) private {
        if (amount == 0) return;
        if (currency == address(0)) payNative(recipient, amount);
        else transfer(currency, recipient, amount);
    }
}
