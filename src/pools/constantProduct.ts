import { type Amount, toAmount } from '#src/units/amount.ts'
import type { ConstantProductPool, PoolSwap, Side } from './pool.ts'

/** A pair keeps each reserve in 112 bits and reverts rather than hold more. */
const pastReserve = 1n << 112n
const wholePips = 1_000_000n

/**
 * A swap of all of `amount`, which is given on `side`, as the router does it.
 * Undefined where the pair is empty, cannot hold the input or holds no more than the output.
 */
export function swapConstantProduct(
  pool: ConstantProductPool,
  zeroForOne: boolean,
  side: Side,
  amount: Amount,
): PoolSwap | undefined {
  const [reserveIn, reserveOut] = zeroForOne
    ? [pool.reserve0, pool.reserve1]
    : [pool.reserve1, pool.reserve0]
  if (reserveIn === 0n || reserveOut === 0n) return undefined
  if (side === 'amountOut' && amount >= reserveOut) return undefined
  const rate = { reserveIn, reserveOut, kept: wholePips - BigInt(pool.fee) }
  const amountIn = side === 'amountIn' ? amount : getAmountIn(amount, rate)
  if (reserveIn + amountIn >= pastReserve) return undefined
  const amountOut = side === 'amountOut' ? amount : getAmountOut(amount, rate)
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

/** `kept` is what the fee leaves, in pips: the original's 997 ÷ 1000 is 997,000. */
type Rate = Readonly<{ reserveIn: bigint; reserveOut: bigint; kept: bigint }>

/**
 * Rounded down.
 * @source v2-periphery UniswapV2Library.getAmountOut
 */
function getAmountOut(amountIn: bigint, { reserveIn, reserveOut, kept }: Rate): bigint {
  const afterFee = amountIn * kept
  return (afterFee * reserveOut) / (reserveIn * wholePips + afterFee)
}

/**
 * Rounded down, plus one.
 * @source v2-periphery UniswapV2Library.getAmountIn
 */
const getAmountIn = (amountOut: bigint, { reserveIn, reserveOut, kept }: Rate): bigint =>
  (reserveIn * amountOut * wholePips) / ((reserveOut - amountOut) * kept) + 1n
