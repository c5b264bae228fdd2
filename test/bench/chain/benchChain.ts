import type { ChainInput } from '#src/config/chain.ts'
import { toAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { feedAnswers } from '#test/support/simulatedNode/feedAnswers.ts'
import { manyPools, v2Factory, v3Factory } from '#test/support/simulatedNode/manyPools.ts'
import type { SimulatedState } from '#test/support/simulatedNode/simulatedState.ts'

export type Setting = Readonly<{
  pairs: number
  concentrated: number
  blockMs: number
  latencyMs: number
  /** Requests in a second that the endpoint takes; absent: any number. */
  requestsPerSecond?: number
  /** Pools that a block changes. */
  changes: number
}>

export const chainId = toChainId(990_103)

const aggregator = toAddress(`0x${'feed'.padStart(40, '0')}`)

/** Pools between tokens that are worth a dollar each. Pools have 18 ticks. The first token has a feed, whose round is new. */
export const stateOf = ({ pairs, concentrated }: Setting): SimulatedState => ({
  ...manyPools(chainId, { pairs, concentrated, ticksPerPool: 18 }),
  answers: new Map([[aggregator, feedAnswers(10n ** 8n, BigInt(Math.floor(Date.now() / 1000)))]]),
})

/** The gateway's configuration of the chain: both factories with all their pools, and the feed. */
export const configOf = (
  { tokens }: SimulatedState,
  { blockMs }: Setting,
  wsUrl: string,
): Partial<ChainInput> => {
  const [fed = ''] = tokens.keys()
  return {
    wsUrl,
    blockSeconds: blockMs / 1000,
    priceFeeds: [{ currency: fed, aggregator, maxAgeSeconds: 86_400 }],
    factories: [
      { kind: 'constantProduct', source: 'v2', factory: v2Factory },
      { kind: 'concentrated', source: 'v3', factory: v3Factory },
    ],
  }
}
