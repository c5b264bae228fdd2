import type { SwapMode, SwapOf } from '#src/pools/swapMode.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { divUp } from '#src/units/mulDiv.ts'
import type { SolidlyPool } from './solidlyPool.ts'
import { fits, invariant, reserveAt, whole } from './stableCurve.ts'

const wholeBps = 10_000n
const pipsPerBp = 100n

/** Far beyond any currency: what a pool takes with its reserve must stay below, so that the sums of its fees fit. */
const maxReserve = 1n << 190n

/** One direction of a pool. */
type Side = Readonly<{
  stable: boolean
  feeBps: bigint
  reserveIn: bigint
  reserveOut: bigint
  unitIn: bigint
  unitOut: bigint
  /** Of currency0 and currency1, whatever the direction. */
  units: readonly [bigint, bigint]
}>

/**
 * Swaps exactly `amount`, as a router does that asks the pool for the output and takes all of it, or less of it.
 * `undefined` if the pool is empty or paused, or if the contract would revert.
 * @source Aerodrome Pool.getAmountOut, Pool.swap
 */
export function swapSolidly(
  pool: SolidlyPool,
  zeroForOne: boolean,
  mode: SwapMode,
  amount: Amount,
): SwapOf<SolidlyPool> | undefined {
  if (pool.isPaused || pool.reserve0 === 0n || pool.reserve1 === 0n) return undefined
  const side = sideOf(pool, zeroForOne)
  try {
    const amountIn = mode === 'exactInput' ? amount : inputFor(side, amount)
    if (amountIn === undefined || side.reserveIn + amountIn >= maxReserve) return undefined
    const amountOut = mode === 'exactInput' ? outputFor(side, amountIn) : amount
    if (amountOut >= side.reserveOut) return undefined
    const amounts = { amountIn: toAmount(amountIn), amountOut: toAmount(amountOut) }
    const next = afterSwap(pool, zeroForOne, amountIn, amountOut)
    if (invariantOf(sideOf(next, zeroForOne)) < invariantOf(side)) return undefined
    return { ...amounts, ticksCrossed: 0, next }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/**
 * As `PoolKind.giveAll`. The router asks the pool what all of `amountIn` gives, so that must not revert although less is
 * taken: the sums of a stable pool overflow long before its reserves do.
 */
export function giveAll(
  pool: SolidlyPool,
  zeroForOne: boolean,
  amountIn: Amount,
  amountOut: Amount,
): SolidlyPool | undefined {
  const most = swapSolidly(pool, zeroForOne, 'exactInput', amountIn)
  if (most === undefined || most.amountOut < amountOut) return undefined
  return afterSwap(pool, zeroForOne, amountIn, amountOut)
}

function afterSwap(
  pool: SolidlyPool,
  zeroForOne: boolean,
  amountIn: bigint,
  amountOut: bigint,
): SolidlyPool {
  const { reserveIn, reserveOut, feeBps } = sideOf(pool, zeroForOne)
  const [paid, left] = [reserveIn + withoutFee(amountIn, feeBps), reserveOut - amountOut]
  return zeroForOne
    ? { ...pool, reserve0: paid, reserve1: left }
    : { ...pool, reserve0: left, reserve1: paid }
}

const sideOf = (pool: SolidlyPool, zeroForOne: boolean): Side => ({
  stable: pool.stable,
  feeBps: BigInt(pool.fee) / pipsPerBp,
  reserveIn: zeroForOne ? pool.reserve0 : pool.reserve1,
  reserveOut: zeroForOne ? pool.reserve1 : pool.reserve0,
  unitIn: zeroForOne ? pool.unit0 : pool.unit1,
  unitOut: zeroForOne ? pool.unit1 : pool.unit0,
  units: [pool.unit0, pool.unit1],
})

/** The fee is rounded down on its own. */
const withoutFee = (amountIn: bigint, feeBps: bigint): bigint =>
  amountIn - fits(amountIn * feeBps) / wholeBps

/** @source Aerodrome Pool._k */
const invariantOf = ({ stable, reserveIn, reserveOut, unitIn, unitOut }: Side): bigint =>
  stable
    ? invariant(toWhole(reserveIn, unitIn), toWhole(reserveOut, unitOut))
    : fits(reserveIn * reserveOut)

const toWhole = (amount: bigint, unit: bigint): bigint => fits(amount * whole) / unit

/** Rounded down. @throws RangeError where the contract reverts. @source Aerodrome Pool.getAmountOut */
function outputFor(side: Side, amountIn: bigint): bigint {
  const { stable, reserveIn, reserveOut, unitIn, unitOut } = side
  const paid = withoutFee(amountIn, side.feeBps)
  if (!stable) return fits(paid * reserveOut) / (reserveIn + paid)
  const before = toWhole(reserveOut, unitOut)
  const x = toWhole(paid, unitIn) + toWhole(reserveIn, unitIn)
  const out = before - reserveAt(x, invariantOf(side), before, scaledOf(side))
  if (out < 0n) throw new RangeError('The contract reverts: the output is negative')
  return fits(out * unitOut) / whole
}

/**
 * The invariant of two amounts that are taken for raw ones, the first always for one of currency0: so the contract reverts
 * for some amounts in one direction, where the reserves are far apart.
 * @source Aerodrome Pool._get_y, where it calls `_k`
 */
const scaledOf =
  ({ units: [unit0, unit1] }: Side) =>
  (x: bigint, y: bigint): bigint =>
    invariant(toWhole(x, unit0), toWhole(y, unit1))

/**
 * The least input that gives at least `amountOut`: one unit less gives less. `undefined` if the pool cannot give as much.
 * @throws RangeError where the contract reverts.
 */
function inputFor(side: Side, amountOut: bigint): bigint | undefined {
  if (amountOut >= side.reserveOut) return undefined
  if (!side.stable) {
    const { reserveIn, reserveOut, feeBps } = side
    return grossUp(divUp(amountOut * reserveIn, reserveOut - amountOut), feeBps)
  }
  return stableInput(side, amountOut)
}

/** The least amount that is at least `paid` without its fee. */
function grossUp(paid: bigint, feeBps: bigint): bigint {
  let amount = (paid * wholeBps) / (wholeBps - feeBps)
  while (amount > 0n && withoutFee(amount - 1n, feeBps) >= paid) amount -= 1n
  while (withoutFee(amount, feeBps) < paid) amount += 1n
  return amount
}

/** Searched from the other reserve at the output, which is wrong by a few units only. */
function stableInput(side: Side, amountOut: bigint): bigint | undefined {
  const { reserveIn, reserveOut, unitIn, unitOut, feeBps } = side
  const before = toWhole(reserveIn, unitIn)
  const left = toWhole(reserveOut - amountOut, unitOut)
  if (left === 0n) return undefined
  const after = reserveAt(left, invariantOf(side), before, invariant)
  const isEnough = (amountIn: bigint) => outputFor(side, amountIn) >= amountOut
  const paid = after > before ? divUp((after - before) * unitIn, whole) : 1n
  let enough = grossUp(paid, feeBps)
  let tooLittle = enough
  for (let step = 1n; !isEnough(enough); step *= 2n) {
    tooLittle = enough
    enough += step
    if (enough >= maxReserve) return undefined
  }
  if (tooLittle === enough)
    for (let step = 1n; tooLittle > 0n; step *= 2n) {
      tooLittle = enough > step ? enough - step : 0n
      if (tooLittle === 0n || !isEnough(tooLittle)) break
      enough = tooLittle
    }
  while (enough - tooLittle > 1n) {
    const middle = (enough + tooLittle) / 2n
    if (isEnough(middle)) enough = middle
    else tooLittle = middle
  }
  return enough
}
