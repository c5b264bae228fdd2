import { getAbiItem, type Hex, type Log, parseEventLogs, toEventSelector } from 'viem'
import type { ChainConfig } from '#src/config.ts'
import { uniswapV2FactoryAbi, uniswapV3FactoryAbi } from '#src/contracts/abis.ts'
import { type Address, toAddress } from '#src/units/address.ts'
import type { Pips } from '#src/units/pips.ts'

export type Factory = ChainConfig['factories'][number]

/** A pool of a configured factory, with the fields that never change. */
export type DiscoveredPool = Readonly<{
  address: Address
  /** Name of the swap source, such as "uniswap-v3". */
  source: string
  /** ERC-20 addresses in ascending order. */
  currency0: Address
  currency1: Address
}> &
  (Readonly<{ kind: 'constantProduct'; fee: Pips }> | Readonly<{ kind: 'concentrated' }>)

/** The topic of a factory's event for a new pool, by kind of factory. */
export const poolCreationTopics = {
  constantProduct: toEventSelector(getAbiItem({ abi: uniswapV2FactoryAbi, name: 'PairCreated' })),
  concentrated: toEventSelector(getAbiItem({ abi: uniswapV3FactoryAbi, name: 'PoolCreated' })),
} as const satisfies Record<Factory['kind'], Hex>

/** What a factory's log of a new pool tells. */
export type Creation = Readonly<{
  factory: Factory
  pool: DiscoveredPool
  /** The fee tier of a concentrated pool, by which its factory knows it. */
  feeTier: number | undefined
}>

type CreationLog = Pick<Log, 'address' | 'data'> & Readonly<{ topics: readonly Hex[] }>

/** The pools that `factory` created in these logs, if its configuration selects them. Ignores logs of other contracts. */
export const parsePoolCreations = (
  factory: Factory,
  logs: readonly CreationLog[],
): readonly DiscoveredPool[] => parseCreations(factory, logs).map(({ pool }) => pool)

/** As `parsePoolCreations`, with what the factory can be asked about each pool. */
export function parseCreations(
  factory: Factory,
  logs: readonly CreationLog[],
): readonly Creation[] {
  const own = logs.filter(
    ({ address, topics }) =>
      topics[0] === poolCreationTopics[factory.kind] && address.toLowerCase() === factory.factory,
  ) as Log[]
  return factory.kind === 'constantProduct' ? pairsOf(factory, own) : poolsOf(factory, own)
}

function pairsOf(
  factory: Extract<Factory, { kind: 'constantProduct' }>,
  logs: Log[],
): readonly Creation[] {
  return parseEventLogs({ abi: uniswapV2FactoryAbi, eventName: 'PairCreated', logs })
    .map(
      ({ args: { pair, token0, token1 } }): DiscoveredPool => ({
        kind: factory.kind,
        source: factory.source,
        address: toAddress(pair),
        currency0: toAddress(token0),
        currency1: toAddress(token1),
        fee: factory.fee,
      }),
    )
    .filter((pool) => isSelected(factory, pool))
    .map((pool) => ({ factory, pool, feeTier: undefined }))
}

function poolsOf(
  factory: Extract<Factory, { kind: 'concentrated' }>,
  logs: Log[],
): readonly Creation[] {
  const tiers = new Set<number>(factory.feeTiers)
  return parseEventLogs({ abi: uniswapV3FactoryAbi, eventName: 'PoolCreated', logs })
    .filter(({ args: { fee } }) => factory.pairs.length === 0 || tiers.has(fee))
    .map(
      ({ args: { pool, token0, token1, fee } }): Creation => ({
        factory,
        pool: {
          kind: factory.kind,
          source: factory.source,
          address: toAddress(pool),
          currency0: toAddress(token0),
          currency1: toAddress(token1),
        },
        feeTier: fee,
      }),
    )
    .filter(({ pool }) => isSelected(factory, pool))
}

const isSelected = ({ pairs }: Factory, { currency0, currency1 }: DiscoveredPool): boolean =>
  pairs.length === 0 || pairs.some((pair) => pair.includes(currency0) && pair.includes(currency1))
