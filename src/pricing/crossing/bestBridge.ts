import { AppError, type ErrorCode } from '#src/errors.ts'

/** A bridge that an order may take, and what no crossing of it exceeds. */
export type Candidate<Bridge> = Readonly<{ bridge: Bridge; bound: number }>

/**
 * The crossing with the highest net result. Those that could not win by their bound are not tried; what is in the
 * way of others joins `failures`. `undefined` where none works.
 */
export function bestCrossing<Bridge, Crossing, Net extends number | bigint>(
  candidates: readonly Candidate<Bridge>[],
  {
    cross,
    netOf,
    failures,
    most = candidates.length,
  }: Readonly<{
    cross: (bridge: Bridge) => Crossing
    netOf: (crossing: Crossing) => Net
    failures: AppError[]
    /** So many that work are compared at the most. */
    most?: number
  }>,
): Crossing | undefined {
  let best: Readonly<{ crossing: Crossing; net: Net }> | undefined
  let compared = 0
  for (const { bridge, bound } of candidates) {
    if (compared === most || (best !== undefined && bound <= Number(best.net))) break
    const crossing = attempt(() => cross(bridge), failures)
    if (crossing === undefined) continue
    compared += 1
    const net = netOf(crossing)
    if (best === undefined || net > best.net) best = { crossing, net }
  }
  return best?.crossing
}

/** What `run` gives, or nothing where it fails as expected. */
export function attempt<Value>(run: () => Value, failures: AppError[]): Value | undefined {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    failures.push(error)
    return undefined
  }
}

/** What a user can act on comes before what only the operator can mend. */
const telling: readonly ErrorCode[] = [
  'AMOUNT_TOO_LOW',
  'INSUFFICIENT_LIQUIDITY',
  'NO_SWAP_ROUTES_FOUND',
  'PRICE_FETCH_FAILED',
]

/** The first in that order; of several alike, the one that asks the least of the user. */
export function mostTelling(failures: readonly AppError[]): AppError | undefined {
  const rank = ({ code }: AppError) => {
    const place = telling.indexOf(code)
    return place < 0 ? telling.length : place
  }
  const [best] = [...failures].sort(
    (one, other) => rank(one) - rank(other) || compare(demandOf(one), demandOf(other)),
  )
  return best
}

/**
 * How far the user would have to go, to compare failures of one code; who does not say comes last. The
 * amounts are in the currency of the order's amount, but for those of some legs without a route, of
 * which one is as telling as another.
 */
function demandOf({ data }: AppError): bigint {
  const { leastAmount, largestAmount } = data ?? {}
  if (typeof leastAmount === 'string') return BigInt(leastAmount)
  if (typeof largestAmount === 'string') return -BigInt(largestAmount)
  return 2n ** 256n
}

const compare = (one: bigint, other: bigint): number => Number(one > other) - Number(one < other)
