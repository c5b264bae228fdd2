// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Call} from "#contracts/Executor.sol";
import {Permits, Permit2Transfers} from "#contracts/Permits.sol";
import {Router} from "#contracts/Router.sol";
import {Holding} from "#devnet/Ledger.sol";
import {PermitCurrency} from "#devnet/PermitCurrency.sol";
import {Rig} from "#test/router/Rig.sol";

/// What a user signs: a deposit of `amount` for `orderId`, sent by `relayer`.
struct Signed {
    address relayer;
    uint256 amount;
    bytes32 orderId;
    address refundTo;
    address nftRecipient;
    bytes metadata;
    uint256 nonce;
    uint256 end;
}

/// A user without native currency, who pays by signature, and the hashes that it signs.
abstract contract PermitRig is Rig {
    Permit2Transfers internal constant permit2 = Permit2Transfers(0x000000000022D473030F116dDEE9F6B43aC78BA3);
    uint256 internal constant supply = 1e15;

    address internal immutable relayer = makeAddr("relayer");
    uint256 internal immutable signerKey = uint256(keccak256("signer"));
    address internal immutable signer = vm.addr(uint256(keccak256("signer")));
    PermitCurrency internal currency;

    bytes32 private constant tokenType = keccak256("TokenPermissions(address token,uint256 amount)");
    bytes32 private constant callType =
        keccak256("Call3Value(address target,bool allowFailure,uint256 value,bytes callData)");
    bytes32 private constant witnessType = keccak256(
        "RelayerWitness(address relayer,address refundTo,address nftRecipient,bytes metadata,Call3Value[] call3Values)Call3Value(address target,bool allowFailure,uint256 value,bytes callData)"
    );
    bytes32 private constant batchType = keccak256(
        "PermitBatchWitnessTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline,RelayerWitness witness)Call3Value(address target,bool allowFailure,uint256 value,bytes callData)RelayerWitness(address relayer,address refundTo,address nftRecipient,bytes metadata,Call3Value[] call3Values)TokenPermissions(address token,uint256 amount)"
    );

    function placePermits() internal {
        vm.etch(address(permit2), vm.parseBytes(vm.trim(vm.readFile("src/devnet/bytecode/permit2.hex"))));
        vm.warp(1_000_000);
        Holding[] memory holdings = new Holding[](1);
        holdings[0] = Holding(signer, supply);
        currency = new PermitCurrency("Permit", "PMT", 6, holdings);
    }

    function order(uint256 amount) internal view returns (Signed memory) {
        return Signed(relayer, amount, id, signer, signer, abi.encode(id), 5, block.timestamp + 600);
    }

    /// The deposit of exactly the amount, for the signer and the order.
    function callsOf(Signed memory terms) internal view returns (Call[] memory) {
        return list(
            own(
                abi.encodeCall(
                    Router.depositErc20, (signer, address(currency), terms.orderId, terms.amount, type(uint256).max)
                )
            )
        );
    }

    function witnessOf(Signed memory terms, Call[] memory calls) internal pure returns (bytes32) {
        bytes memory hashes;
        for (uint256 i; i < calls.length; i++) {
            Call memory each = calls[i];
            hashes = abi.encodePacked(
                hashes,
                keccak256(
                    abi.encode(callType, each.target, each.allowFailure, each.value, keccak256(each.callData))
                )
            );
        }
        return keccak256(
            abi.encode(
                witnessType,
                terms.relayer,
                terms.refundTo,
                terms.nftRecipient,
                keccak256(terms.metadata),
                keccak256(hashes)
            )
        );
    }

    function digestOf(bytes32 domain, bytes32 message) private pure returns (bytes32) {
        return keccak256(abi.encodePacked("\x19\x01", domain, message));
    }

    function sign3009(Signed memory terms, Call[] memory calls) internal view returns (Permits.Permit3009 memory permit) {
        bytes32 message = keccak256(
            abi.encode(
                currency.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(),
                signer,
                address(proxy),
                terms.amount,
                0,
                terms.end,
                witnessOf(terms, calls)
            )
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(signerKey, digestOf(currency.DOMAIN_SEPARATOR(), message));
        return Permits.Permit3009(signer, terms.amount, 0, terms.end, v, r, s);
    }

    function sign2612(address owner, uint256 key, address spender, uint256 value, uint256 deadline)
        internal
        view
        returns (Permits.Permit2612 memory)
    {
        uint256 nonce = currency.nonces(owner);
        bytes32 message = keccak256(abi.encode(currency.PERMIT_TYPEHASH(), owner, spender, value, nonce, deadline));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digestOf(currency.DOMAIN_SEPARATOR(), message));
        return Permits.Permit2612(address(currency), owner, value, nonce, deadline, v, r, s);
    }

    function permitOf(Signed memory terms) internal view returns (Permit2Transfers.PermitBatchTransferFrom memory) {
        Permit2Transfers.TokenPermissions[] memory permitted = new Permit2Transfers.TokenPermissions[](1);
        permitted[0] = Permit2Transfers.TokenPermissions(address(currency), terms.amount);
        return Permit2Transfers.PermitBatchTransferFrom(permitted, terms.nonce, terms.end);
    }

    /// The hash that a Permit2 signature signs.
    function batchDigest(Signed memory terms, Call[] memory calls) internal view returns (bytes32) {
        bytes32 permitted = keccak256(abi.encode(tokenType, address(currency), terms.amount));
        bytes32 message = keccak256(
            abi.encode(
                batchType,
                keccak256(abi.encodePacked(permitted)),
                address(proxy),
                terms.nonce,
                terms.end,
                witnessOf(terms, calls)
            )
        );
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)"),
                keccak256("Permit2"),
                block.chainid,
                address(permit2)
            )
        );
        return digestOf(domain, message);
    }

    function signBatch(Signed memory terms, Call[] memory calls) internal view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(signerKey, batchDigest(terms, calls));
        return abi.encodePacked(r, s, v);
    }

    function listed(Permits.Permit3009 memory one) internal pure returns (Permits.Permit3009[] memory permits) {
        permits = new Permits.Permit3009[](1);
        permits[0] = one;
    }

    function listed(Permits.Permit2612 memory one) internal pure returns (Permits.Permit2612[] memory permits) {
        permits = new Permits.Permit2612[](1);
        permits[0] = one;
    }

    function send3009(address by, Permits.Permit3009 memory permit, Signed memory terms, Call[] memory calls) internal {
        vm.prank(by);
        proxy.permit3009TransferAndMulticall(
            listed(permit), list(address(currency)), calls, terms.refundTo, terms.nftRecipient, terms.metadata
        );
    }

    function sendBatch(address by, bytes memory signature, Signed memory terms, Call[] memory calls) internal {
        vm.prank(by);
        proxy.permit2TransferAndMulticall(
            signer, permitOf(terms), calls, terms.refundTo, terms.nftRecipient, terms.metadata, signature
        );
    }

    /// Nothing has moved.
    function assertUntouched() internal view {
        assertEq(currency.balanceOf(signer), supply);
        assertEq(vault.count(), 0);
    }

    /// The order has exactly its amount, and nothing is left on the way.
    function assertDeposited(Signed memory terms) internal view {
        assertEq(vault.count(), 1);
        assertEq(vault.depositor(), signer);
        assertEq(vault.id(), terms.orderId);
        assertEq(vault.amount(), terms.amount);
        assertEq(currency.balanceOf(address(vault)), terms.amount);
        assertEq(currency.balanceOf(signer), supply - terms.amount);
        assertEq(currency.balanceOf(address(proxy)) + currency.balanceOf(address(router)), 0);
    }
}
