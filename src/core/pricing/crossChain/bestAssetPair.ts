import { AppError, type ErrorCode } from '#src/core/errors.ts'
import { explained, NoOutputError } from '#src/core/pricing/leg/leg.ts'

/** An asset pair, with an upper bound on the net result of every cross-chain price over it. */
export type Candidate<AssetPair> = Readonly<{ assetPair: AssetPair; bound: number }>

/**
 * The cross-chain price with the highest net result; `undefined` if none works. Skips asset pairs whose bound is no
 * better than the best result so far. Adds the failures of asset pairs to `failures`.
 * @param candidates by descending bound.
 */
export function bestCrossChainPrice<AssetPair, CrossChainPrice, Net extends number | bigint>(
  candidates: Iterable<Candidate<AssetPair>>,
  {
    price,
    netOf,
    failures,
    maxCompared = Number.POSITIVE_INFINITY,
  }: Readonly<{
    /** Returns `undefined` if the cross-chain price surely does not exceed `toBeat`, the best net result so far. */
    price: (assetPair: AssetPair, toBeat: Net | undefined) => CrossChainPrice | undefined
    netOf: (crossChainPrice: CrossChainPrice) => Net
    failures: AppError[]
    /** The largest number of working asset pairs to compare. */
    maxCompared?: number
  }>,
): CrossChainPrice | undefined {
  let best: Readonly<{ crossChainPrice: CrossChainPrice; net: Net }> | undefined
  let compared = 0
  for (const { assetPair, bound } of candidates) {
    if (compared === maxCompared || (best !== undefined && bound <= Number(best.net))) break
    const crossChainPrice = attempt(() => price(assetPair, best?.net), failures)
    if (crossChainPrice === undefined) continue
    compared += 1
    const net = netOf(crossChainPrice)
    if (best === undefined || net > best.net) best = { crossChainPrice, net }
  }
  return best?.crossChainPrice
}

/** The result of `run`, or `undefined` if it throws an AppError, which is added to `failures`. */
export function attempt<Value>(run: () => Value, failures: AppError[]): Value | undefined {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    failures.push(error)
    return undefined
  }
}

/** Failures that a user can fix come before those that only the operator can fix. */
const usefulCodes: readonly ErrorCode[] = [
  'AMOUNT_TOO_LOW',
  'INSUFFICIENT_LIQUIDITY',
  'SOLVER_CAPACITY_EXCEEDED',
  'NO_SWAP_ROUTES_FOUND',
  'PRICE_FETCH_FAILED',
]

/**
 * The first failure in the order of `usefulCodes`. Among failures of one code, the one whose amount is easiest to meet.
 */
export function mostUsefulFailure(failures: readonly AppError[]): AppError | undefined {
  const rank = ({ code }: AppError) => {
    const index = usefulCodes.indexOf(code)
    return index < 0 ? usefulCodes.length : index
  }
  const [best] = withoutShallower(failures)
    .map((failure) => ({ failure, demand: demandOf(failure) }))
    .sort(
      (one, other) => rank(one.failure) - rank(other.failure) || compare(one.demand, other.demand),
    )
  return best && explained(best.failure)
}

/**
 * Keeps only one `NoOutputError`: the one with the largest output of a single path. Thanks to the bounds, most of the
 * others need not compute theirs.
 */
function withoutShallower(failures: readonly AppError[]): readonly AppError[] {
  const bounded = failures
    .flatMap((failure) =>
      failure instanceof NoOutputError ? [{ failure, bound: failure.singlePathBound() }] : [],
    )
    .sort((one, other) => other.bound - one.bound)
  let deepest: Readonly<{ failure: NoOutputError; output: number }> | undefined
  for (const { failure, bound } of bounded) {
    if (deepest !== undefined && bound <= deepest.output) break
    const output = failure.maxSinglePathOutput()
    if (deepest === undefined || output > deepest.output) deepest = { failure, output }
  }
  return failures.filter(
    (failure) => !(failure instanceof NoOutputError) || failure === deepest?.failure,
  )
}

/**
 * A key to sort failures of one code: a smaller minimum or a larger maximum amount comes first, a failure without an
 * amount last. The amounts are in the currency of the order's amount. Only some legs without a route give another
 * currency; their order does not matter.
 */
function demandOf(failure: AppError): bigint {
  const { minAmount, maxAmount } = failure.data ?? {}
  if (typeof minAmount === 'string') return BigInt(minAmount)
  if (typeof maxAmount === 'string') return -BigInt(maxAmount)
  return 2n ** 256n
}

const compare = (one: bigint, other: bigint): number => Number(one > other) - Number(one < other)
