// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Call} from "#contracts/Executor.sol";
import {Rig} from "./Rig.sol";

/// A pool that returns its output: one for one less its fee, unless the test makes it lie or re-enter.
contract AskedPool {
    IERC20 public immutable currency0;
    IERC20 public immutable currency1;
    uint256 public feeBps = 30;
    /// Added to what it answers, and not to what it pays without complaint.
    int256 public lie;
    bytes public back;
    bool public cameBack;
    /// What it had been given when it was last asked.
    uint256 public asked;

    constructor(IERC20 currency0_, IERC20 currency1_) {
        (currency0, currency1) = (currency0_, currency1_);
    }

    function prepare(uint256 feeBps_, int256 lie_, bytes calldata back_) external {
        (feeBps, lie, back) = (feeBps_, lie_, back_);
    }

    function getAmountOut(uint256 amountIn, address) external view returns (uint256) {
        return uint256(int256(amountIn - amountIn * feeBps / 10_000) + lie);
    }

    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external {
        require(data.length == 0, "data");
        require(amount0Out + amount1Out > 0, "no output");
        if (back.length > 0) (cameBack,) = msg.sender.call(back);
        if (amount0Out > 0) currency0.transfer(to, amount0Out);
        if (amount1Out > 0) currency1.transfer(to, amount1Out);
    }
}

contract AskedPoolsTest is Rig {
    AskedPool private immutable asked = new AskedPool(usdc, dai);

    function setUp() external {
        fund();
        usdc.mint(address(asked), 1e12);
        dai.mint(address(asked), 1e12);
    }

    function askedHop(bool zeroForOne) private view returns (bytes memory) {
        return abi.encodePacked(
            address(asked), zeroForOne ? address(dai) : address(usdc), uint24(3000), uint8(zeroForOne ? 6 : 4)
        );
    }

    function swapped(bool zeroForOne, uint256 amount, uint256 maxOut)
        private
        returns (uint256 received, uint256 left)
    {
        (address input, address output) =
            zeroForOne ? (address(usdc), address(dai)) : (address(dai), address(usdc));
        Call memory swapCall = swap(input, amount, maxOut, askedHop(zeroForOne));
        run(input, amount, list(swapCall, pay(output, payee, 0), pay(input, other, 0)));
        received = (zeroForOne ? dai : usdc).balanceOf(payee);
        left = (zeroForOne ? usdc : dai).balanceOf(other);
    }

    function held(bool zeroForOne) private view returns (uint256) {
        return (zeroForOne ? usdc : dai).balanceOf(address(asked));
    }

    function test_paysWhatThePoolTells(uint32 amount, uint16 fee, bool zeroForOne) external {
        amount = uint32(bound(amount, 1000, type(uint32).max));
        asked.prepare(bound(fee, 0, 300), 0, "");
        uint256 before = held(zeroForOne);
        (uint256 received, uint256 left) = swapped(zeroForOne, amount, 0);
        assertEq(received, amount - uint256(amount) * asked.feeBps() / 10_000);
        assertEq(left, 0);
        assertEq(held(zeroForOne) - before, amount);
    }

    function test_stopsAtTheOutputLimit_andLeavesTheRestToThePool(uint32 amount, uint32 limit, bool zeroForOne)
        external
    {
        amount = uint32(bound(amount, 1000, type(uint32).max));
        limit = uint32(bound(limit, 1, type(uint32).max));
        uint256 whole = amount - uint256(amount) * 30 / 10_000;
        (uint256 received, uint256 left) = swapped(zeroForOne, amount, limit);
        assertEq(received, limit < whole ? limit : whole);
        assertEq(left, 0);
    }

    function test_whatThePoolWasGivenBeforeIsNotInput() external {
        usdc.mint(address(asked), 1e9);
        (uint256 received,) = swapped(true, 1000, 0);
        assertEq(received, 997);
    }

    function test_aPoolThatPromisesMoreThanItHasFailsTheRun() external {
        asked.prepare(30, 1e13, "");
        Call memory swapCall = swap(address(usdc), 1000, 0, askedHop(true));
        vm.expectRevert();
        vm.prank(user);
        proxy.transferAndMulticall(
            list(address(usdc)), list(1000), list(swapCall, pay(address(dai), payee, 0)), user, payee, abi.encode(id)
        );
        assertEq(held(true), 1e12);
    }

    /// The pool returns less than it could pay. The minimum of the run protects the user.
    function test_aPoolThatTellsTooLittleIsHeldToTheMinimum() external {
        asked.prepare(30, -500, "");
        Call memory swapCall = swap(address(usdc), 1000, 0, askedHop(true));
        vm.expectRevert();
        vm.prank(user);
        proxy.transferAndMulticall(
            list(address(usdc)), list(1000), list(swapCall, pay(address(dai), payee, 997)), user, payee, abi.encode(id)
        );
        (uint256 received,) = swapped(true, 1000, 0);
        assertEq(received, 497);
    }

    function test_aPoolThatComesBackIsTurnedAway() external {
        asked.prepare(30, 0, abi.encodeWithSignature("uniswapV3SwapCallback(int256,int256,bytes)", 1e6, 1e6, ""));
        usdc.mint(address(router), 1e9);
        (uint256 received,) = swapped(true, 1000, 0);
        assertEq(received, 997);
        assertFalse(asked.cameBack());
        assertEq(held(true), 1e12 + 1000);
    }
}
