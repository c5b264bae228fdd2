import { liquidityAt } from '#src/core/pools/concentrated/tickMap.ts'
import { toManagedPoolId } from '#src/core/pools/poolIdentity.ts'
import { applyUniswapV4Event, type UniswapV4Pool } from '#src/core/pools/uniswapV4/uniswapV4Pool.ts'
import { tickFields } from '#src/market/kinds/concentrated/tickFields.ts'
import { eventsOf } from '#src/market/kinds/logWords.ts'
import type { MarketKind } from '#src/market/kinds/marketKind.ts'
import { read } from '#src/market/reads/readAll.ts'
import { poolManagerAbi } from '#src/protocol/contracts/abis.ts'
import {
  type FoundPool,
  type Managed,
  poolsOfPair,
  selectedPools,
  stateSlotOf,
} from './managedPools.ts'
import { readManagerOf, readUniswapV4, readUniswapV4Depth } from './readUniswapV4.ts'
import { donateTopic, initializeTopic, swapTopic, uniswapV4Decoders } from './uniswapV4Decoders.ts'
import { type Change, uniswapV4Feed, type Whole } from './uniswapV4Feed.ts'

const noPool = toManagedPoolId(`0x${'0'.repeat(64)}`)

/**
 * Pools of Uniswap v4's manager, without hooks and with static fees. Their ids follow from the configured pairs and
 * tiers. The manager is asked for each id, and creation logs with other ids are ignored.
 */
export const uniswapV4Market: MarketKind<UniswapV4Pool, Managed, FoundPool, Whole, Change> = {
  creationTopic: initializeTopic,
  parseCreations(manager, logs) {
    const wanted = selectedPools(manager)
    return logs
      .flatMap(({ topics: [, id = '0x'] }) => wanted.get(id) ?? [])
      .map((pool) => ({ pool, readAddress: () => readManagerOf(pool) }))
  },
  candidates: (manager, currency0, currency1) =>
    poolsOfPair(manager, currency0, currency1).map((pool) => ({
      readAddress: readManagerOf(pool),
      toPool: () => pool,
    })),
  checkFactory: ({ factory }) => ({
    call: 'extsload',
    expected: 'a word of storage',
    reads: [read(factory, poolManagerAbi, 'extsload', [stateSlotOf(noPool), 1n])],
    judge: ([words]) => Array.isArray(words) && words.length === 1,
  }),

  readState: readUniswapV4,
  ownCalls: 1,

  events: eventsOf(uniswapV4Decoders, applyUniswapV4Event),
  isManaged: true,
  // A Swap event reports the liquidity in range, which must equal the sum over the ticks.
  isConsistent: ({ ticks, tick, liquidity }) => liquidity === liquidityAt(ticks, tick),
  priceTopics: new Set([swapTopic]),
  otherTopics: new Set([initializeTopic, donateTopic]),

  fields: (pool) => {
    const { zeroForOne, oneForZero } = pool.protocolFees
    return new Map([...tickFields(pool), ['protocolFees', `${zeroForOne}/${oneForZero}`]])
  },
  price: ({ sqrtPriceX96 }) => `${sqrtPriceX96}`,

  depthCalls: () => 1,
  readDepth: readUniswapV4Depth,

  feed: uniswapV4Feed,
}
