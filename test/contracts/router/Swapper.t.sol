// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Call} from "#contracts/Executor.sol";
import {Swapper} from "#contracts/Swapper.sol";
import {PairPool} from "./Pools.sol";
import {Rig} from "./Rig.sol";

/// A concentrated pool that asks for what it likes, as often as it likes.
contract GreedyPool {
    int256[] private asks;
    bool[] public paid;
    bool private shortCall;

    function prepare(int256[] calldata asks_, bool shortCall_) external {
        (asks, shortCall) = (asks_, shortCall_);
        delete paid;
    }

    function swap(address, bool zeroForOne, int256, uint160, bytes calldata) external returns (int256, int256) {
        if (shortCall) require(!call(abi.encodeWithSignature("short(uint256)", 1)));
        for (uint256 i; i < asks.length; i++) {
            (int256 ask0, int256 ask1) = zeroForOne ? (asks[i], int256(0)) : (int256(0), asks[i]);
            bytes memory data = abi.encodeWithSignature("pancakeV3SwapCallback(int256,int256,bytes)", ask0, ask1, "");
            paid.push(call(data));
        }
        return (0, 0);
    }

    function later() external returns (bool) {
        return call(abi.encodeWithSignature("uniswapV3SwapCallback(int256,int256,bytes)", 1, 1, ""));
    }

    function call(bytes memory data) private returns (bool success) {
        (success,) = msg.sender.call(data);
    }
}

