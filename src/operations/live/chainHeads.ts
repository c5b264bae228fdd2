import type { MarketFeed } from '#src/market/createMarket.ts'
import type { ChainHead } from '#src/operations/chainSummary.ts'
import type { ChainMarket } from '#src/pricing/market.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { createLiveTopic, type LiveTopic, ShutdownError } from './liveTopic.ts'

type Deps = Readonly<{
  market: Pick<MarketFeed, 'latest' | 'listen'>
  /** Ends all subscriptions with SERVICE_UNAVAILABLE. */
  ending: AbortSignal
}>

/** Follows the heads of chains. */
export function createChainHeads({ market, ending }: Deps) {
  const topics = new Map<ChainId, LiveTopic<ChainHead>>()

  const refresh = (chainId: ChainId): void => {
    const latest = market.latest(chainId)
    if (latest !== undefined) topics.get(chainId)?.publish(headOf(latest))
  }

  const createTopic = (chainId: ChainId): LiveTopic<ChainHead> => {
    const topic = createLiveTopic<ChainHead>({ onEmpty: () => topics.delete(chainId) }, isHeadNews)
    topics.set(chainId, topic)
    refresh(chainId)
    return topic
  }

  const leave = market.listen(refresh)
  ending.addEventListener('abort', () => {
    leave()
    for (const topic of [...topics.values()]) topic.fail(new ShutdownError())
  })

  /** Yields the newest head at once, or as soon as there is one, and then each newer one. */
  return (chainId: ChainId): AsyncIterableIterator<ChainHead> =>
    (topics.get(chainId) ?? createTopic(chainId)).join()
}

export const headOf = ({ block, gas, graph }: ChainMarket): ChainHead => ({
  ...block,
  baseFeePerGas: gas.baseFeePerGas,
  priorityFeePerGas: gas.priorityFeePerGas,
  pools: graph.pools.length,
})

/** The head is published again if the refresh of a block changes its pools. */
const isHeadNews = (last: ChainHead, head: ChainHead): boolean =>
  (Object.keys(head) as (keyof ChainHead)[]).some((key) => last[key] !== head[key])
