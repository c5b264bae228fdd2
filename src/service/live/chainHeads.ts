import type { ChainId } from '#src/core/units/chainId.ts'
import type { LatestMarkets } from '#src/market/markets.ts'
import type { Items } from '#src/requests/events/readerQueue.ts'
import { type HeadOfChain, headOf } from '#src/service/chains.ts'
import { createLiveTopic, type LiveTopic, ShutdownError } from './liveTopic.ts'

type Deps = Readonly<{
  market: LatestMarkets
  /** Ends all subscriptions with SERVICE_UNAVAILABLE. */
  ending: AbortSignal
}>

/** Follows the heads of chains. */
export function createChainHeads({ market, ending }: Deps) {
  const topics = new Map<ChainId, LiveTopic<HeadOfChain>>()

  const refresh = (chainId: ChainId): void => {
    const latest = market.latest(chainId)
    if (latest !== undefined) topics.get(chainId)?.publish({ ...headOf(latest), chainId })
  }

  const createTopic = (chainId: ChainId): LiveTopic<HeadOfChain> => {
    const onEmpty = () => topics.delete(chainId)
    const topic = createLiveTopic<HeadOfChain>({ onEmpty }, isHeadNews)
    topics.set(chainId, topic)
    refresh(chainId)
    return topic
  }

  const leave = market.listen(refresh)
  ending.addEventListener('abort', () => {
    leave()
    for (const topic of [...topics.values()]) topic.fail(new ShutdownError())
  })

  /** Yields the newest head as soon as there is one, then each newer one. */
  return (chainId: ChainId): Items<HeadOfChain> =>
    (topics.get(chainId) ?? createTopic(chainId)).join()
}

/** The head is published again if the refresh of a block changes its pools. */
const isHeadNews = (last: HeadOfChain, head: HeadOfChain): boolean =>
  (Object.keys(head) as (keyof HeadOfChain)[]).some((key) => last[key] !== head[key])
