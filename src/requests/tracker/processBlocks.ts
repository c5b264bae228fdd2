import type { FollowedBlock } from '#src/chains/chainEvent.ts'
import { readHeaderAt } from '#src/chains/read/readBlock.ts'
import { readTransactionHashes } from '#src/chains/read/readTransaction.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Log } from '#src/config/log.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Inspector } from './inspect/inspector.ts'
import type { WatchList } from './inspect/watchList.ts'
import { MissingTransactionError } from './read/blockTransactions.ts'
import { isEmpty, readEvents } from './read/readEvents.ts'
import type { Tracked } from './read/trackedLogs.ts'
import type { Reconciler } from './reconcile.ts'
import { retry } from './retry.ts'
import type { UnreadBlocks } from './unreadBlocks.ts'

type Deps = Readonly<{
  client: ChainClient
  log: Log
  store: RequestStore
  watchList: WatchList
  unread: UnreadBlocks
  reconciler: Reconciler
}>

type Args = Readonly<{
  tracked: Tracked
  /** Heights of stored rows from an earlier run. Their blocks may be orphaned by now. */
  suspects: Set<bigint>
}>

/** Maximum number of unread blocks, more than a reorg leaves behind. Beyond it, following restarts. */
const maxUnread = 20

/** Reads the events of all unread blocks and reconciles the stored rows with them, lowest block first. */
export function createProcessBlocks(
  { client, log, store, watchList, unread, reconciler }: Deps,
  { tracked, suspects }: Args,
  signal: AbortSignal,
): () => Promise<void> {
  const { chainId } = tracked

  async function processBlock(block: FollowedBlock): Promise<void> {
    const events = await readEvents({ client, store }, tracked, block, signal)
    const isSuspect = suspects.has(block.number)
    if (isEmpty(events) && !isSuspect && !reconciler.isDue()) return
    const above = isSuspect ? { above: block.number - 1n } : {}
    for (const txHash of await reconciler.reconcile({ events, ...above }, signal))
      watchList.add({ txHash }, block.number)
    suspects.delete(block.number)
  }

  /**
   * Leaves a block unread if a transaction is missing and another block has its height now: a reorg event follows. If
   * no such event follows, because a lagging node returned the other block, the block is read with the next event.
   */
  async function processOrDefer(block: FollowedBlock): Promise<void> {
    try {
      await processBlock(block)
      unread.remove([block])
    } catch (error) {
      if (!(error instanceof MissingTransactionError)) throw error
      const present = await readHeaderAt(client, block.number, signal)
      if (present?.hash === block.hash) throw error
      const { number, hash } = block
      log.info({ chainId, number, hash, reason: error.message }, 'Deferred reading a block')
    }
  }

  return async () => {
    for (const block of unread.all())
      await retry({ log, signal }, { chainId, task: 'process a block' }, () =>
        processOrDefer(block),
      )
    const count = unread.all().length
    if (count > maxUnread) throw new Error(`${count} blocks in a row cannot be read`)
  }
}

/** Inspects the watched transactions that the block contains, or that are due at its height. */
export async function inspectWatched(
  { client, watchList }: Pick<Deps, 'client' | 'watchList'>,
  inspector: Inspector,
  block: FollowedBlock,
  signal: AbortSignal,
): Promise<void> {
  if (watchList.size() === 0) return
  const hashes = await readTransactionHashes(client, block, signal)
  for (const watched of watchList.due(hashes ?? [], block.number)) inspector.inspect(watched)
}
