import type { Hash, Hex, Log } from 'viem'
import type { z } from 'zod'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { ChainConfig } from '#src/config/config.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import type { ManagedPoolId, PoolDepth } from '#src/core/pools/poolKind.ts'
import type { Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Read } from '#src/market/reads/readAll.ts'
import type { Reading } from '#src/market/reads/reading.ts'

/** A configured factory of the kind. */
export type FactoryOf<Kind extends Pool['kind']> = Extract<
  ChainConfig['factories'][number],
  { kind: Kind }
>

/** The constant fields of a pool, which are known before its state is read. */
export type Found<Kind extends Pool['kind']> = Readonly<{
  kind: Kind
  address: Address
  /** Present for a pool in a manager contract. */
  id?: ManagedPoolId
  /** Name of the swap source, such as "uniswap-v3". */
  source: string
  /** ERC-20 addresses, in the order of the contracts. */
  currency0: Address
  currency1: Address
  /** The pool's currency0 is the native currency. `currency0` is then the wrapped native currency. */
  hasNative?: true
}>

/** A pool from a factory's creation log. */
export type CreationOf<FoundPool> = Readonly<{
  pool: FoundPool
  /** Reads the address of the pool with these currencies and this tier from the factory. */
  readAddress: () => Read<Hex>
}>

/** A pool that may exist. `readAddress` returns the zero address if it does not. */
type Candidate<FoundPool> = Readonly<{
  readAddress: Read<Hex>
  toPool: (address: Address) => FoundPool
}>

export type PoolLog = Pick<Log<bigint, number, false>, 'topics' | 'data'>

/** The chain and the block at which a state is read. */
export type ReadContext = Readonly<{ client: ChainClient; chainId: ChainId; blockHash: Hash }>

/** A check that a contract is a factory of the kind. */
type FactoryCheck = Readonly<{
  /** Names of the called functions, for messages. */
  call: string
  expected: string
  reads: readonly Read<unknown>[]
  /**
   * Whether the answers are those of such a factory. They are in the order of `reads`; undefined if a call reverted or
   * its answer is invalid.
   */
  judge: (answers: readonly unknown[]) => boolean
}>

/**
 * Format of the kind's pools in replica messages: a pool that is new to the reader is sent whole, else only its changes.
 * Integers are encoded as in `wireValues.ts`.
 */
export type ReplicaKind<State, Whole, Change> = Readonly<{
  /** Schema of a whole pool. Its `kind` is that of the pool. */
  whole: z.ZodType<Whole>
  /** Schema of a change. Its `kind` is `changeKind`, and `address` (with `id`) identifies the pool. */
  change: z.ZodType<Change>
  changeKind: string
  /** Whether a change includes the fee. */
  includesFee?: true
  /** Whether the kind's constant fields are equal in two states of one pool. If not, the pool is sent whole. */
  isSame: (one: State, other: State) => boolean
  encodeWhole: (pool: State) => Readonly<Record<string, unknown>>
  /** The change from `before` to `pool`, without kind and address. */
  encodeChange: (pool: State, before: State) => Readonly<Record<string, unknown>>
  /** @throws RangeError if the state is impossible. */
  decodeWhole: (whole: Whole) => Omit<State, 'chainId'>
  /** @throws RangeError if the new state is impossible. */
  apply: (before: State, change: Change) => State
}>

/** How the market finds, reads, follows, verifies and sends the pools of a kind. */
export type MarketKind<State, Factory, FoundPool, Whole, Change> = Readonly<{
  /** The topic of a factory's event for a new pool. */
  creationTopic: Hex
  /**
   * The pools that these logs create, limited to the configured tiers. All logs are from `factory` and have
   * `creationTopic`.
   */
  parseCreations: (factory: Factory, logs: Log[]) => readonly CreationOf<FoundPool>[]
  /** The possible pools of two currencies at a factory. `currency0` is below `currency1`. */
  candidates: (
    factory: Factory,
    currency0: Address,
    currency1: Address,
  ) => readonly Candidate<FoundPool>[]
  checkFactory: (factory: Factory) => FactoryCheck

  /** The state of a pool at a block; undefined if it cannot be read or its fields contradict each other. */
  readState: (
    pool: FoundPool,
    context: ReadContext,
  ) => Reading<State | undefined | Promise<State | undefined>>
  /** Number of calls of `readState` outside the multicall. */
  ownCalls: number
  /**
   * Reads the values that change without an event, in the multicall of each block. Returns the function that updates
   * the state; undefined if the read fails, and the state is then unknown. Absent if events cover all changes.
   */
  readAtBlock?: (pool: FoundPool) => Reading<((state: State) => State) | undefined>

  /** Functions that apply a state-changing event, by topic. They throw RangeError if the log contradicts the pool. */
  events: ReadonlyMap<Hex, (pool: State, log: PoolLog) => State>
  /** Whether one manager contract emits the events of all pools, with the pool's id as their first indexed field. */
  isManaged?: true
  /** Whether the state after the events of a block is possible. */
  isConsistent: (pool: State) => boolean
  /** The topics in `events` whose events contain the new price. */
  priceTopics: ReadonlySet<Hex>
  /** Topics of events that need no decoding: they do not change the price, or another event contains the change. */
  otherTopics: ReadonlySet<Hex>

  /** The fields that are compared with the chain, by name, for the log. */
  fields: (pool: State) => ReadonlyMap<string, string>
  /** A text that differs if and only if the price differs. */
  price: (pool: State) => string

  /** The number of calls of `readDepth`. @param trusted number of trusted currencies, 1 or 2. */
  depthCalls: (trusted: number) => number
  /** Estimates a pool's depth in its trusted currencies by few calls. Zeros if the pool does not answer. */
  readDepth: (pool: FoundPool, trusted: readonly Address[]) => Reading<PoolDepth>

  replica: ReplicaKind<State, Whole, Change>
}>
