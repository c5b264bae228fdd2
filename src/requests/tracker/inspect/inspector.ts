import type { Rpc } from '#src/chains/rpc/chainClient.ts'
import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { FollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import type { Mutex } from '#src/requests/tracker/mutex.ts'
import { isEmpty } from '#src/requests/tracker/read/readEvents.ts'
import type { Tracked } from '#src/requests/tracker/read/trackedLogs.ts'
import type { Reconciler } from '#src/requests/tracker/reconcile.ts'
import { createFairShares } from './fairShares.ts'
import { inspectTransaction } from './inspectTransaction.ts'
import { keyOf, maxWatched, ownerOf, type Watched, type WatchList } from './watchList.ts'

type Deps = Readonly<{
  client: Rpc
  log: Log
  store: RequestStore
  followed: FollowedBlocks
  reconciler: Reconciler
  mutex: Mutex
  watchList: WatchList
}>

/** Inspects single transactions in parallel with the blocks, a few at a time. */
export type Inspector = Readonly<{
  /** Queues an inspection. Several inspections of one transaction, for different requests, run one after the other. */
  inspect: (watched: Watched) => void
  /** Resolves once no inspection is running. */
  ended: () => Promise<void>
}>

const maxParallel = 8

export function createInspector(deps: Deps, tracked: Tracked, signal: AbortSignal): Inspector {
  const { log, followed, reconciler, mutex, watchList } = deps
  // A dropped entry stays on the watch list, and is inspected with the block that contains it.
  const waiting = createFairShares<Watched>(maxWatched)
  const busy = new Set<string>()
  const running = new Set<Promise<void>>()

  async function inspect(watched: Watched): Promise<void> {
    const inspection = await inspectTransaction(deps, tracked, watched, signal)
    if (inspection === undefined) {
      watchList.add(watched)
      return
    }
    await mutex(async () => {
      const { block, events } = inspection
      if (followed.statusOf(block) !== 'canonical') {
        watchList.add(watched, followed.head().number)
        return
      }
      if (!isEmpty(events)) await reconciler.reconcile({ events }, signal)
      const { depositConfirmations } = reconciler.rules
      // An approval or a reverted step is inspected again once it is confirmed.
      const isOpen =
        events.approvals.length + events.reverts.length > 0 &&
        !followed.isConfirmed(block, depositConfirmations)
      if (isOpen) watchList.add(watched, block.number + BigInt(depositConfirmations))
      else watchList.remove(watched)
    })
  }

  async function run(watched: Watched): Promise<void> {
    busy.add(watched.txHash)
    try {
      await inspect(watched)
    } catch (error) {
      // Inspected again at the next block.
      watchList.add(watched, followed.head().number)
      if (!signal.aborted)
        log.debug({ ...watched, reason: reasonOf(error) }, 'Could not inspect a transaction')
    }
    busy.delete(watched.txHash)
  }

  function startMore(): void {
    while (!signal.aborted && running.size < maxParallel) {
      const watched = waiting.take(({ txHash }) => !busy.has(txHash))
      if (watched === undefined) return
      const inspection = run(watched).then(() => {
        running.delete(inspection)
        startMore()
      })
      running.add(inspection)
    }
  }

  return {
    inspect: (watched) => {
      waiting.set(ownerOf(watched), keyOf(watched), watched)
      startMore()
    },
    ended: async () => {
      await Promise.all(running)
    },
  }
}
