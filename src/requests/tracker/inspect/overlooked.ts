import type { Hash } from 'viem'
import type { FollowedBlock } from '#src/chains/chainEvent.ts'
import { isMatch } from '#src/chains/read/logFilter.ts'
import type { ChainRpc } from '#src/chains/rpc/chainClient.ts'
import type { BlockLog } from '#src/chains/rpc/rpcAnswer.ts'
import { createRangeLimit } from '#src/chains/search/rangeLimit.ts'
import { searchLogs } from '#src/chains/search/searchLogs.ts'
import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { FollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import {
  plainDepositFilters,
  recordedDepositFilter,
} from '#src/requests/tracker/read/blockReader.ts'
import type { Tracked } from '#src/requests/tracker/read/trackedLogs.ts'
import type { TrackingReads } from '#src/requests/trackingStore.ts'
import type { Inspector } from './inspector.ts'

type Deps = Readonly<{
  client: ChainRpc
  log: Log
  store: TrackingReads
  followed: FollowedBlocks
  inspector: Inspector
}>

/**
 * Finds deposits that the reads of new blocks have missed. Nodes may return the logs of a new block late. Transfers are
 * not read if the block's bloom filter excludes them, and a chain may stop writing complete filters.
 */
export type OverlookedSearch = Readonly<{
  /** Records the deposit logs of a followed block. */
  record: (block: FollowedBlock) => void
  /** Searches the new final blocks once there are at least 64. */
  search: () => void
  /** Resolves once no search is running. */
  ended: () => Promise<void>
}>

/** Number of final blocks per search. */
const searchEveryBlocks = 64n

const placeOf = ({ blockHash, logIndex }: BlockLog): string => `${blockHash} ${logIndex}`

/**
 * Starts 64 blocks below `start`, the height of the first followed final block: an earlier run may have ended before
 * its next search.
 */
export function createOverlookedSearch(
  { client, log, store, followed, inspector }: Deps,
  tracked: Tracked,
  { start, signal }: Readonly<{ start: bigint; signal: AbortSignal }>,
): OverlookedSearch {
  const filters = [recordedDepositFilter(tracked), ...plainDepositFilters(tracked)]
  const limit = createRangeLimit()
  /** Heights of the deposit logs in followed blocks, by the place of the log. */
  const shown = new Map<string, bigint>()
  let searched = start > searchEveryBlocks ? start - searchEveryBlocks : 0n
  let running: Promise<void> | undefined

  /**
   * Hashes of the transactions that have no deposit stored with the same block. A hint or an earlier run found the
   * others.
   */
  async function withoutStored(deposits: readonly BlockLog[]): Promise<readonly Hash[]> {
    if (deposits.length === 0) return []
    const stored = await store.openDeposits(client.chain.id, searched)
    const known = new Set(stored.map(({ block, txHash }) => `${block?.hash} ${txHash}`))
    const unknown = deposits.filter(
      ({ blockHash, transactionHash }) => !known.has(`${blockHash} ${transactionHash}`),
    )
    return [...new Set(unknown.map(({ transactionHash }) => transactionHash))]
  }

  async function searchTo(to: bigint): Promise<void> {
    const range = { from: searched + 1n, to, height: followed.head().number }
    const found: BlockLog[] = []
    for (const filter of filters)
      for await (const { logs } of searchLogs(client, { ...range, filter }, { limit, signal }))
        found.push(...logs.filter((each) => !shown.has(placeOf(each))))
    const txHashes = await withoutStored(found)
    if (txHashes.length > 0)
      log.warn({ txHashes }, 'Inspects deposits that no block of this run has shown')
    for (const txHash of txHashes) inspector.inspect({ txHash })
    searched = to
    for (const [place, height] of shown) if (height <= to) shown.delete(place)
  }

  return {
    record: ({ number, logs }) => {
      for (const each of logs)
        if (filters.some((filter) => isMatch(filter, each))) shown.set(placeOf(each), number)
    },
    search: () => {
      const { number } = followed.final()
      if (running !== undefined || number - searched < searchEveryBlocks) return
      running = searchTo(number)
        .catch((error: unknown) => {
          // Searched again with the next final block.
          if (!signal.aborted)
            log.warn({ reason: reasonOf(error) }, 'Could not search for overlooked deposits')
        })
        .finally(() => {
          running = undefined
        })
    },
    ended: async () => {
      await running
    },
  }
}
