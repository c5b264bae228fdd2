// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {Depository} from "#contracts/Depository.sol";
import {Deposits} from "#contracts/Deposits.sol";
import {Orders} from "#contracts/Orders.sol";
import {OutflowLimit} from "#contracts/OutflowLimit.sol";
import {Roles} from "#contracts/Roles.sol";
import {DepositoryRig} from "./DepositoryRig.sol";

/// Accepts every signature, as a contract wallet or as the code that a key delegates to.
contract AcceptsAll is IERC1271 {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return IERC1271.isValidSignature.selector;
    }
}

contract RefusesAll is IERC1271 {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return 0xffffffff;
    }
}

contract RolesTest is DepositoryRig {
    bytes32 private constant id = keccak256("order");
    uint256 private constant otherKey = 0xB0B;
    Orders.RefundProof[] private none;

    function test_onlyTheAllocatorsSignatureIsAccepted() external {
        Deposits.Deposit memory made = deposit(native, 100, id);
        Depository.Refund memory payout = refundOf(made, user, 100, 0);
        bytes memory good = signed(refundHash(payout), allocatorKey);
        bytes[6] memory bad = [
            signed(refundHash(payout), otherKey),
            signed(refundHash(refundOf(made, user, 99, 0)), allocatorKey),
            flipped(good),
            new bytes(65),
            hex"1234",
            ""
        ];
        for (uint256 i; i < bad.length; i++) {
            vm.expectRevert(Roles.InvalidSignature.selector);
            depository.refund(payout, none, bad[i]);
        }
        // Another depository, and another chain.
        Depository first = depository;
        setUp();
        made = deposit(native, 100, id);
        vm.expectRevert(Roles.InvalidSignature.selector);
        depository.refund(payout, none, good);
        vm.chainId(1234);
        vm.expectRevert(Roles.InvalidSignature.selector);
        first.refund(payout, none, good);
        vm.chainId(31337);
        vm.prank(thief);
        first.refund(payout, none, good);
    }

    function test_aPayoutExpires() external {
        Deposits.Deposit memory made = deposit(native, 100, id);
        Depository.Refund memory payout = refundOf(made, user, 100, 0);
        bytes memory signature = signed(refundHash(payout), allocatorKey);
        vm.warp(payout.expiration + 1);
        vm.expectRevert(abi.encodeWithSelector(Roles.Expired.selector, payout.expiration));
        depository.refund(payout, none, signature);
        vm.warp(payout.expiration);
        depository.refund(payout, none, signature);
    }

    function test_onlyTheOwnerNamesTheOthers() external {
        bytes memory refusal = abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, thief);
        vm.startPrank(thief);
        vm.expectRevert(refusal);
        depository.setAllocator(thief);
        vm.expectRevert(refusal);
        depository.setGuardian(thief);
        vm.expectRevert(refusal);
        depository.addPayee(thief);
        vm.expectRevert(refusal);
        depository.removePayee(payee);
        vm.expectRevert(refusal);
        depository.setOutflowLimits(new OutflowLimit.Limit[](0));
        vm.expectRevert(refusal);
        depository.transferOwnership(thief);
        vm.expectRevert(Roles.NotTheGuardian.selector);
        depository.pause();
        vm.expectRevert(Roles.NotTheGuardian.selector);
        depository.unpause();
    }

    function test_ownershipMovesInTwoSteps_andIsNeverGivenUp() external {
        vm.startPrank(owner);
        depository.transferOwnership(user);
        assertEq(depository.owner(), owner);
        vm.expectRevert(Roles.CannotRenounce.selector);
        depository.renounceOwnership();
        vm.stopPrank();
        vm.prank(user);
        depository.acceptOwnership();
        assertEq(depository.owner(), user);
    }

    function test_aNewAllocatorReplacesTheOldOneAtOnce() external {
        Deposits.Deposit memory made = deposit(native, 100, id);
        Depository.Refund memory payout = refundOf(made, user, 100, 0);
        bytes memory old = signed(refundHash(payout), allocatorKey);
        vm.startPrank(owner);
        vm.expectRevert(Roles.NoAllocator.selector);
        depository.setAllocator(address(0));
        depository.setAllocator(vm.addr(otherKey));
        vm.expectRevert(Roles.InvalidSignature.selector);
        depository.refund(payout, none, old);
        depository.refund(payout, none, signed(refundHash(payout), otherKey));
        assertEq(owedOf(made), 0);
    }

    /// Finding 14: before, a key that delegated its account accepted any signature.
    function test_aKeyThatDelegatesByEip7702AcceptsNoOtherSignature() external {
        Depository.Refund memory payout = refundOf(deposit(native, 100, id), user, 100, 0);
        vm.etch(allocator, address(new AcceptsAll()).code);
        vm.expectRevert(Roles.InvalidSignature.selector);
        depository.refund(payout, none, hex"1234");
        // Also when it delegates already as it becomes the allocator.
        vm.etch(allocator, abi.encodePacked(hex"ef0100", address(new AcceptsAll())));
        vm.prank(owner);
        depository.setAllocator(allocator);
        assertFalse(depository.allocatorIsContract());
        vm.expectRevert(Roles.InvalidSignature.selector);
        depository.refund(payout, none, hex"1234");
        refund(payout);
    }

    function test_aContractCanBeTheAllocator() external {
        Depository.Refund memory payout = refundOf(deposit(native, 100, id), user, 100, 0);
        address refuses = address(new RefusesAll());
        vm.prank(owner);
        depository.setAllocator(refuses);
        vm.expectRevert(Roles.InvalidSignature.selector);
        depository.refund(payout, none, hex"1234");
        address accepts = address(new AcceptsAll());
        vm.prank(owner);
        depository.setAllocator(accepts);
        assertTrue(depository.allocatorIsContract());
        depository.refund(payout, none, hex"1234");
    }

    function test_aNewPayeeWaitsTwoDays() external {
        Deposits.Deposit memory made = deposit(native, 100, id);
        vm.startPrank(owner);
        depository.addPayee(thief);
        assertEq(depository.payeeSince(thief), block.timestamp + 2 days);
        depository.addPayee(payee);
        assertEq(depository.payeeSince(payee), block.timestamp);
        vm.stopPrank();
        skip(2 days - 1);
        vm.expectRevert(abi.encodeWithSelector(Roles.NotAPayee.selector, thief));
        this.settleFor(thief, made);
        skip(1);
        this.settleFor(thief, made);
        assertEq(thief.balance, 100);
        made = deposit(native, 100, id);
        vm.prank(owner);
        depository.removePayee(thief);
        vm.expectRevert(abi.encodeWithSelector(Roles.NotAPayee.selector, thief));
        this.settleFor(thief, made);
    }

    function test_theGuardianPausesPayouts72HoursOnceIn14Days() external {
        Deposits.Deposit memory made = deposit(native, 100, id);
        uint256 start = block.timestamp;
        vm.prank(guardian);
        depository.pause();
        vm.expectRevert(abi.encodeWithSelector(Roles.PausedUntil.selector, start + 72 hours));
        this.settleFor(payee, made);
        vm.prank(guardian);
        vm.expectRevert(abi.encodeWithSelector(Roles.PauseNotBefore.selector, start + 14 days));
        depository.pause();
        vm.warp(start + 72 hours);
        this.settleFor(payee, made);
        vm.warp(start + 14 days);
        vm.prank(guardian);
        depository.pause();
        made = deposit(native, 100, id);
        vm.prank(owner);
        depository.unpause();
        this.settleFor(payee, made);
        vm.prank(owner);
        depository.setGuardian(user);
        vm.prank(guardian);
        vm.expectRevert(Roles.NotTheGuardian.selector);
        depository.pause();
        vm.prank(user);
        depository.unpause();
    }

    function settleFor(address account, Deposits.Deposit calldata made) external {
        Depository.Settlement memory settlement = settlementOf(made, 100);
        settlement.payee = account;
        settle(settlement);
    }

    /// The malleable duplicate of a signature (EIP-2).
    function flipped(bytes memory signature) private pure returns (bytes memory) {
        (bytes32 r, uint256 s, uint8 v) = (bytes32(0), 0, uint8(signature[64]));
        assembly ("memory-safe") {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
        }
        s = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141 - s;
        return abi.encodePacked(r, s, v == 27 ? 28 : 27);
    }
}
