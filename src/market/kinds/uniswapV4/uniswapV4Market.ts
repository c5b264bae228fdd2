import { getAbiItem, type Hex, toEventSelector } from 'viem'
import { z } from 'zod'
import { liquidityAt, ticksOf, toTickMap } from '#src/core/pools/concentrated/tickMap.ts'
import { toManagedPoolId } from '#src/core/pools/poolKind.ts'
import {
  applyUniswapV4Event,
  type UniswapV4Event,
  type UniswapV4Pool,
} from '#src/core/pools/uniswapV4/uniswapV4.ts'
import { toPips } from '#src/core/units/pips.ts'
import {
  applyPrice,
  encodePrice,
  price,
} from '#src/market/kinds/concentrated/concentratedReplica.ts'
import { tickFields } from '#src/market/kinds/concentrated/readTicks.ts'
import { type Decoder, eventsOf, fieldsOf, toSigned } from '#src/market/kinds/logWords.ts'
import type { MarketKind, PoolLog, ReplicaKind } from '#src/market/kinds/marketKind.ts'
import { address, managedPoolId, poolFields } from '#src/market/kinds/wireValues.ts'
import { read } from '#src/market/reads/readAll.ts'
import { poolManagerAbi } from '#src/protocol/contracts/abis.ts'
import {
  type FoundPool,
  type Managed,
  poolsOfPair,
  readManagerOf,
  readUniswapV4,
  readUniswapV4Depth,
  selectedPools,
  stateSlotOf,
} from './readUniswapV4.ts'

const pips = z.number().transform(toPips)
const state = { ...price, protocolFees: z.object({ zeroForOne: pips, oneForZero: pips }) }

const whole = z.object({
  kind: z.literal('uniswapV4'),
  ...poolFields,
  id: managedPoolId,
  hasNative: z.literal(true).exactOptional(),
  tickSpacing: z.int(),
  ...state,
})
const change = z.object({ kind: z.literal('managed'), address, id: managedPoolId, ...state })

type Whole = z.output<typeof whole>
type Change = z.output<typeof change>

/** Replica format of Uniswap v4 pools: that of concentrated pools, with the protocol fees. */
const uniswapV4Replica: ReplicaKind<UniswapV4Pool, Whole, Change> = {
  whole,
  change,
  changeKind: 'managed',
  isSame: (one, other) =>
    one.tickSpacing === other.tickSpacing && one.hasNative === other.hasNative,
  encodeWhole: ({ chainId: _, ...pool }) => ({ ...pool, ticks: ticksOf(pool.ticks) }),
  encodeChange: (pool, before) => ({
    ...encodePrice(pool, before),
    protocolFees: pool.protocolFees,
  }),
  decodeWhole: (pool) => ({ ...pool, ticks: toTickMap(pool.ticks, pool.tickSpacing) }),
  apply: (before, change) => ({
    ...applyPrice(before, change),
    protocolFees: change.protocolFees,
  }),
}

const topicOf = (name: UniswapV4Event['eventName'] | 'Initialize' | 'Donate'): Hex =>
  toEventSelector(getAbiItem({ abi: poolManagerAbi, name }))

const [initializeTopic, swapTopic, donateTopic] = [
  topicOf('Initialize'),
  topicOf('Swap'),
  topicOf('Donate'),
]

/** The decoders of the events that change the state of a pool, by topic. */
const uniswapV4Decoders: ReadonlyMap<Hex, Decoder<UniswapV4Event>> = new Map<
  Hex,
  Decoder<UniswapV4Event>
>([
  [swapTopic, decodeSwap],
  [topicOf('ModifyLiquidity'), decodeModifyLiquidity],
  [topicOf('ProtocolFeeUpdated'), decodeProtocolFeeUpdated],
])

function decodeSwap(log: PoolLog): UniswapV4Event {
  const [, , sqrtPriceX96, liquidity, tick] = fieldsOf(log, 6, 2)
  return { eventName: 'Swap', args: { sqrtPriceX96, liquidity, tick: toSigned(tick) } }
}

function decodeModifyLiquidity(log: PoolLog): UniswapV4Event {
  const [tickLower, tickUpper, delta] = fieldsOf(log, 4, 2)
  const liquidityDelta = BigInt.asIntN(256, delta)
  return {
    eventName: 'ModifyLiquidity',
    args: { tickLower: toSigned(tickLower), tickUpper: toSigned(tickUpper), liquidityDelta },
  }
}

function decodeProtocolFeeUpdated(log: PoolLog): UniswapV4Event {
  const [protocolFee] = fieldsOf(log, 1, 1)
  return { eventName: 'ProtocolFeeUpdated', args: { protocolFee: toSigned(protocolFee) } }
}

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

  replica: uniswapV4Replica,
}
