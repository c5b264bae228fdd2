import type { ChainMarket } from '#src/core/pricing/market.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { LatestMarkets } from './markets.ts'

/** The markets of the last minutes, a few for each chain. */
export type MarketHistory = Readonly<{
  /**
   * The markets of the chain before its current block, oldest first. Undefined until the chain has been followed for
   * the whole time. Empty if the history is switched off.
   */
  before: (current: ChainMarket) => readonly ChainMarket[] | undefined
}>

/** With the current market that makes seven: more than half of them are four. */
const pastMarkets = 6

/** The present market alone. For devnets and tests. */
export const noHistory: MarketHistory = { before: () => [] }

/**
 * Records markets at equal distances of chain time, so that chains with fast and slow blocks have the same history.
 * The markets share their pools, so each takes little memory.
 * @param seconds Chain time from the oldest market to the newest one. 0: no history.
 */
export function createMarketHistory(
  { listen, latest }: LatestMarkets,
  seconds: number,
): MarketHistory {
  if (seconds === 0) return noHistory
  const gap = seconds / (pastMarkets - 1)
  const recorded = new Map<ChainId, readonly ChainMarket[]>()

  listen((chainId) => {
    const market = latest(chainId)
    if (market === undefined) return
    const known = recorded.get(chainId) ?? []
    const last = known.at(-1)
    if (last !== undefined && secondsBetween(last, market) < gap) return
    // One more than needed: the newest may be the current one.
    recorded.set(chainId, [...known, withoutCaches(market)].slice(-pastMarkets - 1))
  })

  return {
    before: (current) => {
      const past = (recorded.get(current.chain.id) ?? []).filter(
        (each) =>
          each.block.number < current.block.number && secondsBetween(each, current) <= 2 * seconds,
      )
      return past.length < pastMarkets ? undefined : past.slice(-pastMarkets)
    },
  }
}

/** A copy: the router's caches of the market end with the original. */
const withoutCaches = ({ graph, ...market }: ChainMarket): ChainMarket => ({
  ...market,
  graph: { ...graph, reserves: graph.reserves.slice() },
})

const secondsBetween = (one: ChainMarket, other: ChainMarket): number =>
  Number(other.block.timestamp - one.block.timestamp)
