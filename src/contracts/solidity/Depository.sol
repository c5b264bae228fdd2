// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Currencies} from "./Currencies.sol";

/// Holds what users deposit for their orders until the allocator says where it goes. Keeps no accounts:
/// who deposited how much for which order stands in the events alone.
contract Depository is Currencies {
    struct Call {
        address to;
        bytes data;
        uint256 value;
        /// Whoever brings the request with too little gas can make such a call fail, for good.
        bool allowFailure;
    }

    struct CallRequest {
        Call[] calls;
        /// Each one serves once, whichever request it stands in.
        uint256 nonce;
        /// Seconds since 1970: the last time at which the request may run.
        uint256 expiration;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    /// `amount` is what arrived. `id` is the order that it pays for.
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
    /// Above it every signature has a second form. Half the order of secp256k1.
    uint256 private constant highestS = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    /// Names the allocator and does nothing else; for good.
    address public immutable owner;
    /// Whose signature moves what is held here.
    address public allocator;
    mapping(uint256 nonce => bool) public nonceUsed;
    bool private transient locked;

    /// What arrives is measured by balances: while it is, nothing else may move them.
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

    /// A plain payment is a deposit where the order's id, and nothing else, comes with it.
    fallback() external payable {
        if (msg.data.length != 32) revert NotADeposit();
        emit RelayNativeDeposit(msg.sender, msg.value, bytes32(msg.data));
    }

    receive() external payable {
        revert NotADeposit();
    }

    /// The zero address as depositor stands for the caller, here and below.
    function depositNative(address depositor, bytes32 id) external payable {
        emit RelayNativeDeposit(depositorOr(depositor), msg.value, id);
    }

    function depositErc20(address depositor, address token, uint256 amount, bytes32 id) external {
        pull(depositor, token, amount, id);
    }

    /// Deposits all that the caller lets this contract take.
    function depositErc20(address depositor, address token, bytes32 id) external {
        pull(depositor, token, allowanceOf(token, msg.sender, address(this)), id);
    }

    function setAllocator(address allocator_) external {
        if (msg.sender != owner) revert NotTheOwner();
        allocator = allocator_;
        emit AllocatorSet(allocator_);
    }

    /// Runs what the allocator has signed, by whomever it is brought.
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
        // More can only be somebody's plain transfer meanwhile, which is a deposit of its own.
        if (arrived > amount) arrived = amount;
        emit RelayErc20Deposit(depositorOr(depositor), token, arrived, id);
    }

    function depositorOr(address depositor) private view returns (address) {
        return depositor == address(0) ? msg.sender : depositor;
    }

    /// What users have approved and not yet deposited is theirs: no signature of the allocator takes it.
    /// Beside ERC-20's own function these are OpenZeppelin's, DAI's, ERC-4626's and ERC-1363's.
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

    /// Worked out each time: a chain that splits in two must not share signatures.
    function domainSeparator() private view returns (bytes32) {
        return keccak256(
            abi.encode(domainType, keccak256("RelayDepository"), keccak256("1"), block.chainid, address(this))
        );
    }

    /// By the allocator's key, or by the allocator itself where it is a contract (ERC-1271).
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

    /// The zero address where it is no signature.
    function recover(bytes32 digest, bytes calldata signature) private pure returns (address) {
        if (signature.length != 65) return address(0);
        bytes32 r = bytes32(signature[:32]);
        bytes32 s = bytes32(signature[32:64]);
        if (uint256(s) > highestS) return address(0);
        return ecrecover(digest, uint8(signature[64]), r, s);
    }
}
