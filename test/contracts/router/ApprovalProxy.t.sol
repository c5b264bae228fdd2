// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ApprovalProxy} from "#contracts/ApprovalProxy.sol";
import {Call} from "#contracts/Executor.sol";
import {Router} from "#contracts/Router.sol";
import {Rig} from "./Rig.sol";

contract ApprovalProxyTest is Rig {
    address private immutable identity = makeAddr("identity");
    bytes32 private constant order = keccak256("order");

    function setUp() external {
        fund();
        vm.warp(1_000_000);
        vm.prank(identity);
        proxy.setKey(user, true);
    }

    function fill(address by, bytes32 orderId, uint256 deadline, uint256 amount) private {
        ApprovalProxy.Fill memory terms = ApprovalProxy.Fill(identity, orderId, deadline);
        Call[] memory calls = list(pay(address(usdc), payee, 0));
        vm.prank(by);
        proxy.fill(terms, list(address(usdc)), list(amount), calls, by, payee);
    }

    function test_pullsOnlyFromTheCaller(uint32 amount) external {
        Router.Result[] memory results = run(address(usdc), amount, list(pay(address(usdc), payee, amount)));
        assertEq(results.length, 1);
        assertEq(usdc.balanceOf(payee), amount);
        vm.prank(other);
        vm.expectRevert(abi.encodeWithSignature("ERC20InsufficientAllowance(address,uint256,uint256)", proxy, 0, 1));
        proxy.transferAndMulticall(list(address(usdc)), list(uint256(1)), new Call[](0), other, other, "");
    }

    function test_needsAnAmountForEachCurrency() external {
        vm.expectRevert(ApprovalProxy.LengthsDiffer.selector);
        proxy.transferAndMulticall(list(address(usdc)), new uint256[](0), new Call[](0), other, other, "");
        vm.prank(identity);
        vm.expectRevert(ApprovalProxy.LengthsDiffer.selector);
        proxy.fill(
            ApprovalProxy.Fill(identity, order, type(uint256).max),
            new address[](0),
            list(uint256(1)),
            new Call[](0),
            other,
            other
        );
        assertFalse(proxy.filled(identity, order));
    }

    function test_aFillMarksItsOrder(bytes32 orderId, uint32 amount) external {
        assertFalse(proxy.filled(identity, orderId));
        vm.expectEmit(address(proxy));
        emit ApprovalProxy.OrderFilled(identity, orderId);
        vm.expectEmit(address(router));
        emit Router.RouterMulticall(address(proxy), abi.encode(orderId));
        fill(user, orderId, block.timestamp, amount);
        assertTrue(proxy.filled(identity, orderId));
        assertFalse(proxy.filled(user, orderId));
        assertEq(usdc.balanceOf(payee), amount);
    }

    /// Finding 4: a restored database signed a second fill, which paid the recipient twice.
    function test_attack_anOrderIsFilledOnce() external {
        fill(user, order, block.timestamp, 5);
        vm.expectRevert(abi.encodeWithSelector(ApprovalProxy.AlreadyFilled.selector, identity, order));
        fill(user, order, block.timestamp, 5);
        vm.prank(identity);
        proxy.setKey(other, true);
        vm.expectRevert(abi.encodeWithSelector(ApprovalProxy.AlreadyFilled.selector, identity, order));
        fill(other, order, block.timestamp, 0);
        assertEq(usdc.balanceOf(payee), 5);
    }

    function test_anExpiredFillDoesNothing(uint32 late) external {
        uint256 deadline = block.timestamp;
        skip(late);
        if (late > 0) vm.expectRevert(abi.encodeWithSelector(ApprovalProxy.FillExpired.selector, deadline));
        fill(user, order, deadline, 5);
        assertEq(proxy.filled(identity, order), late == 0);
    }

    function test_onlyKeysOfTheIdentityFill() external {
        vm.expectRevert(abi.encodeWithSelector(ApprovalProxy.NotAKey.selector, identity, other));
        fill(other, order, block.timestamp, 0);
        vm.expectEmit(address(proxy));
        emit ApprovalProxy.KeySet(identity, user, false);
        vm.prank(identity);
        proxy.setKey(user, false);
        vm.expectRevert(abi.encodeWithSelector(ApprovalProxy.NotAKey.selector, identity, user));
        fill(user, order, block.timestamp, 0);
        // The identity needs no key.
        fill(identity, order, block.timestamp, 0);
    }

    function test_othersDoNotMarkOrdersOfAnIdentity() external {
        vm.prank(other);
        proxy.fill(
            ApprovalProxy.Fill(other, order, type(uint256).max),
            new address[](0),
            new uint256[](0),
            new Call[](0),
            other,
            other
        );
        fill(user, order, block.timestamp, 1);
    }

    function test_aFillThatRevertsLeavesNoMark() external {
        ApprovalProxy.Fill memory terms = ApprovalProxy.Fill(identity, order, block.timestamp);
        vm.prank(user);
        vm.expectRevert();
        proxy.fill(terms, list(address(usdc)), list(uint256(5)), list(pay(address(usdc), payee, 6)), user, payee);
        assertFalse(proxy.filled(identity, order));
        assertEq(usdc.balanceOf(payee), 0);
    }

    function test_theExecutorOfAFillBelongsToTheIdentityAndTheOrder() external {
        vm.prank(user);
        proxy.fill(
            ApprovalProxy.Fill(identity, order, block.timestamp),
            list(address(usdc)),
            list(uint256(5)),
            list(execute(order, address(usdc), new Call[](0))),
            user,
            payee
        );
        assertEq(router.executorOf(identity, order).code.length, 45);
        assertEq(usdc.balanceOf(payee), 5);
        // Nobody else can use it up beforehand: the account of a run is its caller.
        assertEq(router.executorOf(user, order).code.length, 0);
    }
}
