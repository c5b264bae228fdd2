import type { PoolIdentity, SwapMode, SwapOf } from '#src/core/pools/poolKind.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { divUp } from '#src/core/units/arithmetic.ts'

/**
 * Volatile pools (x × y = k) and stable pools (x³y + xy³ = k) of Velodrome v2, Aerodrome and their forks. The fee is a
 * whole number of basis points and leaves the pool with each swap.
 */
export type SolidlyPool = PoolIdentity &
  Readonly<{
    kind: 'solidly'
    stable: boolean
    /** Raw units of a whole currency: 10 to the power of its decimals. */
    unit0: bigint
    unit1: bigint
    reserve0: bigint
    reserve1: bigint
    /** The factory can stop the swaps of all its pools. */
    isPaused: boolean
  }>

const wholeBps = 10_000n
const pipsPerBp = 100n

/**
 * Upper limit of a reserve with the input of a swap, far beyond any currency. Below it, the fee sums of the contract do
 * not overflow.
 */
const maxReserve = 1n << 190n

/** A pool in the direction of one swap. */
type Direction = Readonly<{
  stable: boolean
  feeBps: bigint
  reserveIn: bigint
  reserveOut: bigint
  unitIn: bigint
  unitOut: bigint
  /** Raw units of a whole currency0 and currency1, whatever the direction. */
  units: readonly [bigint, bigint]
}>

/**
 * Swaps exactly `amount`, like a router that asks the pool for the output and takes all or part of it. `undefined` if
 * the pool is empty or paused, or if the contract would revert.
 * @source Aerodrome Pool.getAmountOut, Pool.swap
 */
