import { areEqualPrices } from '#src/core/pricing/crossChain/peg.ts'
import type { Asset, ChainMarket } from '#src/core/pricing/market.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { formatUsd, toUsd, type UsdPrice } from '#src/core/units/usd.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { currentMarket } from '#src/solver/chainView.ts'
import type { OwnChain, Runtime, SolverLimits, SolverMarket } from '#src/solver/ports.ts'

type Ports = Runtime & Readonly<{ store: RequestStore; market: SolverMarket }>

/** The price of an asset by its feed on a chain. */
type Quoted = Readonly<{ chainId: ChainId; price: UsdPrice }>

/**
 * Stops an asset on the chain once its price feed has disagreed with those of more than half of the other chains for
 * `pegStopSeconds`. With two chains, both stop. Only feeds count, because anybody can move a pool, and only current
 * ones: an outage stops nothing.
 */
export function createPegWatch(
  { store, log, market, now }: Ports,
  { chain: { id: chainId } }: OwnChain,
  { pegStopSeconds }: SolverLimits,
): Readonly<{ check: () => Promise<void> }> {
  /** Chain time since which an asset disagrees, by its symbol. */
  const since = new Map<string, bigint>()

  /** Undefined while the chain has no current market. */
  const freshMarket = (id: ChainId): ChainMarket | undefined =>
    currentMarket(market, [id])?.chains.get(id)

  async function checkAsset(asset: Asset, own: ChainMarket): Promise<void> {
    const { symbol, currencies, pegTolerance } = asset
    const price = feedPrice(asset, own)
    const others = [...currencies.keys()].flatMap((id): readonly Quoted[] => {
      const other = id === chainId ? undefined : freshMarket(id)
      const quoted = other && feedPrice(asset, other)
      return quoted === undefined ? [] : [{ chainId: id, price: quoted }]
    })
    const different = others.filter(
      (each) => price !== undefined && !areEqualPrices(price, each.price, pegTolerance),
    )
    const [first] = different
    if (price === undefined || first === undefined || 2 * different.length <= others.length) {
      since.delete(symbol)
      return
    }
    const { timestamp } = own.block
    const start = since.get(symbol) ?? timestamp
    since.set(symbol, start)
    if (timestamp - start < pegStopSeconds) return
    const reason = `${dollars(price)} by its feed, and ${dollars(first.price)} on chain ${first.chainId}`
    const isNew = await store.stopAsset({ chainId, asset: symbol, stoppedAt: now(), reason })
    since.delete(symbol)
    if (isNew)
      log.error(
        { chainId, asset: symbol, reason },
        'Stopped an asset on this chain until an operator resumes it',
      )
  }

  return {
    async check() {
      const own = freshMarket(chainId)
      if (own === undefined) return since.clear()
      for (const asset of market.snapshot([chainId]).assets)
        if (asset.currencies.has(chainId) && !own.stoppedAssets.has(asset.symbol))
          await checkAsset(asset, own)
    },
  }
}

function feedPrice({ currencies }: Asset, { chain, feedPrices }: ChainMarket) {
  const currency = currencies.get(chain.id)
  return currency && feedPrices.get(currency.address)
}

const dollars = (price: UsdPrice): string => `$${formatUsd(toUsd(price / 10n ** 12n))}`
