import { numberToHex } from 'viem'
import type { ChainInput } from '#src/config/chain.ts'
import { toTickMap } from '#src/core/pools/concentrated/tickMap.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { toPips } from '#src/core/units/pips.ts'
import { feedAnswers } from './feedAnswers.ts'
import { v2Factory, v3Factory } from './manyPools.ts'
import {
  emptyState,
  type SimulatedPool,
  type SimulatedState,
  type SimulatedToken,
} from './simulatedState.ts'

const addressOf = (kind: number, at: number): Address =>
  toAddress(numberToHex((BigInt(kind) << 64n) + BigInt(at) + 1n, { size: 20 }))

/** The token in the middle of the star, worth one dollar. Only this token has a feed. */
export const hub = addressOf(0x10, 0)
/** The token on the other side of a pool of `hub`. */
export const leaf = (at: number): Address => addressOf(0x11, at)
/** The aggregator of its price. */
const feed = addressOf(0x12, 0)

const hubFeed = { currency: hub, aggregator: feed, maxAgeSeconds: 86_400 }

/** Factories without pairs. Pools below this depth are not followed. */
export const wholeFactories = (changes: Partial<ChainInput> = {}): Partial<ChainInput> => ({
  factories: [
    { kind: 'constantProduct', source: 'v2', factory: v2Factory },
    { kind: 'concentrated', source: 'v3', factory: v3Factory },
  ],
  priceFeeds: [hubFeed],
  ...changes,
})

const unit = 10n ** 18n

/** A pool of `hub` and `leaf(at)` with this number of dollars on each side. Its depth is 29 % of one side. */
export const pairOf = (chainId: ChainId, at: number, dollars: bigint): SimulatedPool => ({
  factory: v2Factory,
  blockTimestampLast: 1_700_000_000,
  pool: {
    kind: 'constantProduct',
    chainId,
    address: addressOf(0x13, at),
    source: 'v2',
    currency0: hub,
    currency1: leaf(at),
    fee: toPips(3_000),
    reserve0: dollars * unit,
    reserve1: dollars * unit,
  },
})

/** A pair of two leaves, the lower one first. Its reserves have no price. */
export const leafPairOf = (
  chainId: ChainId,
  [one, other]: readonly [number, number],
  reserve: bigint,
): SimulatedPool => ({
  factory: v2Factory,
  blockTimestampLast: 1_700_000_000,
  pool: {
    kind: 'constantProduct',
    chainId,
    address: addressOf(0x14, one),
    source: 'v2',
    currency0: leaf(one),
    currency1: leaf(other),
    fee: toPips(3_000),
    reserve0: reserve * unit,
    reserve1: reserve * unit,
  },
})

const tickSpacing = 60

/** A concentrated pool of `hub` and `leaf(at)` with this liquidity in range. `starState` has its balances. */
export function concentratedOf(chainId: ChainId, at: number): SimulatedPool {
  const liquidity = 10n ** 24n
  const ticks = [
    { index: -tickSpacing, liquidityNet: liquidity, liquidityGross: liquidity },
    { index: tickSpacing, liquidityNet: -liquidity, liquidityGross: liquidity },
  ]
  return {
    factory: v3Factory,
    slot: [0, 1, 1, 0, true],
    pool: {
      kind: 'concentrated',
      chainId,
      address: addressOf(0x15, at),
      source: 'v3',
      currency0: hub,
      currency1: leaf(at),
      fee: toPips(3_000),
      tickSpacing,
      sqrtPriceX96: 2n ** 96n,
      tick: 0,
      liquidity,
      ticks: toTickMap(ticks, tickSpacing),
    },
  }
}

/** Tokens and the feed, with no pools yet. @param held dollars of `hub` that concentrated pools hold */
export function starState(
  leaves: number,
  held: ReadonlyMap<Address, bigint> = new Map(),
): SimulatedState {
  const token = (symbol: string, balances: SimulatedToken['balances'] = new Map()) => ({
    symbol,
    name: `Token ${symbol}`,
    decimals: 18,
    hasBytes32Texts: false,
    balances,
  })
  const balances = new Map([...held].map(([pool, dollars]) => [pool, dollars * unit]))
  const tokens = new Map([
    [hub, token('HUB', balances)],
    ...Array.from({ length: leaves }, (_, at) => [leaf(at), token(`L${at}`)] as const),
  ])
  return { ...emptyState, tokens, answers: new Map([[feed, feedAnswers(10n ** 8n)]]) }
}
