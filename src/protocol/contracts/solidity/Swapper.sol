// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ManagedPools, PoolKey, SwapTerms} from "./ManagedPools.sol";

interface ConstantProductPool {
    function getReserves() external view returns (uint256 reserve0, uint256 reserve1);
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
}

interface AskedPool {
    function getAmountOut(uint256 amountIn, address input) external view returns (uint256);
}

interface ConcentratedPool {
    function swap(address recipient, bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96, bytes calldata data)
        external
        returns (int256 amount0, int256 amount1);
}

/// Swaps this contract's currencies in pools that it calls directly. Pools are untrusted: a pool receives at most the
/// amount that the path has available for it, even if it demands or reports more.
abstract contract Swapper is ManagedPools {
    struct Path {
        /// Input of the first hop.
        uint256 amountIn;
        /// Maximum output of the last hop, which then uses only the input that this output requires. Zero for no limit.
        uint256 maxOut;
        /// 44 bytes for each hop: pool, output currency, fee in pips (3 bytes, not used for concentrated pools) and
        /// flags (1 byte). A hop in a managed pool has the manager in place of the pool, and the tick spacing (3 bytes)
        /// at its end.
        bytes hops;
    }

    struct Hop {
        address pool;
        address input;
        address output;
        uint256 fee;
        uint256 flags;
        bool zeroForOne;
        /// For managed pools only.
        int24 tickSpacing;
    }

    error InvalidHops();

    uint256 private constant hopBytes = 44;
    uint256 private constant managedHopBytes = 47;
    uint256 private constant concentratedFlag = 1;
    uint256 private constant zeroForOneFlag = 2;
    /// A pool with the interface of a constant-product pool but another curve or fee: the output is read from the pool.
    uint256 private constant asksPoolFlag = 4;
    /// A managed pool: the hop names its manager.
    uint256 private constant managedFlag = 8;
    /// With `managedFlag`: currency0 of the pool is the native currency. In the path, the wrapped currency stands for
    /// it.
    uint256 private constant nativeFlag = 16;
    /// With `managedFlag` and `nativeFlag`: the hop uses native currency directly, without unwrapping or wrapping. An
    /// input of native currency comes from the hop before or the start of the path. An output goes to the hop after or
    /// the end of the path.
    uint256 private constant unwrappedFlag = 32;
    /// All flags of hops that this router knows.
    uint256 public constant hopFlags = 63;
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
        uint256 amount = path.amountIn;
        while (true) {
            Hop memory hop;
            (hop, hops) = readHop(input, hops);
            if (hops.length == 0) return swapHop(hop, amount, path.maxOut);
            uint256 before = heldOf(hop.output);
            swapHop(hop, amount, 0);
            amount = heldOf(hop.output) - before;
            input = hop.output;
        }
    }

    /// The first hop, and the hops after it.
    /// @param input Input currency of the path, or output currency of the hop before.
    function readHop(address input, bytes calldata packed) private pure returns (Hop memory hop, bytes calldata rest) {
        if (packed.length < hopBytes) revert InvalidHops();
        uint256 flags = uint8(packed[hopBytes - 1]);
        uint256 length = flags & managedFlag == 0 ? hopBytes : managedHopBytes;
        if (packed.length < length) revert InvalidHops();
        hop = Hop({
            pool: address(bytes20(packed[:20])),
            input: input,
            output: address(bytes20(packed[20:40])),
            fee: uint24(bytes3(packed[40:43])),
            flags: flags,
            zeroForOne: flags & zeroForOneFlag != 0,
            tickSpacing: length == hopBytes ? int24(0) : int24(uint24(bytes3(packed[hopBytes:managedHopBytes])))
        });
        rest = packed[length:];
        bool unwrapped = flags & unwrappedFlag != 0;
        if (unwrapped && (length == hopBytes || flags & nativeFlag == 0)) revert InvalidHops();
        if (input == address(0) && !(unwrapped && hop.zeroForOne)) revert InvalidHops();
        if (unwrapped) {
            if (hop.zeroForOne) hop.input = address(0);
            else hop.output = address(0);
        }
    }

    function swapHop(Hop memory hop, uint256 available, uint256 maxOut) private {
        if (hop.flags & managedFlag != 0) swapInManager(hop, available, maxOut);
        else if (hop.flags & concentratedFlag != 0) swapConcentrated(hop, available, maxOut);
        else if (hop.flags & asksPoolFlag != 0) swapAsked(hop, available, maxOut);
        else swapConstantProduct(hop, available, maxOut);
    }

    function swapInManager(Hop memory hop, uint256 available, uint256 maxOut) private {
        (address currency0, address currency1) =
            hop.zeroForOne ? (hop.input, hop.output) : (hop.output, hop.input);
        if (hop.flags & nativeFlag != 0) currency0 = address(0);
        ManagedSwap memory wanted = ManagedSwap({
            key: PoolKey(currency0, currency1, uint24(hop.fee), hop.tickSpacing, address(0)),
            terms: SwapTerms(hop.zeroForOne, toInt256(maxOut), priceLimit(hop.zeroForOne)),
            input: hop.input,
            output: hop.output,
            available: available
        });
        if (maxOut != 0 && trySwapManaged(hop.pool, wanted)) return;
        wanted.terms.amountSpecified = -toInt256(available);
        swapManaged(hop.pool, wanted);
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

    /// Clamps to the largest amount that a swap accepts.
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
        // Measured, because a currency may charge a fee. Capped, because an earlier surplus of the pool is not our
        // input.
        uint256 arrived = balanceOf(hop.input, hop.pool) - reserveIn;
        if (arrived > amountIn) arrived = amountIn;
        // UniswapV2Library.getAmountOut: rounded down.
        uint256 afterFee = arrived * afterFeePips;
        uint256 amountOut = afterFee * reserveOut / (reserveIn * wholePips + afterFee);
        take(hop, amountOut, maxOut);
    }

    /// The pool receives all of the input, even if the output is limited.
    function swapAsked(Hop memory hop, uint256 available, uint256 maxOut) private {
        uint256 before = balanceOf(hop.input, hop.pool);
        transfer(hop.input, hop.pool, available);
        // Measured, because a currency may charge a fee. Capped, because other payments to the pool are not our input.
        uint256 arrived = balanceOf(hop.input, hop.pool) - before;
        if (arrived > available) arrived = available;
        take(hop, AskedPool(hop.pool).getAmountOut(arrived, hop.input), maxOut);
    }

    function take(Hop memory hop, uint256 amountOut, uint256 maxOut) private {
        if (maxOut != 0 && amountOut > maxOut) amountOut = maxOut;
        (uint256 amount0Out, uint256 amount1Out) =
            hop.zeroForOne ? (uint256(0), amountOut) : (amountOut, uint256(0));
        ConstantProductPool(hop.pool).swap(amount0Out, amount1Out, address(this), "");
    }
}
