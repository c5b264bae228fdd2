// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ApprovalProxy} from "#contracts/ApprovalProxy.sol";
import {Call} from "#contracts/Executor.sol";
import {Currencies} from "#contracts/Currencies.sol";
import {Router} from "#contracts/Router.sol";
import {ManagedPools} from "#contracts/ManagedPools.sol";
import {Swapper} from "#contracts/Swapper.sol";
import {Coin, FalseCoin, Hook, HookedCoin, LastingCoin, Tether} from "./Currencies.sol";
import {Refuser, Rig} from "./Rig.sol";

/// Gets control while the proxy transfers a hooked currency, and tries to use the reserved router.
contract Nester {
    Router private immutable router;
    ApprovalProxy private immutable proxy;
    uint256 public refused;

    constructor(ApprovalProxy proxy_) {
        (proxy, router) = (proxy_, proxy_.router());
    }

    function attack() external {
        try router.multicall(new Call[](0), address(this), address(this), "") {}
        catch (bytes memory reason) {
            if (bytes4(reason) == Router.Busy.selector) refused++;
        }
        try proxy.transferAndMulticall(
            new address[](0), new uint256[](0), new Call[](0), address(this), address(this), ""
        ) {} catch (bytes memory reason) {
            if (bytes4(reason) == Router.Busy.selector) refused++;
        }
    }
}

