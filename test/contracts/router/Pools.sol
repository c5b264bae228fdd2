// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// A constant-product pool with a fee of 0.3 %.
contract PairPool {
    IERC20 public immutable currency0;
    IERC20 public immutable currency1;
    uint256 private reserve0;
    uint256 private reserve1;

    constructor(IERC20 currency0_, IERC20 currency1_) {
        (currency0, currency1) = (currency0_, currency1_);
    }

    function sync() public {
        reserve0 = currency0.balanceOf(address(this));
        reserve1 = currency1.balanceOf(address(this));
    }

    function getReserves() external view returns (uint256, uint256) {
        return (reserve0, reserve1);
    }

    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata) external {
        require(amount0Out + amount1Out > 0, "no output");
        if (amount0Out > 0) currency0.transfer(to, amount0Out);
        if (amount1Out > 0) currency1.transfer(to, amount1Out);
        uint256 held0 = currency0.balanceOf(address(this));
        uint256 held1 = currency1.balanceOf(address(this));
        uint256 in0 = held0 > reserve0 - amount0Out ? held0 - (reserve0 - amount0Out) : 0;
        uint256 in1 = held1 > reserve1 - amount1Out ? held1 - (reserve1 - amount1Out) : 0;
        require((held0 * 1000 - in0 * 3) * (held1 * 1000 - in1 * 3) >= reserve0 * reserve1 * 1e6, "k");
        sync();
    }
}

/// Swaps one for one with a fee of 0.3 %, by the calls of a concentrated pool.
contract RangePool {
    IERC20 public immutable currency0;
    IERC20 public immutable currency1;

    constructor(IERC20 currency0_, IERC20 currency1_) {
        (currency0, currency1) = (currency0_, currency1_);
    }

    function swap(address recipient, bool zeroForOne, int256 specified, uint160, bytes calldata data)
        external
        returns (int256, int256)
    {
        (IERC20 input, IERC20 output) = zeroForOne ? (currency0, currency1) : (currency1, currency0);
        uint256 amountIn = specified > 0 ? uint256(specified) : (uint256(-specified) * 1000 + 996) / 997;
        uint256 amountOut = specified > 0 ? uint256(specified) * 997 / 1000 : uint256(-specified);
        output.transfer(recipient, amountOut);
        uint256 before = input.balanceOf(address(this));
        (int256 amount0, int256 amount1) = zeroForOne
            ? (int256(amountIn), -int256(amountOut))
            : (-int256(amountOut), int256(amountIn));
        RangeTaker(msg.sender).uniswapV3SwapCallback(amount0, amount1, data);
        require(input.balanceOf(address(this)) >= before + amountIn, "not paid");
        return (amount0, amount1);
    }
}

interface RangeTaker {
    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external;
}
