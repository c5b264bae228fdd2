import { z } from 'zod'
import type { Pool } from '#src/core/pools/pool.ts'
import { type PoolIdentity, poolIdOf } from '#src/core/pools/poolKind.ts'
import {
  changedBetween,
  createGraph,
  type PoolGraph,
  poolIn,
  poolsOf,
  updateGraph,
} from '#src/core/router/graph.ts'
import type { Account } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { type AnyKind, marketKindOf, marketKinds } from '#src/market/kinds/kinds.ts'
import {
  address,
  amount,
  hash,
  integer,
  poolId,
  usd,
  usdPrice,
} from '#src/market/kinds/wireValues.ts'
import type { ReplicaState } from './replicaState.ts'

/** A pool in a message: whole if it is new to the reader, else only its changed fields. */
type PoolChange = Readonly<{ kind: string }> & Pick<PoolIdentity, 'address' | 'id'>

/** A pool change before it is encoded into a message. */
export type SentPoolChange = Readonly<Record<string, unknown>> & Readonly<{ kind: string }>

/** The compiler cannot follow that each schema has its own kind. */
const schemas = marketKinds.flatMap(([, { replica }]) => [replica.whole, replica.change])
export const poolChange: z.ZodType<PoolChange> = z.discriminatedUnion(
  'kind',
  schemas as unknown as [z.ZodObject],
) as unknown as z.ZodType<PoolChange>

/** The change that brings a reader from `before` to `pool`. */
export function poolChangeOf(pool: Pool, before: Pool | undefined): SentPoolChange {
  const { kind, address, id } = pool
  const { replica } = marketKindOf(pool)
  return before === undefined || !isSamePool(pool, before, replica)
    ? { ...replica.encodeWhole(pool), kind }
    : {
        ...replica.encodeChange(pool, before),
        kind: replica.changeKind,
        address,
        ...(id && { id }),
      }
}

/** Whether `one` and `other` differ only in fields that a change includes. */
const isSamePool = (one: Pool, other: Pool, { isSame, includesFee }: AnyKind['replica']): boolean =>
  one.kind === other.kind &&
  one.source === other.source &&
  one.currency0 === other.currency0 &&
  one.currency1 === other.currency1 &&
  (includesFee || one.fee === other.fee) &&
  isSame(one, other)

const byWhole = new Map<string, AnyKind['replica']>(
  marketKinds.map(([kind, { replica }]) => [kind, replica]),
)
const byChange = new Map(
  marketKinds.map(([kind, { replica }]) => [replica.changeKind, { kind, replica }] as const),
)

/**
 * The pool after the change.
 * @throws RangeError if the pool of a partial change is unknown or of another kind, or if the new state is impossible.
 */
export function applyPoolChange(
  change: PoolChange,
  before: Pool | undefined,
  chainId: ChainId,
): Pool {
  const whole = byWhole.get(change.kind)
  if (whole !== undefined) return { chainId, ...whole.decodeWhole(change) } as Pool
  const changed = byChange.get(change.kind)
  if (changed === undefined || before?.kind !== changed.kind)
    throw new RangeError(`The replica changes an unknown pool: ${poolIdOf(change)}`)
  return changed.replica.apply(before, change)
}

const l1DataFee = z.discriminatedUnion('model', [
  z.object({ model: z.literal('none') }),
  z.object({
    model: z.literal('opStack'),
    l1BaseFee: integer,
    blobBaseFee: integer,
    baseFeeScalar: integer,
    blobBaseFeeScalar: integer,
  }),
  z.object({ model: z.literal('arbitrum'), perL1CalldataByte: integer }),
])

const sequencer = z.discriminatedUnion('status', [
  z.object({ status: z.literal('up') }),
  z.object({ status: z.literal('down'), isKnown: z.boolean() }),
  z.object({ status: z.literal('recovering'), trustedAt: integer }),
])