export function swapSolidly(
  pool: SolidlyPool,
  zeroForOne: boolean,
  mode: SwapMode,
  amount: Amount,
): SwapOf<SolidlyPool> | undefined {
  if (pool.isPaused || pool.reserve0 === 0n || pool.reserve1 === 0n) return undefined
  const direction = directionOf(pool, zeroForOne)
  try {
    const amountIn = mode === 'exactInput' ? amount : inputFor(direction, amount)
    if (amountIn === undefined || direction.reserveIn + amountIn >= maxReserve) return undefined
    const amountOut = mode === 'exactInput' ? outputFor(direction, amountIn) : amount
    if (amountOut >= direction.reserveOut) return undefined
    const amounts = { amountIn: toAmount(amountIn), amountOut: toAmount(amountOut) }
    const next = afterSwap(pool, zeroForOne, amountIn, amountOut)
    if (invariantOf(directionOf(next, zeroForOne)) < invariantOf(direction)) return undefined
    return { ...amounts, ticksCrossed: 0, next }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/**
 * See `PoolKind.giveAll`. The router asks the pool for the output of all of `amountIn`. So that call must not revert
 * although the swap takes less: the sums of a stable pool overflow long before its reserves do.
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
  const { reserveIn, reserveOut, feeBps } = directionOf(pool, zeroForOne)
  const [paid, left] = [reserveIn + withoutFee(amountIn, feeBps), reserveOut - amountOut]
  return zeroForOne
    ? { ...pool, reserve0: paid, reserve1: left }
    : { ...pool, reserve0: left, reserve1: paid }
}

const directionOf = (pool: SolidlyPool, zeroForOne: boolean): Direction => ({
  stable: pool.stable,
  feeBps: BigInt(pool.fee) / pipsPerBp,
  reserveIn: zeroForOne ? pool.reserve0 : pool.reserve1,
  reserveOut: zeroForOne ? pool.reserve1 : pool.reserve0,
  unitIn: zeroForOne ? pool.unit0 : pool.unit1,
  unitOut: zeroForOne ? pool.unit1 : pool.unit0,
  units: [pool.unit0, pool.unit1],
})

/** `amountIn` less its fee, which is rounded down. */
const withoutFee = (amountIn: bigint, feeBps: bigint): bigint =>
  amountIn - fits(amountIn * feeBps) / wholeBps

/** @source Aerodrome Pool._k */
const invariantOf = ({ stable, reserveIn, reserveOut, unitIn, unitOut }: Direction): bigint =>
  stable
    ? invariant(toWhole(reserveIn, unitIn), toWhole(reserveOut, unitOut))
    : fits(reserveIn * reserveOut)

const toWhole = (amount: bigint, unit: bigint): bigint => fits(amount * whole) / unit

/** Rounded down. @throws RangeError where the contract reverts. @source Aerodrome Pool.getAmountOut */
function outputFor(direction: Direction, amountIn: bigint): bigint {
  const { stable, reserveIn, reserveOut, unitIn, unitOut } = direction
  const paid = withoutFee(amountIn, direction.feeBps)
  if (!stable) return fits(paid * reserveOut) / (reserveIn + paid)
  const before = toWhole(reserveOut, unitOut)
  const x = toWhole(paid, unitIn) + toWhole(reserveIn, unitIn)
  const out = before - reserveAt(x, invariantOf(direction), before, scaledOf(direction))
  if (out < 0n) throw new RangeError('The contract reverts: the output is negative')
  return fits(out * unitOut) / whole
}

/**
 * `_k` takes both amounts for raw amounts, and always the first one for currency0. So the contract reverts for some
 * amounts in one direction if the reserves are far apart.
 * @source Aerodrome Pool._get_y, where it calls `_k`
 */
const scaledOf =
  ({ units: [unit0, unit1] }: Direction) =>
  (x: bigint, y: bigint): bigint =>
    invariant(toWhole(x, unit0), toWhole(y, unit1))

/**
 * The smallest input that gives at least `amountOut`; one unit less gives less. `undefined` if the pool cannot give
 * that much.
 * @throws RangeError where the contract reverts.
 */
function inputFor(direction: Direction, amountOut: bigint): bigint | undefined {
  if (amountOut >= direction.reserveOut) return undefined
  if (!direction.stable) {
    const { reserveIn, reserveOut, feeBps } = direction
    return grossUp(divUp(amountOut * reserveIn, reserveOut - amountOut), feeBps)
  }
  return stableInput(direction, amountOut)
}

/** The smallest amount that is at least `paid` without its fee. */
function grossUp(paid: bigint, feeBps: bigint): bigint {
  let amount = (paid * wholeBps) / (wholeBps - feeBps)
  while (amount > 0n && withoutFee(amount - 1n, feeBps) >= paid) amount -= 1n
  while (withoutFee(amount, feeBps) < paid) amount += 1n
  return amount
}

/** Searches from the input that the reserves after the swap suggest, which is off by a few units only. */
function stableInput(direction: Direction, amountOut: bigint): bigint | undefined {
  const { reserveIn, reserveOut, unitIn, unitOut, feeBps } = direction
  const before = toWhole(reserveIn, unitIn)
  const left = toWhole(reserveOut - amountOut, unitOut)
  if (left === 0n) return undefined
  const after = reserveAt(left, invariantOf(direction), before, invariant)
  const isEnough = (amountIn: bigint) => outputFor(direction, amountIn) >= amountOut
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

/** The contract computes stable pools in 18 decimals, whatever the decimals of their currencies. */
const whole = 10n ** 18n

const pastUint256 = 1n << 256n
const maxRounds = 255

/** The value itself, which must fit in 256 bits. @throws RangeError where the contract reverts. */
function fits(value: bigint): bigint {
  if (value >= pastUint256) throw new RangeError('The contract reverts: a number exceeds 256 bits')
  return value
}

/**
 * x³y + xy³, both in 18 decimals, rounded down at each step.
 * @throws RangeError where the contract reverts.
 * @source Aerodrome Pool._f
 */
function invariant(x: bigint, y: bigint): bigint {
  const product = fits(x * y) / whole
  const squares = fits(x * x) / whole + fits(y * y) / whole
  return fits(product * squares) / whole
}

/** The derivative of `invariant` by y. @source Aerodrome Pool._d */
const slope = (x: bigint, y: bigint): bigint =>
  fits(3n * x * (fits(y * y) / whole)) / whole + fits((fits(x * x) / whole) * x) / whole

/**
 * The reserve y that belongs to the reserve x at the invariant `k`, all in 18 decimals. Newton's method from `start`,
 * with the steps of the contract.
 * @param scaledInvariant `_k` of the contract, which scales both amounts by the decimals of the currencies first. It
 * equals `invariant` for currencies with 18 decimals.
 * @throws RangeError where the contract reverts: on an overflow, or if the method does not converge.
 * @source Aerodrome Pool._get_y
 */
function reserveAt(
  x: bigint,
  k: bigint,
  start: bigint,
  scaledInvariant: (x: bigint, y: bigint) => bigint,
): bigint {
  let y = start
  for (let round = 0; round < maxRounds; round++) {
    const value = invariant(x, y)
    const isBelow = value < k
    const step = stepOf(isBelow ? k - value : value - k, x, y)
    if (isBelow) {
      // The contract asks `_k` here, which scales by the decimals once more.
      if (step === 0n && scaledInvariant(x, y + 1n) > k) return y + 1n
      y += step === 0n ? 1n : step
      continue
    }
    if (step === 0n && (value === k || invariant(x, atLeastZero(y - 1n)) < k)) return y
    y = atLeastZero(y - (step === 0n ? 1n : step))
  }
  throw new RangeError('The contract reverts: the reserve does not converge')
}

function stepOf(difference: bigint, x: bigint, y: bigint): bigint {
  const rise = slope(x, y)
  if (rise === 0n) throw new RangeError('The contract reverts: it divides by zero')
  return fits(difference * whole) / rise
}

function atLeastZero(value: bigint): bigint {
  if (value < 0n) throw new RangeError('The contract reverts: a number is negative')
  return value
}
