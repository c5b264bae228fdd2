import type { ChainConfig } from '#src/config.ts'
import type { Address } from '#src/units/address.ts'
import { type FollowDeps, type Following, startFollowing } from './follow.ts'
import { createWatchList } from './inspect/watchList.ts'
import type { Tracked } from './read/trackedLogs.ts'
import { reasonOf, rest } from './retry.ts'

type TrackerArgs = Readonly<{
  chain: ChainConfig
  /** Of which a plain transfer to the depository is a deposit. */
  depositCurrencies: ReadonlySet<Address>
}>

type TrackerStatus = Readonly<{
  /** Height of the last block that was followed; undefined before the first. */
  head: bigint | undefined
  /** Height of the final block that is followed on from after a restart. */
  cursor: bigint | undefined
  /** Transactions that are waited for because somebody named them. */
  watched: number
  /** Times that following began anew: after a reorg too deep to be undone, or a failure. */
  restarts: number
}>

/** One chain's: sees what users and the solver do there, and stores what becomes of requests by it. */
export type Tracker = Readonly<{
  /** Runs until the signal fires. One at a time a chain is wanted; two do no harm but work. */
  run: (signal: AbortSignal) => Promise<void>
  status: () => TrackerStatus
}>

/** Connects to nothing yet. @throws Error where the chain has none of our contracts. */
export function createTracker(
  deps: Omit<FollowDeps, 'watchList'>,
  { chain, depositCurrencies }: TrackerArgs,
): Tracker {
  const { id: chainId, contracts, wrappedNative } = chain
  if (contracts === undefined)
    throw new Error(`Chain ${chainId} has none of our contracts to track`)
  const tracked: Tracked = { chainId, contracts, wrappedNative, depositCurrencies }
  const watchList = createWatchList(deps.now)
  let following: Following | undefined
  let restarts = 0

  async function run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      const before = following?.head()
      try {
        following = await startFollowing({ ...deps, watchList }, { chain, tracked }, signal)
        await following.ended
      } catch (error) {
        if (signal.aborted) break
        failures = following?.head() === before ? failures + 1 : 1
        restarts += 1
        deps.log.warn(
          { chainId, reason: reasonOf(error) },
          'Tracking starts again where it was saved',
        )
        await rest(failures, signal)
      }
    }
    await leaveWatched()
  }

  /** For whoever tracks the chain next. */
  async function leaveWatched(): Promise<void> {
    for (const watched of watchList.all()) {
      watchList.remove(watched)
      await deps.store.addHint({ chainId, ...watched }).catch((error: unknown) => {
        deps.log.warn({ chainId, reason: reasonOf(error) }, 'A named transaction is forgotten')
      })
    }
  }

  return {
    run,
    status: () => ({
      head: following?.head(),
      cursor: following?.cursor(),
      watched: watchList.size(),
      restarts,
    }),
  }
}
