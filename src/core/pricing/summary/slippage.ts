import { spotPrice } from '#src/core/pools/pool.ts'
import type { LegSwap } from '#src/core/pricing/leg/leg.ts'
import type { Slippage } from '#src/core/pricing/price.ts'
import type { Path, Route } from '#src/core/router/route.ts'
import type { Amount } from '#src/core/units/amount.ts'
import { divNearest } from '#src/core/units/arithmetic.ts'
import { type Bps, shareDown, toBps, wholeBps } from '#src/core/units/bps.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { type UsdPrice, usdValueDown } from '#src/core/units/usd.ts'

/** For a relay between two chains: gas and prices change until the deposit is confirmed. */
const crossChainPriceBps = 50n
/** For a swap: usual price changes by other trades in the next blocks. */
const swapBps = 50n
/** For each hop after the first in the longest path of a leg. */
const hopBps = 10n
/** A higher tolerance invites front-running. A caller that needs it sets `slippageTolerance`. */
const maxBps = 500n

/**
 * The tolerance of an order that sets none; it depends on the legs alone. 50 bps for a cross-chain price; for each leg
 * with a swap 50 bps, 10 bps for each hop after the first in its longest path, and a quarter of its price impact
 * (shallow pools move more by other trades too). At most 500 bps.
 */
export function automaticSlippage(legs: readonly LegSwap[], isCrossChain: boolean): Bps {
  const sum = legs.reduce(
    (bps, { route }) => (route === undefined ? bps : bps + routeSlippage(route)),
    isCrossChain ? crossChainPriceBps : 0n,
  )
  return toBps(sum < maxBps ? sum : maxBps)
}

function routeSlippage(route: Route): bigint {
  const longest = Math.max(...route.paths.map((path) => path.hops.length))
  return swapBps + hopBps * BigInt(longest - 1) + priceImpact(route) / 4n
}

/** Shortfall of a route against the spot prices of its pools, with pool fees, in bps, rounded down. */
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

/** The shortfall of `amount` that `bps` allow, rounded down. */
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
    percentHundredths: amount === 0n ? 0n : divNearest(value * wholeBps, amount),
  }
}
