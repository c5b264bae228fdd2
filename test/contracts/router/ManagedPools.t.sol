// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Call} from "#contracts/Executor.sol";
import {ManagedPools} from "#contracts/ManagedPools.sol";
import {Router} from "#contracts/Router.sol";
import {Swapper} from "#contracts/Swapper.sol";
import {Coin} from "./Currencies.sol";
import {GreedyManager, Locker} from "./Managers.sol";
import {Rig} from "./Rig.sol";

/// Loses a hundredth of each transfer.
contract TaxedCoin is Coin {
    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount);
        if (from != address(0) && to != address(0)) _burn(to, amount / 100);
    }
}

contract ManagedPoolsTest is Rig {
    GreedyManager private immutable greedy = new GreedyManager();

    function setUp() external {
        fund();
        fundWrapped();
    }

    function swapped(Coin input, Coin output, uint256 amount, uint256 maxOut, bytes memory hops)
        private
        returns (uint256 received, uint256 left)
    {
        Call memory call = swap(address(input), amount, maxOut, hops);
        run(address(input), amount, list(call, pay(address(output), payee, 0), pay(address(input), other, 0)));
        return (output.balanceOf(payee), input.balanceOf(other));
    }

    function daiOf(bool zeroForOne) private view returns (Coin input, Coin output) {
        return zeroForOne ? (usdc, dai) : (dai, usdc);
    }

    function test_swapsBothWays(uint32 amount, bool zeroForOne) external {
        amount = uint32(bound(amount, 2, type(uint32).max));
        (Coin input, Coin output) = daiOf(zeroForOne);
        (uint256 received, uint256 left) =
            swapped(input, output, amount, 0, managedHop(address(manager), address(output), zeroForOne, false));
        assertEq(received, uint256(amount) * 997 / 1000);
        assertEq(left, 0);
        (address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks) = manager.lastKey();
        assertEq(currency0, address(usdc));
        assertEq(currency1, address(dai));
        assertEq(fee, 500);
        assertEq(tickSpacing, 10);
        assertEq(hooks, address(0));
    }

    function test_stopsAtTheOutputLimit(uint32 amount, uint32 limit) external {
        amount = uint32(bound(amount, 2, type(uint32).max));
        limit = uint32(bound(limit, 1, type(uint32).max));
        uint256 cost = (uint256(limit) * 1000 + 996) / 997;
        (uint256 received, uint256 left) =
            swapped(usdc, dai, amount, limit, managedHop(address(manager), address(dai), true, false));
        assertEq(received, cost <= amount ? limit : uint256(amount) * 997 / 1000);
        assertEq(left, cost <= amount ? amount - cost : 0);
    }

    function test_whatAShortSwapLeavesStaysForTheSweep(uint32 amount, uint32 maxIn, bool native) external {
        amount = uint32(bound(amount, 1001, type(uint32).max));
        maxIn = uint32(bound(maxIn, 2, amount - 1));
        manager.setMaxIn(maxIn);
        (uint256 received, uint256 left) = native
            ? swapped(Coin(payable(address(weth))), dai, amount, 0, managedHop(address(manager), address(dai), true, true))
            : swapped(usdc, dai, amount, 0, managedHop(address(manager), address(dai), true, false));
        assertEq(received, uint256(maxIn) * 997 / 1000);
        assertEq(left, amount - maxIn);
        assertEq(address(router).balance, 0);
    }

    function test_nativeCurrencyInIsUnwrapped(uint64 amount, bool limited) external {
        amount = uint64(bound(amount, 2, 1e11));
        uint256 held = address(manager).balance;
        (uint256 received, uint256 left) = swapped(
            Coin(payable(address(weth))), dai, amount, limited ? 1 : 0, managedHop(address(manager), address(dai), true, true)
        );
        assertEq(received, limited ? 1 : uint256(amount) * 997 / 1000);
        assertEq(left, limited ? amount - 2 : 0);
        assertEq(address(manager).balance - held, limited ? 2 : amount);
    }

    function test_nativeCurrencyOutIsWrapped(uint32 amount) external {
        amount = uint32(bound(amount, 2, type(uint32).max));
        (uint256 received,) = swapped(
            dai, Coin(payable(address(weth))), amount, 0, managedHop(address(manager), address(weth), false, true)
        );
        assertEq(received, uint256(amount) * 997 / 1000);
        assertEq(address(router).balance, 0);
    }

    /// An earlier sync of another currency, by whomever, does not stop a payment of native currency.
    function test_attack_aForeignSyncDoesNotStopNativeCurrency() external {
        manager.sync(address(usdc));
        (uint256 received,) = swapped(
            Coin(payable(address(weth))), dai, 1000, 0, managedHop(address(manager), address(dai), true, true)
        );
        assertEq(received, 997);
    }

    function test_hopsOfAllKindsFollowEachOther() external {
        bytes memory hops = abi.encodePacked(
            managedHop(address(manager), address(dai), true, false),
            hop(address(range), address(usdc), 3000, true, false),
            managedHop(address(manager), address(dai), true, false)
        );
        run(address(usdc), 1e6, list(swap(address(usdc), 1e6, 0, hops), pay(address(dai), payee, 0)));
        assertEq(dai.balanceOf(payee), uint256(uint256(997_000) * 997 / 1000) * 997 / 1000);
        assertEq(usdc.balanceOf(address(router)), 0);
    }

    function test_hopsMustBeWhole() external {
        bytes memory whole = managedHop(address(manager), address(dai), true, false);
        bytes[3] memory invalid = [new bytes(44), new bytes(46), abi.encodePacked(whole, bytes1(0))];
        for (uint256 i; i < 2; i++) invalid[i][43] = bytes1(uint8(8));
        usdc.mint(address(router), 2);
        for (uint256 i; i < invalid.length; i++) {
            vm.expectRevert(Swapper.InvalidHops.selector);
            run(0, list(swap(address(usdc), 2, 0, invalid[i])));
        }
    }

    function test_aTaxedCurrencyReverts() external {
        TaxedCoin taxed = new TaxedCoin();
        taxed.mint(address(router), 1000);
        vm.expectRevert("not settled");
        run(0, list(swap(address(taxed), 1000, 0, managedHop(address(manager), address(dai), true, false))));
    }

    function test_attack_aManagerGetsAtMostWhatTheHopHas(uint128 asked, uint128 claimed, bool zeroForOne) external {
        asked = uint128(bound(asked, 0, 200));
        claimed = uint128(bound(claimed, 0, uint128(type(int128).max)));
        (int256 paid, int256 bought) = (-int256(uint256(asked)), int256(uint256(claimed)));
        if (zeroForOne) greedy.report(paid, bought);
        else greedy.report(bought, paid);
        (Coin input, Coin output) = daiOf(zeroForOne);
        bytes memory hops = managedHop(address(greedy), address(output), zeroForOne, false);
        Call[] memory calls = list(swap(address(input), 100, 0, hops), pay(address(input), payee, 0));
        if (asked > 100) {
            vm.expectRevert(
                abi.encodeWithSelector(ManagedPools.PoolAsksTooMuch.selector, address(greedy), asked, 100)
            );
        }
        run(address(input), 500, calls);
        uint256 lost = asked > 100 ? 0 : asked;
        assertEq(input.balanceOf(address(greedy)), lost);
        assertEq(input.balanceOf(payee), asked > 100 ? 0 : 500 - lost);
        // Each further callback failed.
        assertEq(greedy.successes(), 0);
    }

    /// The false output does not wrap native currency that the run needs for something else.
    function test_attack_aManagerWrapsNothingOfOthers(uint64 claimed) external {
        greedy.report(int256(uint256(claimed)), -1);
        bytes memory hops = managedHop(address(greedy), address(weth), false, true);
        dai.mint(address(router), 1);
        run(5 ether, list(swap(address(dai), 1, 0, hops), pay(address(0), payee, 5 ether)));
        assertEq(payee.balance, 5 ether);
    }

    function test_attack_aManagerIsPaidNativeOnce(uint8 asked) external {
        asked = uint8(bound(asked, 1, 100));
        greedy.report(-int256(uint256(asked)), 0);
        bytes memory hops = managedHop(address(greedy), address(dai), true, true);
        run(address(weth), 500, list(swap(address(weth), 100, 0, hops), pay(address(weth), payee, 500 - asked)));
        assertEq(address(greedy).balance, asked);
        assertEq(greedy.successes(), 0);
    }

    function test_attack_aManagerCannotForgeItsData(uint128 asked) external {
        ManagedPools.ManagedSwap memory forged;
        (forged.input, forged.key.currency0, forged.available) = (address(usdc), address(usdc), type(uint256).max);
        forged.terms.zeroForOne = true;
        greedy.report(-int256(bound(asked, 101, 500)), 0);
        greedy.forge(abi.encode(forged));
        bytes memory hops = managedHop(address(greedy), address(dai), true, false);
        greedy.skipCallback();
        run(address(usdc), 500, list(swap(address(usdc), 100, 0, hops), pay(address(usdc), payee, 500)));
        assertEq(greedy.successes(), 0);
    }

    function test_attack_aManagerThatSkipsItsCallbackIsNotPaidLater(uint8 maxOut) external {
        greedy.skipCallback();
        greedy.report(-100, 0);
        bytes memory hops = managedHop(address(greedy), address(dai), true, false);
        Call memory later =
            Call(address(greedy), false, 0, abi.encodeCall(GreedyManager.later, (Locker(address(router)))));
        run(
            address(usdc),
            500,
            list(swap(address(usdc), 100, maxOut, hops), execute(id, address(dai), list(later)), pay(address(usdc), payee, 500))
        );
        assertFalse(greedy.later(Locker(address(router))));
    }

    function test_attack_aManagerCannotUseTheRouterMeanwhile() external {
        greedy.report(-100, 0);
        Call[] memory theft = list(pay(address(usdc), address(greedy), 0));
        greedy.callAround(
            abi.encodeCall(Router.multicall, (theft, address(greedy), address(greedy), "")),
            abi.encodeWithSignature("pancakeV3SwapCallback(int256,int256,bytes)", 100, 100, "")
        );
        bytes memory hops = managedHop(address(greedy), address(dai), true, false);
        run(address(usdc), 500, list(swap(address(usdc), 100, 0, hops), pay(address(usdc), payee, 400)));
        assertEq(greedy.successes(), 0);
        assertEq(usdc.balanceOf(address(greedy)), 100);
    }

    function test_attack_strangersCannotCallBack(bytes calldata data) external {
        vm.expectRevert(abi.encodeWithSelector(ManagedPools.UnexpectedCall.selector, address(this)));
        Locker(address(router)).unlockCallback(data);
    }

    function test_attack_theRouterIsNoManager(uint8 flags) external {
        bytes memory hops = managedHop(address(router), address(dai), flags & 1 != 0, flags & 2 != 0);
        vm.expectRevert();
        run(address(usdc), 500, list(swap(address(usdc), 100, 0, hops)));
    }
}
