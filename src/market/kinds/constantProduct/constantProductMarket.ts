import { getAbiItem, type Hex, parseAbi, toEventSelector } from 'viem'
import { z } from 'zod'
import {
  applyConstantProductEvent,
  type ConstantProductEvent,
  type ConstantProductPool,
  depthOfReserves,
} from '#src/core/pools/constantProduct/constantProduct.ts'
import type { Address } from '#src/core/units/address.ts'
import type { Pips } from '#src/core/units/pips.ts'
import {
  addressAt,
  addressIn,
  type Decoder,
  decodeEach,
  eventsOf,
  fieldsOf,
} from '#src/market/kinds/logWords.ts'
import type { FactoryOf, Found, MarketKind, ReplicaKind } from '#src/market/kinds/marketKind.ts'
import { address, integer, poolFields } from '#src/market/kinds/wireValues.ts'
import { read } from '#src/market/reads/readAll.ts'
import { reading } from '#src/market/reads/reading.ts'
import { uniswapV2FactoryAbi, uniswapV2PairAbi } from '#src/protocol/contracts/abis.ts'

const reserves = { reserve0: integer, reserve1: integer }
const whole = z.object({ kind: z.literal('constantProduct'), ...poolFields, ...reserves })
const change = z.object({ kind: z.literal('reserves'), address, ...reserves })

type Whole = z.output<typeof whole>
type Change = z.output<typeof change>

/** Replica format of pairs. A change has the reserves. */
const constantProductReplica: ReplicaKind<ConstantProductPool, Whole, Change> = {
  whole,
  change,
  changeKind: 'reserves',
  isSame: () => true,
  encodeWhole: ({ chainId: _, ...pool }) => pool,
  encodeChange: ({ reserve0, reserve1 }) => ({ reserve0, reserve1 }),
  decodeWhole: (pool) => pool,
  apply: (before, { reserve0, reserve1 }) => ({ ...before, reserve0, reserve1 }),
}

const kind = 'constantProduct'

/** The fee comes from the configuration of the factory, because a pair has no function that returns it. */
type FoundPair = Found<typeof kind> & Readonly<{ fee: Pips }>

const syncTopic = toEventSelector(getAbiItem({ abi: uniswapV2PairAbi, name: 'Sync' }))

/** The decoders of the events that change the state of a pair, by topic. */
export const constantProductDecoders: ReadonlyMap<Hex, Decoder<ConstantProductEvent>> = new Map([
  [
    syncTopic,
    (log) => {
      const [reserve0, reserve1] = fieldsOf(log, 2, 0)
      return { eventName: 'Sync', args: { reserve0, reserve1 } }
    },
  ],
])

/** @source Uniswap v2-core 1.0.1 IUniswapV2Pair */
const otherAbi = parseAbi([
  'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
  'event Mint(address indexed sender, uint256 amount0, uint256 amount1)',
  'event Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
])

const readReserves = (address: Address) => read(address, uniswapV2PairAbi, 'getReserves', [])

const readPair = (factory: Address, currency0: Address, currency1: Address) =>
  read(factory, uniswapV2FactoryAbi, 'getPair', [currency0, currency1])

/** Pairs of Uniswap v2 and its forks. */
export const constantProductMarket: MarketKind<
  ConstantProductPool,
  FactoryOf<typeof kind>,
  FoundPair,
  Whole,
  Change
> = {
  creationTopic: toEventSelector(getAbiItem({ abi: uniswapV2FactoryAbi, name: 'PairCreated' })),
  parseCreations: ({ source, fee, factory }, logs) =>
    decodeEach(logs, (log) => {
      fieldsOf(log, 2, 2)
      const address = addressAt(log.data, 0)
      const [currency0, currency1] = [addressIn(log, 1), addressIn(log, 2)]
      return {
        pool: { kind, source, address, currency0, currency1, fee },
        readAddress: () => readPair(factory, currency0, currency1),
      }
    }),
  candidates: ({ source, fee, factory }, currency0, currency1) => [
    {
      readAddress: readPair(factory, currency0, currency1),
      toPool: (address) => ({ kind, address, source, currency0, currency1, fee }),
    },
  ],
  checkFactory: ({ factory }) => ({
    call: 'allPairsLength',
    expected: 'a count of pairs',
    reads: [read(factory, uniswapV2FactoryAbi, 'allPairsLength', [])],
    judge: ([count]) => count !== undefined,
  }),

  readState: (pair, { chainId }) =>
    reading(
      { reserves: readReserves(pair.address) },
      ({ reserves }) =>
        reserves && { ...pair, chainId, reserve0: reserves[0], reserve1: reserves[1] },
    ),
  ownCalls: 0,

  events: eventsOf(constantProductDecoders, applyConstantProductEvent),
  isConsistent: () => true,
  priceTopics: new Set([syncTopic]),
  otherTopics: new Set(otherAbi.map(toEventSelector)),

  fields: ({ reserve0, reserve1 }) =>
    new Map([
      ['reserve0', `${reserve0}`],
      ['reserve1', `${reserve1}`],
    ]),
  price: ({ reserve0, reserve1 }) => `${reserve0}/${reserve1}`,

  depthCalls: () => 1,
  readDepth: ({ address }) =>
    reading({ reserves: readReserves(address) }, ({ reserves }) =>
      depthOfReserves({ reserve0: reserves?.[0] ?? 0n, reserve1: reserves?.[1] ?? 0n }),
    ),

  replica: constantProductReplica,
}
