import { getAbiItem, type Hex, parseAbi, toEventSelector } from 'viem'
import { z } from 'zod'
import { depthOfSolidly } from '#src/core/pools/solidly/solidly.ts'
import type { SolidlyPool } from '#src/core/pools/solidly/swapSolidly.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { toPips } from '#src/core/units/pips.ts'
import {
  addressAt,
  addressIn,
  type Decoder,
  decodeEach,
  eventsOf,
  fieldsOf,
  isTrueIn,
} from '#src/market/kinds/logWords.ts'
import type { FactoryOf, Found, MarketKind, ReplicaKind } from '#src/market/kinds/marketKind.ts'
import { address, integer, poolFields } from '#src/market/kinds/wireValues.ts'
import { read } from '#src/market/reads/readAll.ts'
import { reading } from '#src/market/reads/reading.ts'
import { solidlyFactoryAbi, solidlyPoolAbi } from '#src/protocol/contracts/abis.ts'

const state = { reserve0: integer, reserve1: integer, isPaused: z.boolean() }
const whole = z.object({
  kind: z.literal('solidly'),
  ...poolFields,
  stable: z.boolean(),
  unit0: integer,
  unit1: integer,
  ...state,
})
const change = z.object({ kind: z.literal('solidlyState'), address, ...state })

type Whole = z.output<typeof whole>
type Change = z.output<typeof change>

/**
 * Replica format of Solidly pools. A change has the reserves and `isPaused`. After a change of the fee the pool is sent
 * whole.
 */
const solidlyReplica: ReplicaKind<SolidlyPool, Whole, Change> = {
  whole,
  change,
  changeKind: 'solidlyState',
  isSame: (one, other) =>
    one.stable === other.stable && one.unit0 === other.unit0 && one.unit1 === other.unit1,
  encodeWhole: ({ chainId: _, ...pool }) => pool,
  encodeChange: ({ reserve0, reserve1, isPaused }) => ({ reserve0, reserve1, isPaused }),
  decodeWhole: (pool) => pool,
  apply: (before, { reserve0, reserve1, isPaused }) => ({
    ...before,
    reserve0,
    reserve1,
    isPaused,
  }),
}

const kind = 'solidly'

/** `factory` is needed to read the fee and whether swaps are paused. */
type FoundPool = Found<typeof kind> & Readonly<{ factory: Address; stable: boolean }>

const syncTopic = toEventSelector(getAbiItem({ abi: solidlyPoolAbi, name: 'Sync' }))

type Sync = Readonly<{
  eventName: 'Sync'
  args: Readonly<{ reserve0: bigint; reserve1: bigint }>
}>

/** The decoders of the events that change the state of a pool, by topic. */
export const solidlyDecoders: ReadonlyMap<Hex, Decoder<Sync>> = new Map([
  [
    syncTopic,
    (log) => {
      const [reserve0, reserve1] = fieldsOf(log, 2, 0)
      return { eventName: 'Sync', args: { reserve0, reserve1 } }
    },
  ],
])

/** @source Aerodrome IPool, and OpenZeppelin's ERC20 */
const otherAbi = parseAbi([
  'event Fees(address indexed sender, uint256 amount0, uint256 amount1)',
  'event Mint(address indexed sender, uint256 amount0, uint256 amount1)',
  'event Burn(address indexed sender, address indexed to, uint256 amount0, uint256 amount1)',
  'event Swap(address indexed sender, address indexed to, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out)',
  'event Claim(address indexed sender, address indexed recipient, uint256 amount0, uint256 amount1)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
  'event EIP712DomainChanged()',
])

const readPool = (factory: Address, currency0: Address, currency1: Address, stable: boolean) =>
  read(factory, solidlyFactoryAbi, 'getPool', [currency0, currency1, stable])

/** The calls for values that change without an event: `setFee` of the factory emits none. */
const readsOfFactory = ({ factory, address, stable }: FoundPool) => ({
  fee: read(factory, solidlyFactoryAbi, 'getFee', [address, stable]),
  isPaused: read(factory, solidlyFactoryAbi, 'isPaused', []),
})

const pipsPerBp = 100n
/** In basis points, below 100 %. The state of a pool with another fee is unknown. */
const isFee = (fee: bigint): boolean => fee < 10_000n

