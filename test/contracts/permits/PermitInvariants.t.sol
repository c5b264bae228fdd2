// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "forge-std/Test.sol";
import {Call} from "#contracts/Executor.sol";
import {Permits} from "#contracts/Permits.sol";
import {PermitCurrency} from "#devnet/PermitCurrency.sol";
import {PermitRig, Signed} from "./PermitRig.sol";

/// A user signs, the relayer relays, and an attacker who sees every signature acts in any order.
contract PermitHandler is PermitRig {
    address public immutable thief = makeAddr("thief");
    Signed[] private signed;
    mapping(bytes32 orderId => uint256) private paid;
    /// What the orders took that were carried out.
    uint256 public deposited;
    uint256 public count;
    string public broken;

    constructor() {
        placePermits();
        vm.prank(signer);
        currency.approve(address(permit2), type(uint256).max);
    }

    function parts() external view returns (PermitCurrency, address, address, address, address) {
        return (currency, signer, address(vault), address(proxy), address(router));
    }

    function signs(uint40 seed, uint16 lasts) external {
        uint256 amount = uint256(seed) + 1;
        Signed memory terms = order(amount);
        terms.orderId = keccak256(abi.encode(++count));
        terms.nonce = count;
        terms.metadata = abi.encode(count);
        terms.end = block.timestamp + lasts;
        signed.push(terms);
    }

    function relays(uint256 seed, bool isBatch) external {
        send(seed, isBatch, relayer, false, 0);
    }

    /// The attacker sends it itself, pays itself first, or has the relayer send what it altered.
    function attacks(uint256 seed, bool isBatch, bool self, uint8 kind) external {
        send(seed, isBatch, self ? thief : relayer, kind % 4 != 0, kind);
    }

    function send(uint256 seed, bool isBatch, address by, bool alters, uint8 kind) private {
        if (signed.length == 0) return;
        Signed memory terms = signed[seed % signed.length];
        Call[] memory calls = callsOf(terms);
        bytes memory signature = signBatch(terms, calls);
        Permits.Permit3009 memory permit = sign3009(terms, calls);
        if (alters && kind % 4 == 1) terms.refundTo = thief;
        if (alters && kind % 4 == 2) calls[0] = pay(address(currency), thief, 0);
        if (alters && kind % 4 == 3) (terms.amount, permit.value) = (terms.amount / 2, permit.value / 2);
        vm.prank(by);
        try proxy.permit2TransferAndMulticall(
            isBatch ? signer : address(0), permitOf(terms), calls, terms.refundTo, signer, terms.metadata, signature
        ) {
            record(terms, by, alters);
        } catch {
            if (isBatch) return;
            vm.prank(by);
            try proxy.permit3009TransferAndMulticall(
                listed(permit), list(address(currency)), calls, terms.refundTo, signer, terms.metadata
            ) {
                record(terms, by, alters);
            } catch {}
        }
    }

    function record(Signed memory terms, address by, bool alters) private {
        deposited += terms.amount;
        if (by != relayer || alters) broken = "only the relayer sends what was signed";
        if (block.timestamp > terms.end) broken = "a signature ends";
        // One signature by Permit2 and one by EIP-3009: this user signs every order twice.
        if (++paid[terms.orderId] > 2) broken = "a signature is good once";
    }

    function invalidates(uint256 seed) external {
        if (signed.length == 0) return;
        uint256 nonce = signed[seed % signed.length].nonce;
        vm.prank(signer);
        (bool success,) = address(permit2).call(
            abi.encodeWithSignature("invalidateUnorderedNonces(uint256,uint256)", nonce >> 8, 1 << (nonce & 255))
        );
        require(success);
    }

    function waits(uint16 time) external {
        skip(time);
    }
}

contract PermitInvariants is Test {
    PermitHandler private handler;

    function setUp() external {
        handler = new PermitHandler();
        targetContract(address(handler));
    }

    /// forge-config: default.invariant.runs = 64
    /// forge-config: default.invariant.depth = 48
    function invariant_whatWasSignedIsDepositedOnceAndNothingElseMoves() external view {
        (PermitCurrency currency, address signer, address vault, address proxy, address router) = handler.parts();
        assertEq(handler.broken(), "");
        assertEq(currency.balanceOf(vault), handler.deposited(), "every order has its amount");
        assertEq(currency.balanceOf(signer), 1e15 - handler.deposited(), "nothing else leaves the user");
        assertEq(currency.balanceOf(proxy) + currency.balanceOf(router), 0, "nothing is left on the way");
        assertEq(currency.balanceOf(handler.thief()), 0, "an attacker gains nothing");
    }
}
