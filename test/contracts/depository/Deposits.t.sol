// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Deposits} from "#contracts/Deposits.sol";
import {DepositoryRig} from "./DepositoryRig.sol";

contract DepositsTest is DepositoryRig {
    event RelayNativeDeposit(address from, uint256 amount, bytes32 id);
    event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id);
    event DepositRecorded(bytes32 indexed depositId, uint256 index, uint256 exitTime);

    bytes32 private constant id = keccak256("order");

    function test_selectorsThatWalletsKnow() external view {
        assertEq(depository.depositNative.selector, bytes4(0x49290c1c));
        assertEq(bytes4(keccak256("depositErc20(address,address,uint256,bytes32)")), bytes4(0xe8017952));
    }

    function testFuzz_aNativeDepositIsRecorded(address depositor, uint96 amount, bytes32 orderId) external {
        vm.assume(amount > 0);
        vm.deal(address(this), amount);
        address from = depositor == address(0) ? address(this) : depositor;
        Deposits.Deposit memory made = Deposits.Deposit(orderId, from, native, amount, 0);
        vm.expectEmit(address(depository));
        emit RelayNativeDeposit(from, amount, orderId);
        vm.expectEmit(address(depository));
        emit DepositRecorded(depository.depositIdOf(made), 0, block.timestamp + 14 days);
        depository.depositNative{value: amount}(depositor, orderId);
        assertEq(owedOf(made), amount);
        assertEq(exitTimeOf(made), block.timestamp + 14 days);
        assertEq(depository.reserved(native), amount);
        assertEq(address(depository).balance, amount);
    }

    function test_aNativeTransferWithAnOrderIdIsADeposit() external {
        vm.deal(user, 5);
        vm.prank(user);
        vm.expectEmit(address(depository));
        emit RelayNativeDeposit(user, 5, id);
        (bool done,) = address(depository).call{value: 5}(abi.encode(id));
        assertTrue(done);
        assertEq(owedOf(Deposits.Deposit(id, user, native, 5, 0)), 5);
    }

    function testFuzz_anotherNativeTransferIsRefused(bytes calldata data) external {
        vm.assume(data.length != 32);
        vm.assume(data.length < 4 || bytes4(data) != depository.depositNative.selector);
        vm.deal(address(this), 1);
        (bool done,) = address(depository).call{value: 1}(data);
        assertFalse(done);
        vm.expectRevert(Deposits.NotADeposit.selector);
        payable(address(depository)).transfer(1);
    }

    function testFuzz_anErc20DepositIsRecorded(address depositor, uint96 amount, bool isWhole) external {
        vm.assume(amount > 0);
        coin.mint(user, amount);
        vm.startPrank(user);
        coin.approve(address(depository), amount);
        address from = depositor == address(0) ? user : depositor;
        vm.expectEmit(address(depository));
        emit RelayErc20Deposit(from, address(coin), amount, id);
        if (isWhole) depository.depositErc20(depositor, address(coin), id);
        else depository.depositErc20(depositor, address(coin), amount, id);
        assertEq(owedOf(Deposits.Deposit(id, from, address(coin), amount, 0)), amount);
        assertEq(depository.reserved(address(coin)), amount);
    }

    function test_equalDepositsHaveRecordsOfTheirOwn() external {
        for (uint256 index; index < 3; index++) {
            Deposits.Deposit memory made = deposit(native, 10, id);
            assertEq(made.index, index);
            assertEq(exitTimeOf(made), block.timestamp + 14 days);
            // A later deposit does not postpone the exit of an earlier one.
            skip(1 days);
        }
        assertEq(depository.reserved(native), 30);
        vm.warp(1_700_000_000 + 14 days);
        depository.exit(Deposits.Deposit(id, user, native, 10, 0), user);
        vm.expectRevert(abi.encodeWithSelector(Deposits.TooEarly.selector, 1_700_000_000 + 15 days));
        depository.exit(Deposits.Deposit(id, user, native, 10, 1), user);
        // The place of a deposit that was paid out is not given to another one.
        assertEq(deposit(native, 10, id).index, 3);
    }

    function test_anEmptyDepositIsRefused() external {
        vm.expectRevert(Deposits.NothingDeposited.selector);
        depository.depositNative(user, id);
        vm.expectRevert(Deposits.NothingDeposited.selector);
        depository.depositErc20(user, address(coin), 0, id);
    }

    function test_anAmountAboveARecordIsRefused() external {
        uint256 amount = 1 << 192;
        coin.mint(user, amount);
        vm.startPrank(user);
        coin.approve(address(depository), amount);
        vm.expectRevert();
        depository.depositErc20(user, address(coin), amount, id);
    }

    function test_theDepositorCanLeaveAlone() external {
        Deposits.Deposit memory made = deposit(address(coin), 100, id);
        vm.expectRevert(abi.encodeWithSelector(Deposits.TooEarly.selector, block.timestamp + 14 days));
        depository.exit(made, user);
        skip(14 days);
        vm.prank(thief);
        vm.expectRevert(abi.encodeWithSelector(Deposits.OnlyTheOwnAccount.selector, user));
        depository.exit(made, thief);
        // Anyone can have it paid to the depositor.
        uint256 snapshot = vm.snapshotState();
        vm.prank(thief);
        depository.exit(made, user);
        assertEq(coin.balanceOf(user), 100);
        vm.expectRevert(abi.encodeWithSelector(Deposits.NotOwed.selector, depository.depositIdOf(made)));
        depository.exit(made, user);
        // The depositor can have it paid elsewhere.
        vm.revertToState(snapshot);
        vm.prank(user);
        depository.exit(made, refundTo);
        assertEq(coin.balanceOf(refundTo), 100);
        assertEq(depository.reserved(address(coin)), 0);
    }

    function test_exitsGoOnDuringAPause() external {
        Deposits.Deposit memory made = deposit(native, 100, id);
        skip(14 days);
        vm.prank(guardian);
        depository.pause();
        depository.exit(made, user);
        assertEq(user.balance, 100);
    }

    function test_aClaimOfNothingIsRefused() external {
        vm.expectRevert(abi.encodeWithSelector(Deposits.NothingToClaim.selector, native, user));
        depository.claim(native, user, user);
    }

    function test_depositsGoOnDuringAPause_andAreRefundedAfterIt() external {
        vm.prank(guardian);
        depository.pause();
        Deposits.Deposit memory made = deposit(native, 100, id);
        assertEq(exitTimeOf(made), block.timestamp + 14 days);
        skip(72 hours);
        refund(refundOf(made, user, 100, 0));
        assertEq(user.balance, 100);
    }

    function test_anUnknownDepositHasNothingToExit() external {
        Deposits.Deposit memory made = Deposits.Deposit(id, user, native, 100, 0);
        vm.expectRevert(abi.encodeWithSelector(Deposits.NotOwed.selector, depository.depositIdOf(made)));
        depository.exit(made, user);
    }
}
