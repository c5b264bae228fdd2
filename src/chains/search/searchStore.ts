import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Hash, Hex } from 'viem'
import { pause } from '#src/chains/backoff.ts'
import type { BlockId } from '#src/chains/chainEvent.ts'
import type { Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'

/** A search for all logs of one event of one contract. Another chain under the same id has another block 0. */
export type LogSearch = Readonly<{
  chainId: ChainId
  /** Hash of block 0. */
  genesis: Hash
  address: Address
  /** The first topic. */
  topic: Hash
}>

/** Progress of a search. */
export type SearchState = Readonly<{
  /** The first block of the search. */
  first: bigint
  /** All blocks from `first` to the one before `next` are searched. */
  next: bigint
  /**
   * A searched block, by which a later search checks that the nodes still serve the same chain. Undefined before the
   * first.
   */
  anchor: BlockId | undefined
  /** The learnt number of blocks that nodes answer in one request. */
  span: bigint
  /** Number of found logs. */
  found: number
}>

/** A log that a search found. */
export type FoundLog = LogPlace & Readonly<{ topics: readonly Hex[]; data: Hex }>

/** Position of a log in its chain. */
export type LogPlace = Readonly<{ blockNumber: bigint; logIndex: number }>

/** Stores searches for all processes of a database. Every method throws an AppError if the database fails. */
export type SearchStore = Readonly<{
  findSearch: (search: LogSearch) => Promise<SearchState | undefined>
  /** Stores a new search, unless it is stored already. */
  beginSearch: (search: LogSearch, state: SearchState) => Promise<void>
  /**
   * Stores the logs of the blocks from `after` to the one before `state.next`, and the state. Returns false and stores
   * nothing unless `next` of the stored search is exactly `after`.
   */
  advanceSearch: (
    search: LogSearch,
    progress: Readonly<{ after: bigint; state: SearchState; logs: readonly FoundLog[] }>,
  ) => Promise<boolean>
  /** The first `limit` logs above `after`, in block order. */
  foundLogs: (
    search: LogSearch,
    page: Readonly<{ after?: LogPlace | undefined; limit: number }>,
  ) => Promise<readonly FoundLog[]>
  /** Deletes a search and its logs. */
  forgetSearch: (search: LogSearch) => Promise<void>
}> &
  SearchLeases

type SearchLeases = Readonly<{
  /** Acquires or extends the lease of `holder` on the duty. False while another holder has it. */
  acquireLease: (
    request: Readonly<{ duty: string; holder: string; leaseMs: number }>,
  ) => Promise<boolean>
  /** Deletes the lease if `holder` has it, so that another process can acquire it immediately. */
  releaseLease: (lease: Readonly<{ duty: string; holder: string }>) => Promise<void>
}>

type StoredSearch = { state: SearchState; logs: FoundLog[] }

/** A store in memory, for one process. */
export function createMemorySearches(): SearchStore {
  const searches = new Map<string, StoredSearch>()
  const holders = new Map<string, string>()
  const keyOf = ({ chainId, genesis, address, topic }: LogSearch) =>
    [chainId, genesis, address, topic].join()

  return {
    findSearch: async (search) => searches.get(keyOf(search))?.state,
    beginSearch: async (search, state) => {
      const key = keyOf(search)
      if (!searches.has(key)) searches.set(key, { state, logs: [] })
    },
    advanceSearch: async (search, { after, state, logs }) => {
      const stored = searches.get(keyOf(search))
      if (stored?.state.next !== after) return false
      stored.state = state
      for (const log of logs) stored.logs.push(log)
      return true
    },
    foundLogs: async (search, { after, limit }) => {
      const logs = searches.get(keyOf(search))?.logs ?? []
      const start = after === undefined ? 0 : logs.findIndex((log) => isAbove(log, after))
      return start < 0 ? [] : logs.slice(start, start + limit)
    },
    forgetSearch: async (search) => void searches.delete(keyOf(search)),
    acquireLease: async ({ duty, holder }) => {
      if ((holders.get(duty) ?? holder) !== holder) return false
      holders.set(duty, holder)
      return true
    },
    releaseLease: async ({ duty, holder }) => {
      if (holders.get(duty) === holder) holders.delete(duty)
    },
  }
}

const isAbove = (log: LogPlace, place: LogPlace): boolean =>
  log.blockNumber > place.blockNumber ||
  (log.blockNumber === place.blockNumber && log.logIndex > place.logIndex)

/** In milliseconds. A killed process holds its lease for at most `leaseMs`. */
const defaultTiming = { leaseMs: 5_000, beatMs: 1_500, retryMs: 500 }

type LeaseArgs = Readonly<{
  duty: string
  /** Called once if another process holds the lease. */
  onWait: () => void
  signal: AbortSignal
  timing?: typeof defaultTiming
}>

/**
 * Runs `work` under the lease of this duty, so that no other process of the database does it at the same time.
 * Undefined if the signal fires before the lease is acquired. The lease can be lost, for example if this process is
 * frozen: `work` must stay correct if another process does the duty in parallel.
 * @throws what the store and `work` throw
 */
export async function withLease<Value>(
  store: SearchLeases,
  { duty, onWait, signal, timing = defaultTiming }: LeaseArgs,
  work: () => Promise<Value>,
): Promise<Value | undefined> {
  const { leaseMs, beatMs, retryMs } = timing
  // The host tells operators which process works.
  const request = { duty, holder: `${hostname()} ${randomUUID()}`, leaseMs }
  let isHeld = await store.acquireLease(request)
  if (!isHeld) onWait()
  while (!(isHeld || signal.aborted)) {
    await pause(retryMs, signal)
    if (!signal.aborted) isHeld = await store.acquireLease(request)
  }
  if (!isHeld) return undefined
  let extending: Promise<unknown> = Promise.resolve()
  const beat = setInterval(() => {
    // A lease that cannot be extended expires.
    extending = store.acquireLease(request).catch(() => undefined)
  }, beatMs)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    // An extension that arrives after the release would acquire the lease again.
    await extending
    await store.releaseLease(request).catch(() => undefined)
  }
}
