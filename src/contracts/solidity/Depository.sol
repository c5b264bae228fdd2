// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Currencies} from "./Currencies.sol";

/// Holds the deposits of orders until the allocator signs where they go. It keeps no accounts: only its events record
/// who deposited how much for which order.
contract Depository is Currencies {
    struct Call {
        address to;
        bytes data;
        uint256 value;
        /// Whether the request goes on if this call fails. Whoever submits the request can make such a call fail for
        /// good, by supplying too little gas.
        bool allowFailure;
    }

    struct CallRequest {
        Call[] calls;
        /// Each nonce is accepted once, whatever the request.
        uint256 nonce;
        /// Last block timestamp at which the request may run, in seconds since 1970.
        uint256 expiration;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    /// `amount` is the amount that arrived. `id` is the id of the order that the deposit pays for.
    event RelayNativeDeposit(address from, uint256 amount, bytes32 id);
    event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id);
    event RelayCallExecuted(bytes32 id, Call call);
    event AllocatorSet(address allocator);

    error NotTheOwner();
    error NotADeposit();
    error Reentered();
    error Expired(uint256 expiration);
    error NonceUsed(uint256 nonce);
    error InvalidSignature();
    error PullForbidden(address currency);

    bytes32 private constant domainType =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant callType = keccak256("Call(address to,bytes data,uint256 value,bool allowFailure)");
    bytes32 private constant requestType = keccak256(
        "CallRequest(Call[] calls,uint256 nonce,uint256 expiration)Call(address to,bytes data,uint256 value,bool allowFailure)"
    );
    /// Half the order of secp256k1. Signatures with a greater `s` are the malleable duplicates of others (EIP-2).
    uint256 private constant maxS = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    /// May replace the allocator and nothing else. Cannot be changed.
    address public immutable owner;
    /// Signs the requests that move the deposits.
    address public allocator;
    mapping(uint256 nonce => bool) public nonceUsed;
    bool private transient locked;

    /// Reentrancy lock. An ERC-20 deposit is measured by the change of a balance, which nothing else may move meanwhile.
    modifier alone() {
        if (locked) revert Reentered();
        locked = true;
        _;
        locked = false;
    }

    constructor(address owner_, address allocator_) {
        owner = owner_;
        allocator = allocator_;
        emit AllocatorSet(allocator_);
    }

    /// A native transfer is a deposit if its calldata is an order id and nothing else.
    fallback() external payable {
        if (msg.data.length != 32) revert NotADeposit();
        emit RelayNativeDeposit(msg.sender, msg.value, bytes32(msg.data));
    }

    receive() external payable {
        revert NotADeposit();
    }

    /// Deposits the native value. Here and below, the zero address as depositor stands for the caller.
    function depositNative(address depositor, bytes32 id) external payable {
        emit RelayNativeDeposit(depositorOr(depositor), msg.value, id);
    }

    /// Deposits `amount` of `token` out of the caller's allowance for this contract.
    function depositErc20(address depositor, address token, uint256 amount, bytes32 id) external {
        pull(depositor, token, amount, id);
    }

    /// Deposits the caller's whole allowance for this contract.
    function depositErc20(address depositor, address token, bytes32 id) external {
        pull(depositor, token, allowanceOf(token, msg.sender, address(this)), id);
    }

    function setAllocator(address allocator_) external {
        if (msg.sender != owner) revert NotTheOwner();
        allocator = allocator_;
        emit AllocatorSet(allocator_);
    }

    /// Runs a request that the allocator has signed. Anyone may submit it.
    function execute(CallRequest calldata request, bytes calldata signature)
        external
        alone
        returns (Result[] memory results)
    {
        if (block.timestamp > request.expiration) revert Expired(request.expiration);
        if (nonceUsed[request.nonce]) revert NonceUsed(request.nonce);
        bytes32 id = hashRequest(request);
        requireAllocator(keccak256(abi.encodePacked("\x19\x01", domainSeparator(), id)), signature);
        nonceUsed[request.nonce] = true;
        results = new Result[](request.calls.length);
        for (uint256 i; i < results.length; i++) {
            Call calldata each = request.calls[i];
            requireNoPull(each);
            (bool success, bytes memory answer) = each.to.call{value: each.value}(each.data);
            if (success) emit RelayCallExecuted(id, each);
            else if (!each.allowFailure) bubble(answer);
            results[i] = Result(success, answer);
        }
    }

    function pull(address depositor, address token, uint256 amount, bytes32 id) private alone {
        uint256 before = balanceOf(token, address(this));
        transferFrom(token, msg.sender, address(this), amount);
        uint256 arrived = balanceOf(token, address(this)) - before;
        // An excess can only be someone else's transfer during this call, which is a separate deposit.
        if (arrived > amount) arrived = amount;
        emit RelayErc20Deposit(depositorOr(depositor), token, arrived, id);
    }

    function depositorOr(address depositor) private view returns (address) {
        return depositor == address(0) ? msg.sender : depositor;
    }

    /// Refuses calls that spend an allowance: currencies that users have approved but not yet deposited stay theirs,
    /// even if the allocator's key is stolen. Beside ERC-20's transferFrom, these are functions of OpenZeppelin
    /// (ERC-721 and burnable), DAI, ERC-4626 and ERC-1363.
    function requireNoPull(Call calldata each) private pure {
        if (each.data.length < 4) return;
        bytes4 selector = bytes4(each.data);
        if (
            selector == bytes4(keccak256("transferFrom(address,address,uint256)"))
                || selector == bytes4(keccak256("safeTransferFrom(address,address,uint256)"))
                || selector == bytes4(keccak256("burnFrom(address,uint256)"))
                || selector == bytes4(keccak256("pull(address,uint256)"))
                || selector == bytes4(keccak256("move(address,address,uint256)"))
                || selector == bytes4(keccak256("withdraw(uint256,address,address)"))
                || selector == bytes4(keccak256("redeem(uint256,address,address)"))
                || selector == bytes4(keccak256("transferFromAndCall(address,address,uint256)"))
                || selector == bytes4(keccak256("transferFromAndCall(address,address,uint256,bytes)"))
        ) revert PullForbidden(each.to);
    }

    function hashRequest(CallRequest calldata request) private pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](request.calls.length);
        for (uint256 i; i < hashes.length; i++) {
            Call calldata each = request.calls[i];
            hashes[i] = keccak256(abi.encode(callType, each.to, keccak256(each.data), each.value, each.allowFailure));
        }
        return keccak256(
            abi.encode(requestType, keccak256(abi.encodePacked(hashes)), request.nonce, request.expiration)
        );
    }

    /// Computed on every call, so that a signature is not valid on both chains after a chain split.
    function domainSeparator() private view returns (bytes32) {
        return keccak256(
            abi.encode(domainType, keccak256("RelayDepository"), keccak256("1"), block.chainid, address(this))
        );
    }

    /// Accepts a signature by the allocator's key, or by the allocator as a contract (ERC-1271).
    function requireAllocator(bytes32 digest, bytes calldata signature) private view {
        address signer = allocator;
        if (signer != address(0)) {
            if (recover(digest, signature) == signer) return;
            if (signer.code.length > 0) {
                (bool success, bytes memory answer) =
                    signer.staticcall(abi.encodeWithSignature("isValidSignature(bytes32,bytes)", digest, signature));
                if (success && answer.length == 32 && bytes32(answer) == bytes32(bytes4(0x1626ba7e))) return;
            }
        }
        revert InvalidSignature();
    }

    /// Returns the zero address for an invalid signature.
    function recover(bytes32 digest, bytes calldata signature) private pure returns (address) {
        if (signature.length != 65) return address(0);
        bytes32 r = bytes32(signature[:32]);
        bytes32 s = bytes32(signature[32:64]);
        if (uint256(s) > maxS) return address(0);
        return ecrecover(digest, uint8(signature[64]), r, s);
    }
}
