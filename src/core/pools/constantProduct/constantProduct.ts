import {
  orientedPrice,
  type PoolDepth,
  type PoolIdentity,
  type PoolKind,
  type SwapMode,
  type SwapOf,
  sqrtHalfX96,
} from '#src/core/pools/poolKind.ts'
import { capacity, reserveIn, reserveOut } from '#src/core/pools/virtualReserves.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { mulDivUp } from '#src/core/units/arithmetic.ts'

/** x × y = k: Uniswap v2 and its forks. */
export type ConstantProductPool = PoolIdentity &
  Readonly<{ kind: 'constantProduct'; reserve0: bigint; reserve1: bigint }>

/** A decoded event of a Uniswap v2 pair with its whole state. */
export type ConstantProductEvent = Readonly<{
  eventName: 'Sync'
  args: Readonly<{ reserve0: bigint; reserve1: bigint }>
}>

/** The pair after the event. */
export const applyConstantProductEvent = (
  pool: ConstantProductPool,
  { args: { reserve0, reserve1 } }: ConstantProductEvent,
): ConstantProductPool => ({ ...pool, reserve0, reserve1 })

const hopGas = 60_000n

export const constantProduct: PoolKind<ConstantProductPool> = {
  swap: swapConstantProduct,
  spotPrice: ({ reserve0, reserve1 }, zeroForOne) => orientedPrice(reserve1, reserve0, zeroForOne),
  depth: depthOfReserves,
  hopFlags: 0,
  hopGas: () => hopGas,
  minHopGas: hopGas,
  shape: ({ fee }) => ({
    ranges: undefined,
    feeFactor: 1 - fee / 1_000_000,
    hopGas: Number(hopGas),
    feeJoins: true,
    hasTicks: false,
  }),
  writeReserves(reserves, offset, pool, shape, zeroForOne) {
    const [paid, bought] = zeroForOne
      ? [pool.reserve0, pool.reserve1]
      : [pool.reserve1, pool.reserve0]
    // Every output of a reserve of one unit is rounded down to nothing.
    if (paid === 0n || bought <= 1n) return
    reserves[offset + reserveIn] = Number(paid) / shape.feeFactor
    reserves[offset + reserveOut] = Number(bought)
    reserves[offset + capacity] = 2 ** 112 - Number(paid)
  },
}

/** Rounded down. */
export function depthOfReserves({
  reserve0,
  reserve1,
}: Pick<ConstantProductPool, 'reserve0' | 'reserve1'>): PoolDepth {
  return { amount0: untilDouble(reserve0), amount1: untilDouble(reserve1) }
}

/** With x × y = k, a reserve falls to √½ of itself when its price doubles. */
const untilDouble = (reserve: bigint): bigint => reserve - mulDivUp(reserve, sqrtHalfX96, 1n << 96n)

/** A pair stores each reserve in 112 bits and reverts above that. */
const reserveLimit = 1n << 112n
const pipsPerUnit = 1_000_000n

/**
 * Swaps exactly `amount`, as UniswapV2Router02 does.
 * `undefined` if the pair is empty, cannot hold the input or holds no more than the output.
 */
function swapConstantProduct(
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
  const rate = { reserveIn, reserveOut, feeFactor: pipsPerUnit - BigInt(pool.fee) }
  const amountIn = mode === 'exactInput' ? amount : getAmountIn(amount, rate)
  if (reserveIn + amountIn >= reserveLimit) return undefined
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
  return (afterFee * reserveOut) / (reserveIn * pipsPerUnit + afterFee)
}

/**
 * Rounded down, plus one.
 * @source v2-periphery UniswapV2Library.getAmountIn
 */
const getAmountIn = (amountOut: bigint, { reserveIn, reserveOut, feeFactor }: Rate): bigint =>
  (reserveIn * amountOut * pipsPerUnit) / ((reserveOut - amountOut) * feeFactor) + 1n