contract SwapperTest is Rig {
    GreedyPool private immutable greedy = new GreedyPool();

    function setUp() external {
        fund();
    }

    function pairHop(bool zeroForOne) private view returns (bytes memory) {
        return hop(address(pair), zeroForOne ? address(dai) : address(usdc), 3000, false, zeroForOne);
    }

    function rangeHop(bool zeroForOne) private view returns (bytes memory) {
        return hop(address(range), zeroForOne ? address(dai) : address(usdc), 3000, true, zeroForOne);
    }

    function swapped(address input, uint256 amount, uint256 maxOut, bytes memory hops)
        private
        returns (uint256 received, uint256 left)
    {
        address output = input == address(usdc) ? address(dai) : address(usdc);
        Call memory swapCall = swap(input, amount, maxOut, hops);
        run(input, amount, list(swapCall, pay(output, payee, 0), pay(input, other, 0)));
        received = (output == address(dai) ? dai : usdc).balanceOf(payee);
        left = (input == address(dai) ? dai : usdc).balanceOf(other);
    }

    function test_swapsInAPairPoolBothWays(uint32 amount, bool zeroForOne) external {
        amount = uint32(bound(amount, 1000, type(uint32).max));
        (uint256 received, uint256 left) =
            swapped(zeroForOne ? address(usdc) : address(dai), amount, 0, pairHop(zeroForOne));
        uint256 afterFee = uint256(amount) * 997;
        assertEq(received, afterFee * 1e12 / (1e15 + afterFee));
        assertEq(left, 0);
    }

    function test_aPairPoolStopsAtTheOutputLimit(uint32 amount, uint32 limit, bool zeroForOne) external {
        amount = uint32(bound(amount, 1000, type(uint32).max));
        limit = uint32(bound(limit, 1, type(uint32).max));
        uint256 whole = uint256(amount) * 997 * 1e12 / (1e15 + uint256(amount) * 997);
        (uint256 received, uint256 left) =
            swapped(zeroForOne ? address(usdc) : address(dai), amount, limit, pairHop(zeroForOne));
        assertEq(received, limit < whole ? limit : whole);
        if (limit >= whole + whole / 1000 + 1) assertEq(left, 0);
    }

    /// One unit of input buys many units of a plentiful output. Those above the limit stay with the pool.
    function test_aPairPoolStopsAtTheOutputLimit_howeverCheapItsOutput(uint40 limit, bool zeroForOne) external {
        limit = uint40(bound(limit, 1, 1e12));
        PairPool lopsided = new PairPool(usdc, dai);
        (zeroForOne ? usdc : dai).mint(address(lopsided), 1e3);
        (zeroForOne ? dai : usdc).mint(address(lopsided), 1e15);
        lopsided.sync();
        (address input, address output) =
            zeroForOne ? (address(usdc), address(dai)) : (address(dai), address(usdc));
        (uint256 received, uint256 left) =
            swapped(input, 1e6, limit, hop(address(lopsided), output, 3000, false, zeroForOne));
        assertEq(received, limit);
        assertEq(left, 1e6 - (uint256(limit) * 1e9 / ((1e15 - uint256(limit)) * 997_000) + 1));
    }

    function test_aPairPoolCannotPayMoreThanItHas() external {
        (uint256 received, uint256 left) = swapped(address(usdc), 1000, 1e12, pairHop(true));
        assertEq(received, 996);
        assertEq(left, 0);
    }

    function test_whatAPairPoolWasGivenBeforeIsNotInput() external {
        usdc.mint(address(pair), 1e9);
        (uint256 received,) = swapped(address(usdc), 1000, 0, pairHop(true));
        assertEq(received, 996);
    }

    function test_swapsInARangePoolBothWays(uint32 amount, bool zeroForOne) external {
        amount = uint32(bound(amount, 1, type(uint32).max));
        (uint256 received, uint256 left) =
            swapped(zeroForOne ? address(usdc) : address(dai), amount, 0, rangeHop(zeroForOne));
        assertEq(received, uint256(amount) * 997 / 1000);
        assertEq(left, 0);
    }

    function test_aRangePoolStopsAtTheOutputLimit(uint32 amount, uint32 limit) external {
        amount = uint32(bound(amount, 1, type(uint32).max));
        limit = uint32(bound(limit, 1, type(uint32).max));
        uint256 cost = (uint256(limit) * 1000 + 996) / 997;
        (uint256 received, uint256 left) = swapped(address(usdc), amount, limit, rangeHop(true));
        assertEq(received, cost <= amount ? limit : uint256(amount) * 997 / 1000);
        assertEq(left, cost <= amount ? amount - cost : 0);
    }

    function test_theNextHopSellsWhatTheLastOneGave() external {
        bytes memory hops = abi.encodePacked(pairHop(true), rangeHop(false));
        run(address(usdc), 1e6, list(swap(address(usdc), 1e6, 0, hops), pay(address(usdc), payee, 0)));
        assertEq(usdc.balanceOf(payee), uint256(996999) * 997 / 1000);
        assertEq(dai.balanceOf(address(router)), 0);
    }

    function test_anAmountAboveAllIntegersIsClamped() external {
        vm.expectRevert();
        run(0, list(swap(address(usdc), type(uint256).max, 0, rangeHop(true))));
    }

    function test_hopsMustBeWhole() external {
        bytes[3] memory invalid = [bytes(""), new bytes(43), abi.encodePacked(rangeHop(true), bytes1(0))];
        usdc.mint(address(router), 2);
        for (uint256 i; i < invalid.length; i++) {
            vm.expectRevert(Swapper.InvalidHops.selector);
            run(0, list(swap(address(usdc), 2, 0, invalid[i])));
        }
    }

    function test_attack_aPoolIsPaidOnceAndAtMostItsInput(bool zeroForOne) external {
        int256[] memory asks = new int256[](4);
        (asks[0], asks[1], asks[2], asks[3]) = (101, 0, 100, 1);
        greedy.prepare(asks, true);
        address input = zeroForOne ? address(usdc) : address(dai);
        bytes memory hops = hop(address(greedy), zeroForOne ? address(dai) : address(usdc), 0, true, zeroForOne);
        run(input, 500, list(swap(input, 100, 0, hops), pay(input, payee, 400)));
        assertFalse(greedy.paid(0));
        // An ask of nothing uses the callback up.
        assertTrue(greedy.paid(1));
        assertFalse(greedy.paid(2));
        assertFalse(greedy.paid(3));
        (asks[0], asks[1]) = (100, 1);
        greedy.prepare(asks, false);
        run(input, 500, list(swap(input, 100, 0, hops), pay(input, payee, 400)));
        assertTrue(greedy.paid(0));
        assertFalse(greedy.paid(1));
        assertEq((zeroForOne ? usdc : dai).balanceOf(address(greedy)), 100);
    }

    function test_attack_aPoolThatSkipsItsCallbackIsNotPaidLater(uint8 maxOut) external {
        greedy.prepare(new int256[](0), false);
        bytes memory hops = hop(address(greedy), address(dai), 0, true, true);
        Call memory later = Call(address(greedy), false, 0, abi.encodeCall(GreedyPool.later, ()));
        run(
            address(usdc),
            500,
            list(swap(address(usdc), 100, maxOut, hops), execute(id, address(dai), list(later)), pay(address(usdc), payee, 500))
        );
        vm.prank(address(greedy));
        (bool success,) = address(router).call(abi.encodeWithSignature("cb(int256,int256,bytes)", 1, 1, ""));
        assertFalse(success);
    }

    function test_attack_theRouterIsNoPool() external {
        for (uint8 flags; flags < 4; flags++) {
            bytes memory hops = abi.encodePacked(address(router), address(dai), uint24(3000), flags);
            vm.expectRevert();
            run(address(usdc), 500, list(swap(address(usdc), 100, 0, hops)));
        }
    }
}
