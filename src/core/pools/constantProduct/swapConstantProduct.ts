import type { SwapMode, SwapOf } from '#src/core/pools/swapMode.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { ConstantProductPool } from './constantProductPool.ts'

/** A pair stores each reserve in 112 bits and reverts above that. */
const pastReserve = 1n << 112n
const wholePips = 1_000_000n

/**
 * Swaps exactly `amount`, as UniswapV2Router02 does.
 * `undefined` if the pair is empty, cannot hold the input or holds no more than the output.
 */
export function swapConstantProduct(
  pool: ConstantProductPool,
  zeroForOne: boolean,
  mode: SwapMode,
  amount: Amount,
): SwapOf<ConstantProductPool> | undefined {
  const [reserveIn, reserveOut] = zeroForOne
    ? [pool.reserve0, pool.reserve1]
    : [pool.reserve1, pool.reserve0]
  if (reserveIn === 0n || reserveOut === 0n) return undefined
  if (mode === 'exactOutput' && amount >= reserveOut) return undefined
  const rate = { reserveIn, reserveOut, feeFactor: wholePips - BigInt(pool.fee) }
  const amountIn = mode === 'exactInput' ? amount : getAmountIn(amount, rate)
  if (reserveIn + amountIn >= pastReserve) return undefined
  const amountOut = mode === 'exactOutput' ? amount : getAmountOut(amount, rate)
  const [reserve0, reserve1] = zeroForOne
    ? [reserveIn + amountIn, reserveOut - amountOut]
    : [reserveOut - amountOut, reserveIn + amountIn]
  return {
    amountIn: toAmount(amountIn),
    amountOut: toAmount(amountOut),
    ticksCrossed: 0,
    next: { ...pool, reserve0, reserve1 },
  }
}

/** `feeFactor` is 1 − fee in pips: 997 ÷ 1000 in the original contract is 997,000 here. */
type Rate = Readonly<{ reserveIn: bigint; reserveOut: bigint; feeFactor: bigint }>

/**
 * Rounded down.
 * @source v2-periphery UniswapV2Library.getAmountOut
 */
function getAmountOut(amountIn: bigint, { reserveIn, reserveOut, feeFactor }: Rate): bigint {
  const afterFee = amountIn * feeFactor
  return (afterFee * reserveOut) / (reserveIn * wholePips + afterFee)
}

/**
 * Rounded down, plus one.
 * @source v2-periphery UniswapV2Library.getAmountIn
 */
const getAmountIn = (amountOut: bigint, { reserveIn, reserveOut, feeFactor }: Rate): bigint =>
  (reserveIn * amountOut * wholePips) / ((reserveOut - amountOut) * feeFactor) + 1n
