import type { ChainEvent, FollowedBlock } from '#src/chains/chainEvent.ts'
import { readHeaderAt } from '#src/chains/read/readBlock.ts'
import { readTransactionHashes } from '#src/chains/read/readTransaction.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Log } from '#src/config/log.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { swapOf } from './decide/transactions.ts'
import type { FollowedBlocks, UnreadBlocks } from './followedBlocks.ts'
import type { Inspector } from './inspect/inspector.ts'
import type { OverlookedSearch } from './inspect/overlooked.ts'
import type { WatchList } from './inspect/watchList.ts'
import { isEmpty, MissingTransactionError, readEvents } from './read/readEvents.ts'
import type { Tracked } from './read/trackedLogs.ts'
import type { Reconciler } from './reconcile.ts'
import { retry } from './retry.ts'

type Deps = Readonly<{
  client: ChainClient
  log: Log
  store: RequestStore
  watchList: WatchList
  followed: FollowedBlocks
  unread: UnreadBlocks
  reconciler: Reconciler
  inspector: Inspector
  overlooked: OverlookedSearch
}>

type Args = Readonly<{
  tracked: Tracked
  /** Heights of stored rows from an earlier run. Their blocks may be orphaned by now. */
  suspects: Set<bigint>
}>

/** Maximum number of unread blocks, more than a reorg leaves behind. Beyond it, following restarts. */
const maxUnread = 20

/** Takes the events of a followed chain one at a time, and brings the stored rows in line with each. */
export class EventTaker {
  readonly #deps: Deps
  readonly #args: Args
  readonly #signal: AbortSignal
  /** Height of the last skipped blocks. The watched transactions are inspected once these blocks are final. */
  #lastSkipped: bigint | undefined

  constructor(deps: Deps, args: Args, signal: AbortSignal) {
    this.#deps = deps
    this.#args = args
    this.#signal = signal
  }

  async take(event: ChainEvent): Promise<void> {
    const { followed, unread, reconciler, overlooked } = this.#deps
    switch (event.type) {
      case 'block':
        return this.#takeBlock(event.block)
      case 'reorg':
        followed.undo(event.undone)
        unread.remove(event.undone)
        await this.#retry('undo orphaned blocks', () => this.#undo())
        return
      case 'finalized':
        followed.finalize(event.block)
        this.#inspectSkipped()
        overlooked.search()
        await this.#retry('save the cursor', reconciler.saveCursor)
    }
  }

  /**
   * Undoes the users' own swaps above the start that a reorg orphaned while nothing followed the chain. This comes
   * before any block is read, because the blocks are searched for payments of those users only whose swap is awaited.
   */
  async undoOrphanedSwaps(start: bigint): Promise<void> {
    const { client, store, followed } = this.#deps
    const swaps = await store.pendingSwaps(this.#args.tracked.chainId)
    const blocks = swaps.flatMap((request) => swapOf(request)?.block ?? [])
    const byHash = new Map(blocks.map((block) => [block.hash, block]))
    const orphaned = await Promise.all(
      [...byHash.values()]
        .filter(({ number }) => number > start)
        .map(async (block) => {
          const present = await readHeaderAt(client, block.number, this.#signal)
          return present === undefined || present.hash === block.hash ? [] : [block]
        }),
    )
    if (orphaned.flat().length === 0) return
    followed.undo(orphaned.flat())
    await this.#undo()
  }

  async #takeBlock(block: FollowedBlock): Promise<void> {
    const { followed, unread, overlooked } = this.#deps
    if (block.number > followed.head().number + 1n) this.#lastSkipped = block.number
    followed.push(block)
    unread.add(block)
    overlooked.record(block)
    await this.#readUnread()
    await this.#retry('inspect watched transactions', () => this.#inspectWatched(block))
  }

  /** Reads the events of all unread blocks and reconciles the stored rows with them, lowest block first. */
  async #readUnread(): Promise<void> {
    const { unread } = this.#deps
    for (const block of unread.all())
      await this.#retry('process a block', () => this.#readOrDefer(block))
    const count = unread.all().length
    if (count > maxUnread) throw new Error(`${count} blocks in a row cannot be read`)
  }

  /**
   * Leaves a block unread if a transaction is missing and another block has its height now: a reorg event follows. If
   * no such event follows, because a lagging node returned the other block, the block is read with the next event.
   */
  async #readOrDefer(block: FollowedBlock): Promise<void> {
    const { client, log, unread } = this.#deps
    try {
      await this.#readBlock(block)
      unread.remove([block])
    } catch (error) {
      if (!(error instanceof MissingTransactionError)) throw error
      const present = await readHeaderAt(client, block.number, this.#signal)
      if (present?.hash === block.hash) throw error
      const { chainId } = this.#args.tracked
      const { number, hash } = block
      log.info({ chainId, number, hash, reason: error.message }, 'Deferred reading a block')
    }
  }

  async #readBlock(block: FollowedBlock): Promise<void> {
    const { reconciler, watchList } = this.#deps
    const { tracked, suspects } = this.#args
    const events = await readEvents(this.#deps, tracked, block, this.#signal)
    const isSuspect = suspects.has(block.number)
    if (isEmpty(events) && !isSuspect && !reconciler.isDue()) return
    const above = isSuspect ? { above: block.number - 1n } : {}
    for (const txHash of await reconciler.reconcile({ events, ...above }, this.#signal))
      watchList.add({ txHash }, block.number)
    suspects.delete(block.number)
  }

  async #undo(): Promise<void> {
    const { followed, reconciler, watchList } = this.#deps
    const above = followed.head().number
    for (const txHash of await reconciler.reconcile({ above }, this.#signal))
      watchList.add({ txHash }, above)
  }

  /** Inspects the watched transactions that the block contains, or that are due at its height. */
  async #inspectWatched(block: FollowedBlock): Promise<void> {
    const { client, watchList, inspector } = this.#deps
    if (watchList.size() === 0) return
    const hashes = await readTransactionHashes(client, block, this.#signal)
    for (const watched of watchList.due(hashes ?? [], block.number)) inspector.inspect(watched)
  }

  #inspectSkipped(): void {
    const { followed, watchList, inspector } = this.#deps
    if (this.#lastSkipped === undefined || followed.final().number < this.#lastSkipped) return
    this.#lastSkipped = undefined
    for (const watched of watchList.all()) inspector.inspect(watched)
  }

  #retry<Value>(task: string, run: () => Promise<Value>): Promise<Value | undefined> {
    const { chainId } = this.#args.tracked
    return retry({ ...this.#deps, signal: this.#signal }, { chainId, task }, run)
  }
}