const amounts = z.array(z.tuple([address, amount]))

const settlement = z.object({
  stopped: z.enum(['paused', 'otherAllocator', 'notAPayee', 'otherName', 'unread']).optional(),
  outflowLimits: amounts,
  unsettled: amounts,
})

/** The values that each message contains in full, because they are small. */
const head = z.object({
  block: z.object({ number: integer, hash, timestamp: integer }),
  finality: z.object({ height: integer.optional(), blocks: z.int() }),
  exposedUsd: usd,
  gas: z.object({
    vmType: z.literal('evm'),
    baseFeePerGas: integer,
    priorityFeePerGas: integer,
    l1DataFee,
  }),
  feedPrices: z.array(z.tuple([address, usdPrice])),
  settlement: settlement.optional(),
  solverBalances: amounts,
  sequencer: sequencer.optional(),
  stoppedAssets: z.array(z.string()),
  announced: integer,
  trackedPools: z.int(),
  refusedFactories: z.array(z.string()),
  endpoints: z.int().min(0).max(1000),
})

const currency = z.object({
  address,
  symbol: z.string(),
  name: z.string(),
  decimals: z.int().min(0).max(255),
  metadata: z.object({
    logoURI: z.string().exactOptional(),
    verified: z.boolean(),
    isNative: z.boolean(),
  }),
})

/** The difference between two states of a chain's market. A reader starts with an empty state. */
export const replicaChanges = z.object({
  head,
  pools: z.array(poolChange),
  removedPools: z.array(poolId),
  usdPrices: z.array(z.tuple([address, usdPrice])),
  removedPrices: z.array(address),
  refusedCurrencies: z.array(z.tuple([address, z.string()])),
  acceptedCurrencies: z.array(address),
  /** The new currencies. */
  currencies: z.array(currency),
})

export type ReplicaChanges = z.output<typeof replicaChanges>

/** The changes before they are encoded into a message. */
export type SentReplicaChanges = Readonly<
  Record<Exclude<keyof ReplicaChanges, 'head' | 'pools'>, readonly unknown[]>
> &
  Readonly<{ head: unknown; pools: readonly SentPoolChange[] }>

/** The changes that bring a reader from `before` to `after`. */
export function changesBetween(before: ReplicaState, after: ReplicaState): SentReplicaChanges {
  const prices = mapChanges(before.market.usdPrices, after.market.usdPrices)
  const refused = mapChanges(before.market.refusedCurrencies, after.market.refusedCurrencies)
  return {
    head: headOf(after),
    ...poolChanges(before.market.graph, after.market.graph),
    usdPrices: prices.set,
    removedPrices: prices.removed,
    refusedCurrencies: refused.set,
    acceptedCurrencies: refused.removed,
    currencies: newCurrencies(before.currencies, after.currencies),
  }
}

function headOf({ market, announced, trackedPools, refusedFactories, endpoints }: ReplicaState) {
  const { block, finality, exposedUsd, gas, feedPrices, solverBalances, sequencer: state } = market
  const { settlement: paid } = market
  return {
    block,
    finality,
    exposedUsd,
    gas,
    sequencer: state,
    announced,
    trackedPools,
    refusedFactories,
    endpoints,
    feedPrices: [...feedPrices],
    settlement: paid && {
      ...paid,
      outflowLimits: [...paid.outflowLimits],
      unsettled: [...paid.unsettled],
    },
    solverBalances: [...solverBalances],
    stoppedAssets: [...market.stoppedAssets],
  }
}

function poolChanges(before: PoolGraph, after: PoolGraph) {
  // Two graphs of the same pools have the same indexes, so that no pool must be found by its id.
  const hasSame = before.topology === after.topology
  const [old, all] = [poolsOf(before), poolsOf(after)]
  const changed = [...(changedBetween(old, all) ?? all.keys())].flatMap((at) => {
    const pool = all[at] as Pool
    const known = hasSame ? old[at] : poolIn(before, poolIdOf(pool))
    return known === pool ? [] : [poolChangeOf(pool, known)]
  })
  const gone = hasSame ? [] : old.filter((pool) => poolIn(after, poolIdOf(pool)) === undefined)
  return { pools: changed, removedPools: gone.map(poolIdOf) }
}

