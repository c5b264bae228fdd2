import type { BlockId } from '#src/chains/chainEvent.ts'
import { readHeaderAt, readHeaderOf } from '#src/chains/read/readBlock.ts'
import type { ChainRpc } from '#src/chains/rpc/chainClient.ts'
import type { BlockLog } from '#src/chains/rpc/rpcAnswer.ts'
import type { Log } from '#src/config/log.ts'
import { AppError } from '#src/core/errors.ts'
import { createRangeLimit } from './rangeLimit.ts'
import { searchLogs } from './searchLogs.ts'
import type { LogSearch, SearchState, SearchStore } from './searchStore.ts'

/** Another process has advanced the search. */
class SearchTakenError extends AppError {
  constructor({ chainId }: LogSearch) {
    super('SERVICE_UNAVAILABLE', `Another process searches chain ${chainId}.`, { chainId })
  }
}

type Deps = Readonly<{ client: ChainRpc; log: Log; store: SearchStore }>

type ResumeArgs = Readonly<{
  /** The first block to search, and the last, which is final. */
  range: Readonly<{ from: bigint; final: BlockId }>
  /** Height of the newest block. */
  height: bigint
  /** Range limit from an earlier search of the chain. Used if this search has stored none. */
  learnt: bigint | undefined
  /** Called at the start, and after each part that is stored. */
  onProgress: (state: SearchState) => void
  signal: AbortSignal
}>

/**
 * Resumes a stored search, or begins a new one, up to a final block. Stores each part after its read.
 * @throws what the store and the RPC throw, and SearchTakenError. The next call resumes from the stored state.
 */
export async function resumeSearch(
  { client, log, store }: Deps,
  search: LogSearch,
  { range, height, learnt, onProgress, signal }: ResumeArgs,
): Promise<SearchState> {
  const { chainId, address, topic } = search
  const stored = await store.findSearch(search)
  const isUseless =
    stored !== undefined &&
    (stored.first > range.from || (await isGone(client, stored.anchor, signal)))
  if (isUseless) {
    const { first, next, anchor } = stored
    log.warn(
      { chainId, address, first, next, anchor },
      'A stored search does not match the chain or its configuration; searching from the start',
    )
    await store.forgetSearch(search)
  }
  const begun =
    stored !== undefined && !isUseless ? stored : beginningAt(range.from, createRangeLimit(learnt))
  if (begun !== stored) await store.beginSearch(search, begun)
  let state = begun
  onProgress(state)
  const limit = createRangeLimit(stored?.span ?? learnt)
  const { final } = range
  const filter = { address, topics: [topic] }
  const wanted = { filter, height, from: state.next, to: final.number }
  for await (const { to, logs } of searchLogs(client, wanted, { limit, signal })) {
    const anchor = to === final.number ? final : (blockOf(logs.at(-1)) ?? state.anchor)
    const found = state.found + logs.length
    const after = state.next
    state = { ...state, next: to + 1n, anchor, span: limit.learnt(), found }
    if (!(await store.advanceSearch(search, { after, state, logs })))
      throw new SearchTakenError(search)
    onProgress(state)
    signal.throwIfAborted()
  }
  return state
}

const beginningAt = (from: bigint, limit: Readonly<{ learnt: () => bigint }>): SearchState => ({
  first: from,
  next: from,
  anchor: undefined,
  span: limit.learnt(),
  found: 0,
})

const blockOf = (log: BlockLog | undefined): BlockId | undefined =>
  log && { number: log.blockNumber, hash: log.blockHash }

/**
 * Whether a final block is no longer in the chain. Requires two answers, so that one wrong answer cannot discard a
 * search of hours. The result is false if a lagging node has no block at that height.
 */
async function isGone(
  client: Deps['client'],
  block: BlockId | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  if (block === undefined) return false
  const present = await readHeaderAt(client, block.number, signal)
  if (present === undefined || present.hash === block.hash) return false
  return (await readHeaderOf(client, block, signal)) === undefined
}