contract RouterTest is Rig {
    function setUp() external {
        fund();
    }

    function test_theProxyAndTheDepositoryAreFixed() external view {
        assertEq(router.proxy(), address(proxy));
        assertEq(router.depository(), address(vault));
    }

    function test_onlyCallsOfARunReachItsFunctions() external {
        Swapper.Path[] memory paths;
        address[] memory none;
        bytes[9] memory calls = [
            abi.encodeCall(Router.requireBefore, (1)),
            abi.encodeCall(Router.swap, (address(usdc), paths)),
            abi.encodeCall(Router.wrap, (address(weth), 1)),
            abi.encodeCall(Router.unwrap, (address(weth))),
            abi.encodeCall(Router.pay, (address(usdc), other, 0)),
            abi.encodeCall(Router.execute, (id, list(own("")), address(0), 0, none, other)),
            abi.encodeCall(Router.depositNative, (other, id, 0, 1)),
            abi.encodeCall(Router.cleanupErc20s, (none, none, new uint256[](0))),
            abi.encodeCall(Router.cleanupNative, (0, other))
        ];
        for (uint256 i; i < calls.length; i++) {
            vm.prank(other);
            (bool success, bytes memory answer) = address(router).call(calls[i]);
            assertFalse(success);
            assertEq(answer, abi.encodeWithSelector(Router.NotTheRouter.selector, other));
        }
        vm.expectRevert(abi.encodeWithSelector(Router.NotTheRouter.selector, address(this)));
        router.depositErc20(other, address(usdc), id, 0, 1);
        vm.expectRevert(abi.encodeWithSelector(ManagedPools.UnexpectedCall.selector, address(this)));
        Coin(address(router)).approveMax(other);
    }

    function test_itCallsNothingButItself() external {
        Call memory foreign = Call(address(usdc), true, 0, abi.encodeCall(Coin.approveMax, (other)));
        vm.expectRevert(abi.encodeWithSelector(Router.ForeignCall.selector, address(usdc)));
        run(0, list(foreign));
    }

    function test_onlyTheProxyMayReserveIt() external {
        vm.expectRevert(abi.encodeWithSelector(Router.NotTheProxy.selector, address(this)));
        router.hold(address(this), address(this));
    }

    function test_aCallThatMayFailDoesNotStopTheRun() external {
        Call memory failing = pay(address(usdc), payee, 1);
        failing.allowFailure = true;
        Router.Result[] memory results = run(address(dai), 5, list(failing, pay(address(dai), payee, 5)));
        assertFalse(results[0].success);
        assertEq(
            results[0].returnData, abi.encodeWithSelector(Router.TooLittleReceived.selector, address(usdc), 0, 1)
        );
        assertTrue(results[1].success);
        assertEq(dai.balanceOf(payee), 5);
    }

    function test_theDeadlineEndsARun(uint32 deadline, uint32 time) external {
        vm.warp(time);
        if (time > deadline) vm.expectRevert(abi.encodeWithSelector(Router.Expired.selector, deadline));
        run(0, list(own(abi.encodeCall(Router.requireBefore, (deadline)))));
    }

    function test_anEmptyRunEmitsItsMetadata() external {
        vm.expectEmit(address(router));
        emit Router.RouterMulticall(address(proxy), abi.encode(id));
        run(address(usdc), 0, new Call[](0));
    }

    function test_paymentsReachTheMinimumOrRevert(uint96 amount, uint96 minimum) external {
        usdc.mint(user, amount);
        bool isEnough = amount >= minimum;
        if (!isEnough) {
            vm.expectRevert(
                abi.encodeWithSelector(Router.TooLittleReceived.selector, address(usdc), amount, minimum)
            );
        }
        run(address(usdc), amount, list(pay(address(usdc), payee, minimum)));
        assertEq(usdc.balanceOf(payee), isEnough ? amount : 0);
    }

    function test_aCurrencyThatReturnsFalseReverts() external {
        FalseCoin coin = new FalseCoin();
        coin.mint(address(router), 5);
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(coin)));
        run(0, list(pay(address(coin), payee, 5)));
    }

    function test_nativePaymentsNeedARecipientThatAccepts() external {
        address refuser = address(new Refuser());
        vm.expectRevert(abi.encodeWithSelector(Currencies.NativePaymentFailed.selector, refuser, 3));
        run(3, list(pay(address(0), refuser, 3)));
        run(3, list(pay(address(0), payee, 3)));
        assertEq(payee.balance, 3);
    }

    function test_wrapsAndUnwraps() external {
        Call memory wrap = own(abi.encodeCall(Router.wrap, (address(weth), 60)));
        Call memory unwrap = own(abi.encodeCall(Router.unwrap, (address(weth))));
        run(100, list(wrap, pay(address(weth), payee, 60)));
        assertEq(weth.balanceOf(payee), 60);
        assertEq(user.balance, 100 ether - 60);
        run(60, list(wrap, unwrap, pay(address(0), other, 60)));
        assertEq(other.balance, 60);
        run(0, list(unwrap));
    }

    function test_refundsWhatTheRunLeft(uint64 value, uint64 paid) external {
        paid = uint64(bound(paid, 0, value));
        vm.deal(user, value);
        Call memory cleanup = own(abi.encodeCall(Router.cleanupNative, (paid, payee)));
        run(value, paid == 0 ? new Call[](0) : list(cleanup));
        assertEq(user.balance, value - paid);
        assertEq(payee.balance, paid);
    }

    function test_refundsOnlyWhatTheRunBrought() external {
        vm.deal(address(router), 7);
        run(5, new Call[](0));
        assertEq(user.balance, 100 ether);
        assertEq(address(router).balance, 7);
    }

    function test_withoutARefundAddressNothingIsRefunded() external {
        router.multicall{value: 5}(new Call[](0), address(0), address(0), "");
        assertEq(address(router).balance, 5);
        // Anybody may take it.
        run(0, list(own(abi.encodeCall(Router.cleanupNative, (0, payee)))));
        assertEq(payee.balance, 5);
    }

    /// Finding 15: a stray wei made every run pay a refund, which a contract that accepts none refused.
    function test_attack_aStrayWeiDoesNotBlockRuns() external {
        address refuser = address(new Refuser());
        vm.deal(address(router), 1);
        vm.prank(refuser);
        router.multicall(new Call[](0), refuser, address(0), "");
        assertEq(address(router).balance, 1);
    }

    function test_aRefundThatIsRefusedGoesToTheCaller() external {
        address refuser = address(new Refuser());
        vm.prank(user);
        router.multicall{value: 5}(new Call[](0), refuser, address(0), "");
        assertEq(user.balance, 100 ether);
        vm.deal(refuser, 5);
        vm.prank(refuser);
        vm.expectRevert(abi.encodeWithSelector(Currencies.NativePaymentFailed.selector, refuser, 5));
        router.multicall{value: 5}(new Call[](0), refuser, address(0), "");
    }

    function test_deposits(uint96 amount, uint96 minimum, uint96 maximum) external {
        vm.deal(user, uint256(amount) + 1);
        usdc.mint(user, amount);
        uint256 expected = amount < maximum ? amount : maximum;
        bytes memory tooLittle;
        if (expected < minimum) {
            tooLittle = abi.encodeWithSelector(Router.TooLittleReceived.selector, address(0), expected, minimum);
            vm.expectRevert(tooLittle);
        }
        run(amount, list(own(abi.encodeCall(Router.depositNative, (payee, id, minimum, maximum)))));
        if (tooLittle.length != 0) {
            vm.expectRevert(
                abi.encodeWithSelector(Router.TooLittleReceived.selector, address(usdc), expected, minimum)
            );
        }
        Call memory erc20 = own(abi.encodeCall(Router.depositErc20, (payee, address(usdc), id, minimum, maximum)));
        run(address(usdc), amount, list(erc20, pay(address(usdc), user, 0)));
        if (tooLittle.length != 0) return;
        assertEq(address(vault).balance, expected);
        assertEq(usdc.balanceOf(address(vault)), expected);
        assertEq(vault.depositor(), payee);
        assertEq(vault.id(), id);
        assertEq(usdc.allowance(address(router), address(vault)), 0);
    }

    function test_depositsOfACurrencyThatReturnsNothing() external {
        Tether usdt = new Tether();
        usdt.mint(user, 100);
        vm.prank(user);
        usdt.approve(address(proxy), 100);
        Call memory half = own(abi.encodeCall(Router.depositErc20, (payee, address(usdt), id, 50, 50)));
        run(address(usdt), 100, list(half, half));
        assertEq(usdt.balanceOf(address(vault)), 100);
    }

    function test_anAllowanceMustBeUsedUp() external {
        LastingCoin coin = new LastingCoin();
        coin.mint(address(router), 9);
        vm.expectRevert(abi.encodeWithSelector(Router.AllowanceLeft.selector, address(coin)));
        run(0, list(own(abi.encodeCall(Router.depositErc20, (payee, address(coin), id, 0, 9)))));
    }

    function test_cleansUp() external {
        usdc.mint(address(router), 10);
        address[] memory currencies = new address[](3);
        address[] memory recipients = new address[](3);
        uint256[] memory amounts = new uint256[](3);
        (currencies[0], currencies[1], currencies[2]) = (address(usdc), address(usdc), address(dai));
        (recipients[0], recipients[1], recipients[2]) = (payee, other, other);
        amounts[0] = 4;
        run(0, list(own(abi.encodeCall(Router.cleanupErc20s, (currencies, recipients, amounts)))));
        assertEq(usdc.balanceOf(payee), 4);
        assertEq(usdc.balanceOf(other), 6);
        vm.expectRevert(Router.LengthsDiffer.selector);
        run(0, list(own(abi.encodeCall(Router.cleanupErc20s, (currencies, recipients, list(uint256(1)))))));
        vm.expectRevert(Router.LengthsDiffer.selector);
        run(0, list(own(abi.encodeCall(Router.cleanupErc20s, (currencies, list(payee), amounts)))));
    }

    function test_noNativeCurrencyArrivesBetweenRuns() external {
        vm.expectRevert(abi.encodeWithSelector(Router.NotTheRouter.selector, address(this)));
        payable(address(router)).transfer(1);
    }

    function test_runsDoNotNest() external {
        Call memory inner = own(abi.encodeCall(Router.multicall, (new Call[](0), user, user, "")));
        vm.expectRevert(Router.Busy.selector);
        run(0, list(inner));
    }

    function test_attack_aCurrencyThatCallsOutCannotUseTheReservedRouter() external {
        HookedCoin hooked = new HookedCoin();
        Nester nester = new Nester(proxy);
        hooked.mint(user, 9);
        hooked.setHook(Hook(address(nester)));
        vm.prank(user);
        hooked.approve(address(proxy), 9);
        run(address(hooked), 9, list(pay(address(hooked), payee, 9)));
        // Two attempts before and two after each of the two transfers.
        assertEq(nester.refused(), 8);
        assertEq(hooked.balanceOf(payee), 9);
    }

    function test_anIdIsUsedOncePerAccount() external {
        Call[] memory nothing;
        address executor = router.executorOf(user, id);
        assertEq(executor.code.length, 0);
        run(address(usdc), 5, list(execute(id, address(usdc), nothing)));
        assertEq(executor.code.length, 45);
        vm.expectRevert(abi.encodeWithSelector(Router.IdUsed.selector, user, id));
        run(address(usdc), 5, list(execute(id, address(usdc), nothing)));
        vm.prank(other);
        router.multicall(list(execute(id, address(usdc), nothing)), other, other, "");
        assertEq(usdc.balanceOf(payee), 5);
    }
}
