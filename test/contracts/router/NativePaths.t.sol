// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Call} from "#contracts/Executor.sol";
import {ManagedPools} from "#contracts/ManagedPools.sol";
import {Router} from "#contracts/Router.sol";
import {Swapper} from "#contracts/Swapper.sol";
import {Coin} from "./Currencies.sol";
import {GreedyManager} from "./Managers.sol";
import {Rig} from "./Rig.sol";

/// Paths through pools of the native currency that take it, pass it on and give it without wrapping it.
contract NativePathsTest is Rig {
    GreedyManager private immutable greedy = new GreedyManager();

    function setUp() external {
        fund();
        fundWrapped();
    }

    function sale(address pool) private view returns (bytes memory) {
        return unwrappedHop(pool, address(dai), true);
    }

    function purchase(address pool) private view returns (bytes memory) {
        return unwrappedHop(pool, address(weth), false);
    }

    function test_sellsNativeCurrencyItself(uint32 amount, uint32 limit) external {
        amount = uint32(bound(amount, 2, type(uint32).max));
        uint256 cost = (uint256(limit) * 1000 + 996) / 997;
        bool limited = limit != 0 && cost <= amount;
        run(amount, list(swap(address(weth), amount, limit, sale(address(manager))), pay(address(dai), payee, 0)));
        assertEq(dai.balanceOf(payee), limited ? limit : uint256(amount) * 997 / 1000);
        // The rest comes back as it was.
        assertEq(user.balance, 100 ether - (limited ? cost : amount));
        assertEq(address(router).balance, 0);
    }

    function test_buysNativeCurrencyItself(uint32 amount) external {
        amount = uint32(bound(amount, 2, type(uint32).max));
        uint256 out = uint256(amount) * 997 / 1000;
        Call memory call = swap(address(dai), amount, 0, purchase(address(manager)));
        run(address(dai), amount, list(call, pay(address(0), payee, out)));
        assertEq(payee.balance, out);
        assertEq(weth.balanceOf(address(router)), 0);
    }

    function test_nativeCurrencyPassesFromPoolToPool(uint32 amount) external {
        amount = uint32(bound(amount, 10, type(uint32).max));
        bytes memory hops =
            abi.encodePacked(purchase(address(manager)), unwrappedHop(address(manager), address(usdc), true));
        usdc.mint(address(manager), 1e12);
        run(address(dai), amount, list(swap(address(dai), amount, 0, hops), pay(address(usdc), payee, 1)));
        assertEq(usdc.balanceOf(payee), uint256(amount) * 997 / 1000 * 997 / 1000);
        assertEq(address(router).balance, 0);
    }

    /// Native currency that the run holds for something else, and strays, are not a hop's input.
    function test_aHopSellsOnlyWhatTheHopBeforeGave(uint32 amount, uint64 beside, uint64 stray) external {
        amount = uint32(bound(amount, 10, type(uint32).max));
        vm.deal(address(router), stray);
        vm.deal(user, beside);
        bytes memory hops =
            abi.encodePacked(purchase(address(manager)), unwrappedHop(address(manager), address(usdc), true));
        usdc.mint(address(router), 0);
        dai.mint(address(router), amount);
        run(beside, list(swap(address(dai), amount, 0, hops), pay(address(usdc), payee, 1)));
        assertEq(usdc.balanceOf(payee), uint256(amount) * 997 / 1000 * 997 / 1000);
        assertEq(user.balance, beside);
        assertEq(address(router).balance, stray);
    }

    function test_whatAShortSwapLeavesComesBack(uint32 amount, uint32 maxIn) external {
        amount = uint32(bound(amount, 1001, type(uint32).max));
        maxIn = uint32(bound(maxIn, 2, amount - 1));
        manager.setMaxIn(maxIn);
        run(amount, list(swap(address(weth), amount, 0, sale(address(manager))), pay(address(dai), payee, 0)));
        assertEq(user.balance, 100 ether - maxIn);
    }

    /// What a limited swap leaves is not paid to the recipient of a top-up.
    function test_aPaymentBesideASwapIsExact(uint32 amount, uint32 topup) external {
        amount = uint32(bound(amount, 1000, type(uint32).max));
        topup = uint32(bound(topup, 1, type(uint32).max));
        Call memory paying = own(abi.encodeCall(Router.cleanupNative, (topup, payee)));
        Call memory call = swap(address(weth), amount, 1, sale(address(manager)));
        run(uint256(amount) + topup, list(call, pay(address(dai), payee, 1), paying));
        assertEq(payee.balance, topup);
        assertEq(user.balance, 100 ether - topup - 2);
    }

    function test_aPathThatMixesTheFormsIsInvalid() external {
        bytes memory wrappedNext =
            abi.encodePacked(purchase(address(manager)), managedHop(address(manager), address(usdc), true, true));
        bytes memory pairNext =
            abi.encodePacked(purchase(address(manager)), hop(address(pair), address(usdc), 3000, false, true));
        bytes memory notNative = managedHop(address(manager), address(dai), true, false);
        notNative[43] |= bytes1(uint8(32));
        bytes memory notManaged = hop(address(pair), address(dai), 3000, false, true);
        notManaged[43] |= bytes1(uint8(48));
        bytes[4] memory invalid = [wrappedNext, pairNext, notNative, notManaged];
        dai.mint(address(router), 100);
        for (uint256 i; i < invalid.length; i++) {
            vm.expectRevert(Swapper.InvalidHops.selector);
            run(0, list(swap(address(dai), 10, 0, invalid[i])));
        }
        vm.expectRevert(Swapper.InvalidHops.selector);
        run(10, list(swap(address(0), 10, 0, hop(address(pair), address(dai), 3000, false, true))));
    }

    function test_attack_aManagerGetsAtMostTheNativeInput(uint8 asked) external {
        greedy.report(-int256(uint256(asked)), 1e30);
        Call[] memory calls = list(swap(address(weth), 100, 0, sale(address(greedy))));
        if (asked > 100) {
            vm.expectRevert(
                abi.encodeWithSelector(ManagedPools.PoolAsksTooMuch.selector, address(greedy), asked, 100)
            );
        }
        run(1 ether, calls);
        assertEq(address(greedy).balance, asked > 100 ? 0 : asked);
        assertEq(user.balance, 100 ether - (asked > 100 ? 0 : asked));
        assertEq(greedy.successes(), 0);
    }

    /// What the manager claims to give is not what arrived: neither the run's other native currency nor a stray counts.
    function test_attack_aManagerThatGivesNothingIsNotTrusted(uint64 claimed, uint64 stray) external {
        vm.deal(address(router), stray);
        greedy.report(int256(uint256(claimed)), -1);
        bytes memory hops =
            abi.encodePacked(purchase(address(greedy)), unwrappedHop(address(manager), address(usdc), true));
        dai.mint(address(router), 1);
        run(5 ether, list(swap(address(dai), 1, 0, hops), pay(address(usdc), payee, 0)));
        assertEq(usdc.balanceOf(payee), 0);
        assertEq(user.balance, 100 ether);
        assertEq(address(router).balance, stray);
    }

    function test_attack_aManagerCannotTakeNativeCurrencyMeanwhile() external {
        greedy.report(-1, 0);
        Call[] memory theft = list(pay(address(0), address(greedy), 0));
        greedy.callAround(
            abi.encodeCall(Router.multicall, (theft, address(greedy), address(greedy), "")),
            abi.encodeCall(Router.pay, (address(0), address(greedy), 0))
        );
        run(1 ether, list(swap(address(weth), 100, 0, sale(address(greedy)))));
        assertEq(greedy.successes(), 0);
        assertEq(address(greedy).balance, 1);
        assertEq(user.balance, 100 ether - 1);
    }
}
