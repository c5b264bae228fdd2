import type { Hash, Hex, Log } from 'viem'
import type { z } from 'zod'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { ChainConfig } from '#src/config.ts'
import type { Read } from '#src/market/reads/readAll.ts'
import type { Reading } from '#src/market/reads/reading.ts'
import type { Pool } from '#src/pools/pool.ts'
import type { ManagedPoolId } from '#src/pools/poolIdentity.ts'
import type { PoolDepth } from '#src/pools/poolKind.ts'
import type { Address } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'

/** A configured factory of the kind. */
export type FactoryOf<Kind extends Pool['kind']> = Extract<
  ChainConfig['factories'][number],
  { kind: Kind }
>

/** What is known of a pool before its state is read, and never changes. */
export type Found<Kind extends Pool['kind']> = Readonly<{
  kind: Kind
  address: Address
  /** Present for a pool of a manager. */
  id?: ManagedPoolId
  /** Name of the swap source, such as "uniswap-v3". */
  source: string
  /** ERC-20 addresses, in the order of the contracts. */
  currency0: Address
  currency1: Address
  /** The pool has the native currency as its currency0. The wrapped one stands for it here. */
  hasNative?: true
}>

/** What a factory's log of a new pool tells. */
export type CreationOf<FoundPool> = Readonly<{
  pool: FoundPool
  /** Asks the factory for the address of its pool with these currencies and this tier. */
  readAddress: () => Read<Hex>
}>

/** A pool that may exist. */
type Candidate<FoundPool> = Readonly<{
  readAddress: Read<Hex>
  toPool: (address: Address) => FoundPool
}>

export type PoolLog = Pick<Log<bigint, number, false>, 'topics' | 'data'>

/** Where a state is read. */
export type ReadContext = Readonly<{ client: ChainClient; chainId: ChainId; blockHash: Hash }>

/** What a factory must answer to be one of the kind. */
type FactoryCheck = Readonly<{
  /** The function that is asked. */
  call: string
  expected: string
  reads: readonly Read<unknown>[]
  /** The answers, in order; undefined where the call reverted or its answer is of another form. */
  judge: (answers: readonly unknown[]) => boolean
}>

/**
 * How pools go into the feed's messages: the whole of one that the reader does not know, else what has changed. Integers
 * are written as in `wireValues.ts`.
 */
export type FeedKind<State, Whole, Change> = Readonly<{
  /** Of a whole pool: `kind` is that of the pool. */
  whole: z.ZodType<Whole>
  /** Of a change: `kind` is a name of its own, and `address` names the pool. */
  change: z.ZodType<Change>
  changeKind: string
  /** Whether `tellChange` tells the fee. */
  tellsFee?: true
  /** Whether two states of one pool differ in nothing but what `tellChange` tells. */
  isSame: (one: State, other: State) => boolean
  tellWhole: (pool: State) => Readonly<Record<string, unknown>>
  /** What a reader needs that knows `before`, without kind and address. */
  tellChange: (pool: State, before: State) => Readonly<Record<string, unknown>>
  /** @throws RangeError if there can be no such pool. */
  open: (whole: Whole) => Omit<State, 'chainId'>
  /** @throws RangeError if there can be no such pool. */
  apply: (before: State, change: Change) => State
}>

/** How the market finds, reads, follows, verifies and sends the pools of a kind. */
export type MarketKind<State, Factory, FoundPool, Whole, Change> = Readonly<{
  /** The topic of a factory's event for a new pool. */
  creationTopic: Hex
  /** The pools that `factory` created in these logs of it, which have that topic, and that its tiers select. */
  parseCreations: (factory: Factory, logs: Log[]) => readonly CreationOf<FoundPool>[]
  /** The pools of two currencies, in ascending order, that a factory may have. */
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
  /** Calls of `readState` beside the multicall. */
  ownCalls: number
  /**
   * What no event tells, read at each block with the other values of it: what becomes of the state. `undefined` if it
   * cannot be read: the state is then unknown. Absent where events tell everything.
   */
  readAtBlock?: (pool: FoundPool) => Reading<((state: State) => State) | undefined>

  /** By topic: the pool after an event that changes its state. @throws RangeError if the log contradicts the pool. */
  events: ReadonlyMap<Hex, (pool: State, log: PoolLog) => State>
  /** Whether a manager emits the events of all its pools, with the id of the pool as their first indexed field. */
  isManaged?: true
  /** Whether the state after the events of a block can be. */
  isConsistent: (pool: State) => boolean
  /** Of `events`, those that tell the price after them. */
  priceTopics: ReadonlySet<Hex>
  /** Events of the kind's pools that need no decoding: they change no price, or another event tells the change. */
  otherTopics: ReadonlySet<Hex>

  /** What is compared with the chain, by name, for the log. */
  fields: (pool: State) => ReadonlyMap<string, string>
  /** Differs if and only if the price does. */
  price: (pool: State) => string

  /** The number of calls of `readDepth`. @param trusted number of currencies; positive. */
  depthCalls: (trusted: number) => number
  /** How deep a pool is in its trusted currencies at least, by few calls. Zeros if it does not answer. */
  readDepth: (pool: FoundPool, trusted: readonly Address[]) => Reading<PoolDepth>

  feed: FeedKind<State, Whole, Change>
}>
