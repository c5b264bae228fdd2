import type { ChainId } from '#src/core/units/chainId.ts'
import type { LatestMarkets } from '#src/market/markets.ts'

/**
 * The time of day for chains whose clocks a test moves, in milliseconds. It advances by `now` from the newest block of
 * each chain. A chain that is no longer followed becomes stale, unless `now` is constant.
 */
export function createChainClock(
  market: () => LatestMarkets | undefined,
  now: () => number,
): (chainId: ChainId) => number {
  const newest = new Map<ChainId, Readonly<{ timestamp: bigint; seenAt: number }>>()
  return (chainId) => {
    const { timestamp = 0n } = market()?.latest(chainId)?.block ?? {}
    const known = newest.get(chainId)
    const current = known?.timestamp === timestamp ? known : { timestamp, seenAt: now() }
    newest.set(chainId, current)
    return Number(current.timestamp) * 1000 + now() - current.seenAt
  }
}