/** A unit is 10 to the power of a currency's decimals. 10^77 is the largest power that fits into 256 bits. */
const isUnit = (unit: bigint): boolean => unit > 0n && unit <= 10n ** 77n

/** Pools of Velodrome v2, Aerodrome and their forks. */
export const solidlyMarket: MarketKind<
  SolidlyPool,
  FactoryOf<typeof kind>,
  FoundPool,
  Whole,
  Change
> = {
  creationTopic: toEventSelector(getAbiItem({ abi: solidlyFactoryAbi, name: 'PoolCreated' })),
  parseCreations: ({ source, factory }, logs) =>
    decodeEach(logs, (log) => {
      fieldsOf(log, 2, 3)
      const address = addressAt(log.data, 0)
      const [currency0, currency1, stable] = [
        addressIn(log, 1),
        addressIn(log, 2),
        isTrueIn(log, 3),
      ]
      return {
        pool: { kind, source, factory, address, currency0, currency1, stable },
        readAddress: () => readPool(factory, currency0, currency1, stable),
      }
    }),
  candidates: ({ source, factory }, currency0, currency1) =>
    [false, true].map((stable) => ({
      readAddress: readPool(factory, currency0, currency1, stable),
      toPool: (address) => ({ kind, source, factory, address, currency0, currency1, stable }),
    })),
  checkFactory: ({ factory }) => ({
    call: 'volatileFee, stableFee and isPaused',
    expected: 'two fees, and whether swaps are paused',
    reads: [
      read(factory, solidlyFactoryAbi, 'volatileFee', []),
      read(factory, solidlyFactoryAbi, 'stableFee', []),
      read(factory, solidlyFactoryAbi, 'isPaused', []),
    ],
    judge: (answers) => answers.every((each) => each !== undefined),
  }),

  readState: (pool, { chainId }) =>
    reading(
      { metadata: read(pool.address, solidlyPoolAbi, 'metadata', []), ...readsOfFactory(pool) },
      ({ metadata, fee, isPaused }) => {
        if (metadata === undefined || fee === undefined || isPaused === undefined) return undefined
        const [unit0, unit1, reserve0, reserve1, stable, token0, token1] = metadata
        const isOther =
          stable !== pool.stable ||
          toAddress(token0) !== pool.currency0 ||
          toAddress(token1) !== pool.currency1
        if (isOther || !isFee(fee) || !isUnit(unit0) || !isUnit(unit1)) return undefined
        const { factory: _, ...found } = pool
        const state = { unit0, unit1, reserve0, reserve1, isPaused }
        return { ...found, chainId, fee: toPips(Number(fee * pipsPerBp)), ...state }
      },
    ),
  ownCalls: 0,
  readAtBlock: (pool) =>
    reading(readsOfFactory(pool), ({ fee, isPaused }) => {
      if (fee === undefined || isPaused === undefined || !isFee(fee)) return undefined
      const pips = toPips(Number(fee * pipsPerBp))
      return (state) =>
        state.fee === pips && state.isPaused === isPaused
          ? state
          : { ...state, fee: pips, isPaused }
    }),

  events: eventsOf(solidlyDecoders, (pool, { args: { reserve0, reserve1 } }) => ({
    ...pool,
    reserve0,
    reserve1,
  })),
  isConsistent: () => true,
  priceTopics: new Set([syncTopic]),
  otherTopics: new Set(otherAbi.map(toEventSelector)),

  fields: ({ fee, isPaused, reserve0, reserve1 }) =>
    new Map([
      ['fee', `${fee}`],
      ['isPaused', `${isPaused}`],
      ['reserve0', `${reserve0}`],
      ['reserve1', `${reserve1}`],
    ]),
  price: ({ reserve0, reserve1 }) => `${reserve0}/${reserve1}`,

  depthCalls: () => 1,
  readDepth: ({ address }) =>
    reading({ metadata: read(address, solidlyPoolAbi, 'metadata', []) }, ({ metadata }) => {
      if (metadata === undefined) return { amount0: 0n, amount1: 0n }
      const [unit0, unit1, reserve0, reserve1, stable] = metadata
      return isUnit(unit0) && isUnit(unit1)
        ? depthOfSolidly({ stable, reserve0, reserve1, unit0, unit1 })
        : { amount0: 0n, amount1: 0n }
    }),

  replica: solidlyReplica,
}
