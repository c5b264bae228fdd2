import type { ChainClient } from '#src/chains/chainClient.ts'
import type { Log } from '#src/log.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { FollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import type { Turns } from '#src/requests/tracker/mutex.ts'
import { isEmpty } from '#src/requests/tracker/read/readEvents.ts'
import type { Tracked } from '#src/requests/tracker/read/trackedLogs.ts'
import type { Settler } from '#src/requests/tracker/reconcile.ts'
import { reasonOf } from '#src/requests/tracker/retry.ts'
import { lookAt } from './inspectTransaction.ts'
import type { Watched, WatchList } from './watchList.ts'

type Deps = Readonly<{
  client: Pick<ChainClient, 'ask'>
  log: Log
  store: RequestStore
  followed: FollowedBlocks
  settler: Settler
  turns: Turns
  watchList: WatchList
}>

/** Looks at single transactions beside the blocks, a few at once. */
export type Looks = Readonly<{
  /** Of one transaction one look is taken at a time: it may be named for several requests. */
  look: (watched: Watched) => void
  /** Resolves once no look is under way. */
  ended: () => Promise<void>
}>

const mostAtOnce = 8

export function createLooks(deps: Deps, tracked: Tracked, signal: AbortSignal): Looks {
  const { log, followed, settler, turns, watchList } = deps
  const waiting = new Map<string, Watched>()
  const busy = new Set<string>()
  const running = new Set<Promise<void>>()
  const keyOf = ({ txHash, requestId }: Watched) => `${txHash}${requestId}`

  async function take(watched: Watched): Promise<void> {
    const look = await lookAt(deps, tracked, watched, signal)
    if (look === undefined) {
      watchList.add(watched)
      return
    }
    await turns(async () => {
      const { block, sightings } = look
      if (followed.standing(block) !== 'in') {
        watchList.add(watched, followed.head().number)
        return
      }
      if (!isEmpty(sightings)) await settler.settle({ sightings }, signal)
      const { depositConfirmations } = settler.rules
      const isOpen = sightings.approvals.length > 0 && !followed.isDeep(block, depositConfirmations)
      if (isOpen) watchList.add(watched, block.number + BigInt(depositConfirmations))
      else watchList.remove(watched)
    })
  }

  async function run(watched: Watched): Promise<void> {
    busy.add(watched.txHash)
    try {
      await take(watched)
    } catch (error) {
      // With the next block.
      watchList.add(watched, followed.head().number)
      if (!signal.aborted)
        log.debug({ ...watched, reason: reasonOf(error) }, 'Could not look at a transaction')
    }
    busy.delete(watched.txHash)
  }

  function startMore(): void {
    for (const [key, watched] of waiting) {
      if (signal.aborted || running.size >= mostAtOnce) return
      if (busy.has(watched.txHash)) continue
      waiting.delete(key)
      const look = run(watched).then(() => {
        running.delete(look)
        startMore()
      })
      running.add(look)
    }
  }

  return {
    look: (watched) => {
      waiting.set(keyOf(watched), watched)
      startMore()
    },
    ended: async () => {
      await Promise.all(running)
    },
  }
}
