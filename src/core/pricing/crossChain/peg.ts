import { AppError } from '#src/core/errors.ts'
import { requireUsdQuoted, usdQuoted } from '#src/core/pricing/conversion.ts'
import type { Asset, ChainMarket } from '#src/core/pricing/market.ts'
import { type Bps, wholeBps } from '#src/core/units/bps.ts'
import type { UsdPrice } from '#src/core/units/usd.ts'

/** Whether two prices of an asset differ by at most `tolerance` of the higher one. */
export function areEqualPrices(one: UsdPrice, other: UsdPrice, tolerance: Bps): boolean {
  const [low, high] = one < other ? [one, other] : [other, one]
  return (high - low) * wholeBps <= tolerance * high
}

/**
 * Whether the solver may take an asset on one chain and pay it out on another one.
 * - `holds`: its prices on the two chains agree. One chain always agrees with itself.
 * - `broken`: they do not. The currency of one chain may have failed.
 * - `unpriced`: it has no current price on one of the chains.
 * - `stopped`: an operator has to resume it on one of the chains.
 */
export function pegOf(
  asset: Asset,
  one: ChainMarket,
  other: ChainMarket,
): 'holds' | 'broken' | 'unpriced' | 'stopped' {
  if (isStopped(asset, one) || isStopped(asset, other)) return 'stopped'
  if (one.chain.id === other.chain.id) return 'holds'
  const [first, second] = [one, other].map((market) => {
    const currency = asset.currencies.get(market.chain.id)
    return currency && usdQuoted(market, currency)?.price
  })
  if (first === undefined || second === undefined) return 'unpriced'
  return areEqualPrices(first, second, asset.pegTolerance) ? 'holds' : 'broken'
}

const isStopped = ({ symbol }: Asset, { stoppedAssets }: ChainMarket): boolean =>
  stoppedAssets.has(symbol)

/** @throws AppError SERVICE_UNAVAILABLE or PRICE_FETCH_FAILED unless the asset's peg holds between the two chains. */
export function requirePeg(asset: Asset, one: ChainMarket, other: ChainMarket): void {
  const peg = pegOf(asset, one, other)
  if (peg === 'holds') return
  if (peg === 'unpriced')
    for (const market of [one, other]) {
      const currency = asset.currencies.get(market.chain.id)
      if (currency !== undefined) requireUsdQuoted(market, currency)
    }
  throw new PegError(asset, one, other, peg === 'stopped')
}

class PegError extends AppError {
  constructor({ symbol }: Asset, one: ChainMarket, other: ChainMarket, isStopped: boolean) {
    const chainIds = [one.chain.id, other.chain.id]
    const reason = isStopped
      ? `the operator has to resume it first`
      : `its price feeds on the two chains disagree`
    super(
      'SERVICE_UNAVAILABLE',
      `${symbol} is not bridged between chains ${chainIds.join(' and ')}: ${reason}.`,
      { asset: symbol, chainIds, peg: isStopped ? 'stopped' : 'broken' },
    )
  }
}