function mapChanges<Value>(
  before: ReadonlyMap<Account, Value>,
  after: ReadonlyMap<Account, Value>,
): Readonly<{ set: readonly (readonly [Account, Value])[]; removed: readonly Account[] }> {
  if (before === after) return { set: [], removed: [] }
  return {
    set: [...after].filter(([key, value]) => before.get(key) !== value),
    removed: [...before.keys()].filter((key) => !after.has(key)),
  }
}

function newCurrencies(before: readonly Currency[], after: readonly Currency[]) {
  if (before === after) return []
  const known = new Map(before.map((each) => [each.address, each]))
  return after
    .filter((each) => known.get(each.address) !== each)
    .map(({ chainId: _, ...rest }) => rest)
}

/**
 * The state after the changes. Unchanged pools stay the same objects, so that values cached by object remain valid.
 * @throws RangeError if the changes do not fit this state
 */
export function applyChanges(
  before: ReplicaState,
  changes: ReplicaChanges,
  chainId: ChainId,
): ReplicaState {
  const { announced, trackedPools, refusedFactories, endpoints, ...values } = changes.head
  return {
    market: {
      block: values.block,
      finality: { height: values.finality.height, blocks: values.finality.blocks },
      exposedUsd: values.exposedUsd,
      settlement: values.settlement && {
        stopped: values.settlement.stopped,
        outflowLimits: new Map(values.settlement.outflowLimits),
        unsettled: new Map(values.settlement.unsettled),
      },
      gas: values.gas,
      sequencer: values.sequencer,
      graph: graphAfter(before.market.graph, changes, chainId),
      usdPrices: mapAfter(before.market.usdPrices, changes.usdPrices, changes.removedPrices),
      feedPrices: new Map(values.feedPrices),
      solverBalances: new Map(values.solverBalances),
      stoppedAssets: new Set(values.stoppedAssets),
      refusedCurrencies: mapAfter(
        before.market.refusedCurrencies,
        changes.refusedCurrencies,
        changes.acceptedCurrencies,
      ),
    },
    currencies:
      changes.currencies.length === 0
        ? before.currencies
        : currenciesAfter(
            before.currencies,
            changes.currencies.map((each) => ({ chainId, ...each })),
          ),
    announced,
    trackedPools,
    refusedFactories,
    endpoints,
  }
}

function graphAfter(
  graph: PoolGraph,
  { pools: changes, removedPools }: ReplicaChanges,
  chainId: ChainId,
): PoolGraph {
  if (changes.length === 0 && removedPools.length === 0) return graph
  const changed = changes.map((each) =>
    applyPoolChange(each, poolIn(graph, poolIdOf(each)), chainId),
  )
  if (removedPools.length === 0) return updateGraph(graph, changed)
  const removed = new Set(removedPools)
  const rest = poolsOf(graph).filter((pool: Pool) => !removed.has(poolIdOf(pool)))
  return createGraph([...rest, ...changed])
}

function mapAfter<Value>(
  before: ReadonlyMap<Account, Value>,
  set: readonly (readonly [Account, Value])[],
  removed: readonly Account[],
): ReadonlyMap<Account, Value> {
  if (set.length === 0 && removed.length === 0) return before
  const after = new Map(before)
  for (const key of removed) after.delete(key)
  for (const [key, value] of set) after.set(key, value)
  return after
}

const currenciesAfter = (
  before: readonly Currency[],
  added: readonly Currency[],
): readonly Currency[] => [
  ...new Map([...before, ...added].map((each) => [each.address, each])).values(),
]
