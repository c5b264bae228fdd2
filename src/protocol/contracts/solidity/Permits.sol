// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Currencies} from "./Currencies.sol";
import {Call} from "./Executor.sol";
import {Router} from "./Router.sol";

interface AllowanceBySignature {
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external;
}

interface TransferBySignature {
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;
}

interface Permit2Transfers {
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    struct PermitBatchTransferFrom {
        TokenPermissions[] permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    function permitWitnessTransferFrom(
        PermitBatchTransferFrom calldata permit,
        SignatureTransferDetails[] calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}

/// Lets the router run a user's calls with currencies that the user pays by signature. The sender of such a transaction
/// cannot change it: the signature binds the sender, the calls, and the recipients of NFTs and of the remaining native
/// currency. The router runs for the account of the sender, not of the user: a malicious currency may accept any
/// signature for any user.
abstract contract Permits is Currencies {
    /// An allowance by EIP-2612. `nonce` is ignored: the currency counts its own nonces.
    struct Permit2612 {
        address token;
        address owner;
        uint256 value;
        uint256 nonce;
        uint256 deadline;
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    /// A transfer to this contract by EIP-3009. Its nonce is the hash of `witnessOf`.
    struct Permit3009 {
        address from;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    error NotTheOwner(address owner, address caller);
    error OnePermitOnly();
    error EmptySignature();
    error NoRefundRecipient();
    error MayNotFail(uint256 call);

    /// @notice Transfers currencies by signature. It has the same address on every chain.
    Permit2Transfers public constant permit2 = Permit2Transfers(0x000000000022D473030F116dDEE9F6B43aC78BA3);

    string private constant callType = "Call3Value(address target,bool allowFailure,uint256 value,bytes callData)";
    string private constant witnessType =
        "RelayerWitness(address relayer,address refundTo,address nftRecipient,bytes metadata,Call3Value[] call3Values)";
    bytes32 private constant callTypeHash = keccak256(bytes(callType));
    bytes32 private constant witnessTypeHash = keccak256(abi.encodePacked(witnessType, callType));
    /// The end of the type that Permit2 hashes, from its last member on.
    string private constant permit2WitnessType =
        "RelayerWitness witness)Call3Value(address target,bool allowFailure,uint256 value,bytes callData)RelayerWitness(address relayer,address refundTo,address nftRecipient,bytes metadata,Call3Value[] call3Values)TokenPermissions(address token,uint256 amount)";

    /// @notice Runs the calls.
    Router public immutable router;

    constructor(address depository) {
        router = new Router(depository);
    }

    /// @notice Uses the caller's own permits for this contract, transfers their amounts to the router, then runs
    /// `Router.multicall` with the other arguments and the whole native value. A permit binds no calls, hence the
    /// caller must be its owner. If someone has used a permit before, its allowance is enough.
    /// @param permits The signed permits.
    /// @param calls The calls, in sequence.
    /// @param refundTo Receives the rest of the native currency. The zero address: nobody.
    /// @param nftRecipient Receives the NFTs that arrive at an executor.
    /// @param metadata Bytes for the event; none if empty.
    /// @return results The result of each call.
    function permitTransferAndMulticall(
        Permit2612[] calldata permits,
        Call[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata
    ) external payable returns (Router.Result[] memory results) {
        router.hold(msg.sender, msg.sender);
        for (uint256 i; i < permits.length; i++) {
            Permit2612 calldata permit = permits[i];
            if (permit.owner != msg.sender) revert NotTheOwner(permit.owner, msg.sender);
            allow(permit, address(this));
            transferFrom(permit.token, msg.sender, address(router), permit.value);
        }
        return router.multicall{value: msg.value}(calls, refundTo, nftRecipient, metadata);
    }

    /// @notice Receives a currency from a user by EIP-3009, then lets the router run the calls. The authorization's
    /// nonce is the hash of the caller and of all other arguments, so that it is valid only for these. It does not
    /// cover a second permit, so exactly one is required.
    /// @param permits The signed permit: exactly one.
    /// @param tokens The currency of the permit.
    /// @param calls The calls, in sequence.
    /// @param refundTo Receives the rest of the native currency. Not the zero address.
    /// @param nftRecipient Receives the NFTs that arrive at an executor.
    /// @param metadata Bytes for the event; none if empty.
    /// @return results The result of each call.
    function permit3009TransferAndMulticall(
        Permit3009[] calldata permits,
        address[] calldata tokens,
        Call[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata
    ) external returns (Router.Result[] memory results) {
        if (permits.length != 1 || tokens.length != 1) revert OnePermitOnly();
        router.hold(msg.sender, permits[0].from);
        receiveFrom(permits[0], tokens[0], witnessOf(calls, refundTo, nftRecipient, metadata));
        return router.multicall(calls, refundTo, nftRecipient, metadata);
    }

    /// @notice Transfers currencies from `user` to the router by Permit2, then lets it run the calls. The signature
    /// binds the caller and all other arguments.
    /// @param user The account that has signed.
    /// @param permit The signed transfers.
    /// @param calls The calls, in sequence.
    /// @param refundTo Receives the rest of the native currency. Not the zero address.
    /// @param nftRecipient Receives the NFTs that arrive at an executor.
    /// @param metadata Bytes for the event; none if empty.
    /// @param signature The signature of the user.
    /// @return results The result of each call.
    function permit2TransferAndMulticall(
        address user,
        Permit2Transfers.PermitBatchTransferFrom calldata permit,
        Call[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata,
        bytes calldata signature
    ) public returns (Router.Result[] memory results) {
        router.hold(msg.sender, user);
        transferBySignature(user, permit, witnessOf(calls, refundTo, nftRecipient, metadata), signature);
        return router.multicall(calls, refundTo, nftRecipient, metadata);
    }

    /// @notice Gives Permit2 its allowance by EIP-2612, then does the same as `permit2TransferAndMulticall`. Anyone may
    /// submit the EIP-2612 permit separately: Permit2 uses the allowance only with the second signature.
    /// @param allowance The signed allowance for Permit2.
    /// @param user The account that has signed.
    /// @param permit The signed transfers.
    /// @param calls The calls, in sequence.
    /// @param refundTo Receives the rest of the native currency. Not the zero address.
    /// @param nftRecipient Receives the NFTs that arrive at an executor.
    /// @param metadata Bytes for the event; none if empty.
    /// @param signature The signature of the user.
    /// @return results The result of each call.
    function permitAndPermit2TransferAndMulticall(
        Permit2612 calldata allowance,
        address user,
        Permit2Transfers.PermitBatchTransferFrom calldata permit,
        Call[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata,
        bytes calldata signature
    ) external returns (Router.Result[] memory results) {
        allow(allowance, address(permit2));
        return permit2TransferAndMulticall(user, permit, calls, refundTo, nftRecipient, metadata, signature);
    }

    /// Ignores a failure: someone may have used the permit before. Without the allowance the later transfer fails.
    function allow(Permit2612 calldata permit, address spender) private {
        try AllowanceBySignature(permit.token).permit(
            permit.owner, spender, permit.value, permit.deadline, permit.v, permit.r, permit.s
        ) {} catch {}
    }

    function receiveFrom(Permit3009 calldata permit, address token, bytes32 nonce) private {
        TransferBySignature(token).receiveWithAuthorization(
            permit.from,
            address(this),
            permit.value,
            permit.validAfter,
            permit.validBefore,
            nonce,
            permit.v,
            permit.r,
            permit.s
        );
        transfer(token, address(router), permit.value);
    }

    function transferBySignature(
        address user,
        Permit2Transfers.PermitBatchTransferFrom calldata permit,
        bytes32 witness,
        bytes calldata signature
    ) private {
        // A contract wallet may accept any signature. An empty one proves nothing.
        if (signature.length == 0) revert EmptySignature();
        uint256 count = permit.permitted.length;
        Permit2Transfers.SignatureTransferDetails[] memory transfers =
            new Permit2Transfers.SignatureTransferDetails[](count);
        for (uint256 i; i < count; i++) {
            transfers[i] = Permit2Transfers.SignatureTransferDetails(address(router), permit.permitted[i].amount);
        }
        permit2.permitWitnessTransferFrom(permit, transfers, user, witness, permit2WitnessType, signature);
    }

    /// The EIP-712 hash of the arguments that a signature binds in addition to its currencies, with the caller as
    /// relayer. Refuses calls that may fail: the relayer could make them fail by sending too little gas.
    function witnessOf(Call[] calldata calls, address refundTo, address nftRecipient, bytes calldata metadata)
        private
        view
        returns (bytes32)
    {
        if (refundTo == address(0)) revert NoRefundRecipient();
        bytes32[] memory hashes = new bytes32[](calls.length);
        for (uint256 i; i < calls.length; i++) {
            Call calldata each = calls[i];
            if (each.allowFailure) revert MayNotFail(i);
            hashes[i] =
                keccak256(abi.encode(callTypeHash, each.target, false, each.value, keccak256(each.callData)));
        }
        bytes32 callsHash = keccak256(abi.encodePacked(hashes));
        return keccak256(
            abi.encode(witnessTypeHash, msg.sender, refundTo, nftRecipient, keccak256(metadata), callsHash)
        );
    }
}
