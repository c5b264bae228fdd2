import { spotPrice } from '#src/pools/spotPrice.ts'
import type { LegSwap } from '#src/pricing/leg/leg.ts'
import type { Slippage } from '#src/pricing/price.ts'
import type { Path, Route } from '#src/pricing/router/route.ts'
import type { Amount } from '#src/units/amount.ts'
import { type Bps, shareDown, toBps, wholeBps } from '#src/units/bps.ts'
import type { Currency } from '#src/units/currency.ts'
import { type UsdPrice, usdValueDown } from '#src/units/usd.ts'

/** For the relay between two chains: gas and prices move while the deposit is on its way. */
const crossingBps = 50n
/** For a swap: what other trades of the next blocks usually do to a pool. */
const swapBps = 50n
/** For each further hop of a leg's longest path. */
const hopBps = 10n
/** More than this invites front-running: who needs more says so in `slippageTolerance`. */
const mostBps = 500n

/**
 * The tolerance when the order names none, a function of the legs alone: 50 bps for a crossing, and
 * for each leg that swaps 50 bps, 10 for each hop after the first of its longest path, and a quarter
 * of its price impact (a swap that moves a pool far is moved as far by others); 500 at the most.
 */
export function automaticSlippage(legs: readonly LegSwap[], crosses: boolean): Bps {
  const sum = legs.reduce(
    (bps, { route }) => (route === undefined ? bps : bps + routeSlippage(route)),
    crosses ? crossingBps : 0n,
  )
  return toBps(sum < mostBps ? sum : mostBps)
}

function routeSlippage(route: Route): bigint {
  const longest = Math.max(...route.paths.map((path) => path.hops.length))
  return swapBps + hopBps * BigInt(longest - 1) + priceImpact(route) / 4n
}

/** What a route gives less than its pools' spot prices would, pool fees included, in bps, rounded down. */
function priceImpact(route: Route): bigint {
  const atSpot = route.paths.reduce((sum, path) => sum + pathAtSpot(path), 0n)
  if (atSpot <= route.amountOut) return 0n
  return ((atSpot - route.amountOut) * wholeBps) / atSpot
}

function pathAtSpot(path: Path): bigint {
  const spot = { numerator: path.amountIn as bigint, denominator: 1n }
  for (const { pool, zeroForOne } of path.hops) {
    const price = spotPrice(pool, zeroForOne)
    if (price === undefined) return path.amountOut
    spot.numerator *= price.numerator
    spot.denominator *= price.denominator
  }
  return spot.numerator / spot.denominator
}

/** What `bps` allow `amount` of a currency to fall short by, rounded down. */
export function slippageOf(
  amount: Amount,
  bps: Bps,
  currency: Currency,
  price: UsdPrice | undefined,
): Slippage {
  const value = shareDown(amount, bps)
  return {
    value,
    usd: price && usdValueDown(value, currency.decimals, price),
    percentHundredths: amount === 0n ? 0n : (value * wholeBps) / amount,
  }
}
