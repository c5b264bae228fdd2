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

/// Swaps this contract's currencies in pools that it calls directly. Pools are untrusted: a pool receives at most the
/// amount that the path has available for it, whatever it demands or reports.
abstract contract Swapper is Currencies {
    struct Path {
        /// Input of the first hop.
        uint256 amountIn;
        /// Limit on the output of the last hop, which then receives only the input that this output requires. Zero for
        /// no limit.
        uint256 maxOut;
        /// 44 bytes for each hop: pool, output currency, fee in pips (3 bytes, used for constant-product pools only) and
        /// flags (1 byte).
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
    error PoolAsksTooMuch(address pool, uint256 asked, uint256 maximum);

    uint256 private constant hopBytes = 44;
    uint256 private constant concentratedFlag = 1;
    uint256 private constant zeroForOneFlag = 2;
    uint256 private constant wholePips = 1_000_000;
    /// The widest price limits that pools accept: one inside the bounds of TickMath.
    uint160 private constant minSqrtPrice = 4295128740;
    uint160 private constant maxSqrtPrice = 1461446703485210103287273052203988822378723970341;

    /// The concentrated pool of the current swap, from the call until its callback.
    address private transient payee;
    bool private transient payeeTakesCurrency0;
    address private transient owedCurrency;
    uint256 private transient maxOwed;

    /// The swap callback of concentrated pools: `(int256 amount0, int256 amount1, bytes)`. Its name differs between
    /// forks, hence a fallback. Accepted once per swap, and only from the pool of the current swap.
    fallback() external {
        if (msg.sender != payee || msg.data.length < 68) revert UnexpectedCall(msg.sender);
        payee = address(0);
        int256 owed = payeeTakesCurrency0
            ? int256(uint256(bytes32(msg.data[4:36])))
            : int256(uint256(bytes32(msg.data[36:68])));
        if (owed <= 0) return;
        if (uint256(owed) > maxOwed) revert PoolAsksTooMuch(msg.sender, uint256(owed), maxOwed);
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
        swapHop(readHop(input, hops[last:]), amount, path.maxOut);
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

    function swapHop(Hop memory hop, uint256 available, uint256 maxOut) private {
        if (hop.concentrated) swapConcentrated(hop, available, maxOut);
        else swapConstantProduct(hop, available, maxOut);
    }

    function swapConcentrated(Hop memory hop, uint256 available, uint256 maxOut) private {
        if (maxOut != 0) {
            expectPayee(hop, available);
            try ConcentratedPool(hop.pool).swap(
                // A negative amount requests an exact output.
                address(this), hop.zeroForOne, -toInt256(maxOut), priceLimit(hop.zeroForOne), ""
            ) {
                payee = address(0);
                return;
            } catch {
                // The exact output costs more than the available input. The revert has restored the pool.
            }
        }
        expectPayee(hop, available);
        ConcentratedPool(hop.pool).swap(
            address(this), hop.zeroForOne, toInt256(available), priceLimit(hop.zeroForOne), ""
        );
        payee = address(0);
    }

    function expectPayee(Hop memory hop, uint256 maximum) private {
        payee = hop.pool;
        payeeTakesCurrency0 = hop.zeroForOne;
        owedCurrency = hop.input;
        maxOwed = maximum;
    }

    function priceLimit(bool zeroForOne) private pure returns (uint160) {
        return zeroForOne ? minSqrtPrice : maxSqrtPrice;
    }

    /// Clamps to the greatest amount that a swap accepts.
    function toInt256(uint256 amount) private pure returns (int256) {
        return amount > uint256(type(int256).max) ? type(int256).max : int256(amount);
    }

    function swapConstantProduct(Hop memory hop, uint256 available, uint256 maxOut) private {
        (uint256 reserveIn, uint256 reserveOut) = ConstantProductPool(hop.pool).getReserves();
        if (!hop.zeroForOne) (reserveIn, reserveOut) = (reserveOut, reserveIn);
        uint256 afterFeePips = wholePips - hop.fee;
        uint256 amountIn = available;
        if (maxOut != 0 && maxOut < reserveOut) {
            // UniswapV2Library.getAmountIn: rounded down, plus one.
            uint256 needed = reserveIn * maxOut * wholePips / ((reserveOut - maxOut) * afterFeePips) + 1;
            if (needed < available) amountIn = needed;
        }
        transfer(hop.input, hop.pool, amountIn);
        // Measured, because a currency may take a fee. Capped, because a prior surplus of the pool is not our input.
        uint256 arrived = balanceOf(hop.input, hop.pool) - reserveIn;
        if (arrived > amountIn) arrived = amountIn;
        // UniswapV2Library.getAmountOut: rounded down.
        uint256 afterFee = arrived * afterFeePips;
        uint256 amountOut = afterFee * reserveOut / (reserveIn * wholePips + afterFee);
        if (maxOut != 0 && amountOut > maxOut) amountOut = maxOut;
        (uint256 amount0Out, uint256 amount1Out) =
            hop.zeroForOne ? (uint256(0), amountOut) : (amountOut, uint256(0));
        ConstantProductPool(hop.pool).swap(amount0Out, amount1Out, address(this), "");
    }
}
