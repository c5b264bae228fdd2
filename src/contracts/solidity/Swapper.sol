// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Currencies} from "./Currencies.sol";

interface ConstantProductPool {
    function getReserves() external view returns (uint256 reserve0, uint256 reserve1);
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
}

interface ConcentratedPool {
    function swap(address recipient, bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96, bytes calldata data)
        external
        returns (int256 amount0, int256 amount1);
}

/// Swaps what this contract holds in pools that it calls directly. A pool gets what the path has at hand
/// for it and never more, whatever it asks for or says about itself.
abstract contract Swapper is Currencies {
    struct Path {
        /// What the first hop is paid.
        uint256 amountIn;
        /// Zero for no limit; else the last hop gives no more and is paid no more than that takes.
        uint256 mostOut;
        /// 44 bytes each: pool, the currency that it gives, its fee in pips (3 bytes, of use with constant
        /// product alone) and flags (1 byte).
        bytes hops;
    }

    struct Hop {
        address pool;
        address input;
        address output;
        uint256 fee;
        bool concentrated;
        bool zeroForOne;
    }

    error InvalidHops();
    error UnexpectedCall(address caller);
    error PoolAsksTooMuch(address pool, uint256 asked, uint256 most);

    uint256 private constant hopBytes = 44;
    uint256 private constant concentratedFlag = 1;
    uint256 private constant zeroForOneFlag = 2;
    uint256 private constant wholePips = 1_000_000;
    /// One inside the bounds of TickMath, as the pools ask: no limit.
    uint160 private constant lowestSqrtPrice = 4295128740;
    uint160 private constant highestSqrtPrice = 1461446703485210103287273052203988822378723970341;

    /// The concentrated pool that is being swapped with, from the call until it asks to be paid.
    address private transient payee;
    bool private transient payeeTakesCurrency0;
    address private transient owedCurrency;
    uint256 private transient mostOwed;

    /// How a concentrated pool asks for its input: `(int256 amount0, int256 amount1, bytes)` under a name of
    /// its brand. Taken once, from the pool that is being swapped with alone.
    fallback() external {
        if (msg.sender != payee || msg.data.length < 68) revert UnexpectedCall(msg.sender);
        payee = address(0);
        int256 owed = payeeTakesCurrency0
            ? int256(uint256(bytes32(msg.data[4:36])))
            : int256(uint256(bytes32(msg.data[36:68])));
        if (owed <= 0) return;
        if (uint256(owed) > mostOwed) revert PoolAsksTooMuch(msg.sender, uint256(owed), mostOwed);
        transfer(owedCurrency, msg.sender, uint256(owed));
    }

    function swapPath(address input, Path calldata path) internal {
        bytes calldata hops = path.hops;
        if (hops.length == 0 || hops.length % hopBytes != 0) revert InvalidHops();
        uint256 amount = path.amountIn;
        uint256 last = hops.length - hopBytes;
        for (uint256 start; start < last; start += hopBytes) {
            Hop memory hop = readHop(input, hops[start:start + hopBytes]);
            uint256 before = balanceOf(hop.output, address(this));
            swapHop(hop, amount, 0);
            amount = balanceOf(hop.output, address(this)) - before;
            input = hop.output;
        }
        swapHop(readHop(input, hops[last:]), amount, path.mostOut);
    }

    function readHop(address input, bytes calldata packed) private pure returns (Hop memory) {
        uint256 flags = uint8(packed[43]);
        return Hop({
            pool: address(bytes20(packed[:20])),
            input: input,
            output: address(bytes20(packed[20:40])),
            fee: uint24(bytes3(packed[40:43])),
            concentrated: flags & concentratedFlag != 0,
            zeroForOne: flags & zeroForOneFlag != 0
        });
    }

    function swapHop(Hop memory hop, uint256 atHand, uint256 mostOut) private {
        if (hop.concentrated) swapConcentrated(hop, atHand, mostOut);
        else swapConstantProduct(hop, atHand, mostOut);
    }

    function swapConcentrated(Hop memory hop, uint256 atHand, uint256 mostOut) private {
        if (mostOut != 0) {
            expectPayee(hop, atHand);
            try ConcentratedPool(hop.pool).swap(
                // Pools take a negative amount for an exact output.
                address(this), hop.zeroForOne, -toInt256(mostOut), priceLimit(hop.zeroForOne), ""
            ) {
                payee = address(0);
                return;
            } catch {
                // Exactly that takes more than what is at hand: the pool has its state back.
            }
        }
        expectPayee(hop, atHand);
        ConcentratedPool(hop.pool).swap(
            address(this), hop.zeroForOne, toInt256(atHand), priceLimit(hop.zeroForOne), ""
        );
        payee = address(0);
    }

    function expectPayee(Hop memory hop, uint256 most) private {
        payee = hop.pool;
        payeeTakesCurrency0 = hop.zeroForOne;
        owedCurrency = hop.input;
        mostOwed = most;
    }

    function priceLimit(bool zeroForOne) private pure returns (uint160) {
        return zeroForOne ? lowestSqrtPrice : highestSqrtPrice;
    }

    /// Cut off at the most that a pool can be asked for.
    function toInt256(uint256 amount) private pure returns (int256) {
        return amount > uint256(type(int256).max) ? type(int256).max : int256(amount);
    }

    function swapConstantProduct(Hop memory hop, uint256 atHand, uint256 mostOut) private {
        (uint256 reserveIn, uint256 reserveOut) = ConstantProductPool(hop.pool).getReserves();
        if (!hop.zeroForOne) (reserveIn, reserveOut) = (reserveOut, reserveIn);
        uint256 kept = wholePips - hop.fee;
        uint256 amountIn = atHand;
        if (mostOut != 0 && mostOut < reserveOut) {
            // Rounded down, plus one: UniswapV2Library.getAmountIn.
            uint256 needed = reserveIn * mostOut * wholePips / ((reserveOut - mostOut) * kept) + 1;
            if (needed < atHand) amountIn = needed;
        }
        transfer(hop.input, hop.pool, amountIn);
        // A currency may take a part of what is sent. What the pool holds beside its reserves is not ours.
        uint256 arrived = balanceOf(hop.input, hop.pool) - reserveIn;
        if (arrived > amountIn) arrived = amountIn;
        // Rounded down: UniswapV2Library.getAmountOut.
        uint256 afterFee = arrived * kept;
        uint256 amountOut = afterFee * reserveOut / (reserveIn * wholePips + afterFee);
        if (mostOut != 0 && amountOut > mostOut) amountOut = mostOut;
        (uint256 amount0Out, uint256 amount1Out) =
            hop.zeroForOne ? (uint256(0), amountOut) : (amountOut, uint256(0));
        ConstantProductPool(hop.pool).swap(amount0Out, amount1Out, address(this), "");
    }
}
