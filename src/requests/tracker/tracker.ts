import { backOff } from '#src/chains/backoff.ts'
import type { ChainConfig } from '#src/config/config.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { Address } from '#src/core/units/address.ts'
import { WrongGenesisError } from './findStart.ts'
import { type FollowDeps, type Following, startFollowing } from './follow.ts'
import { createWatchList } from './inspect/watchList.ts'
import type { Tracked } from './read/trackedLogs.ts'

type TrackerArgs = Readonly<{
  chain: ChainConfig
  /** Currencies whose plain transfers to the depository may be deposits. */
  depositCurrencies: ReadonlySet<Address>
  /** Whether the chain may restart under its id. Then the rows of the old one are deleted. */
  isDevnet: boolean
}>

/** For metrics and health checks. */
type TrackerStatus = Readonly<{
  /** Height of the last followed block; undefined before the first. */
  head: bigint | undefined
  /** Height of the saved final block from which a restart follows the chain. */
  cursor: bigint | undefined
  /** Number of transactions on the watch list. */
  watched: number
  /** Number of restarts after a failure or a reorg that was too deep. */
  restarts: number
  /** Whether the node's block 0 differs from the stored chain's. Nothing is tracked meanwhile. */
  hasWrongGenesis: boolean
}>

/** Follows one chain and stores the transactions of users and of the solver for requests. */
export type Tracker = Readonly<{
  /** Runs until the signal fires. One process per chain is enough; more are safe but waste work. */
  run: (signal: AbortSignal) => Promise<void>
  status: () => TrackerStatus
}>

/** Connects to nothing yet. @throws Error if the chain has none of our contracts. */
export function createTracker(
  deps: Omit<FollowDeps, 'watchList'>,
  { chain, depositCurrencies, isDevnet }: TrackerArgs,
): Tracker {
  const { id: chainId, contracts, wrappedNative } = chain
  if (contracts === undefined) throw new Error(`Chain ${chainId} has no contracts to track`)
  const tracked: Tracked = { chainId, contracts, wrappedNative, depositCurrencies }
  const watchList = createWatchList(deps.now)
  let following: Following | undefined
  let restarts = 0
  let hasWrongGenesis = false

  async function run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      const before = following?.head()
      try {
        const args = { chain, tracked, isDevnet }
        following = await startFollowing({ ...deps, watchList }, args, signal)
        hasWrongGenesis = false
        await following.ended
      } catch (error) {
        if (signal.aborted) break
        failures = following?.head() === before ? failures + 1 : 1
        restarts += 1
        const facts = { chainId, reason: reasonOf(error) }
        if (error instanceof WrongGenesisError && !hasWrongGenesis)
          deps.log.error(facts, 'RPC endpoint serves the wrong chain; tracking paused')
        else deps.log.warn(facts, 'Restarting tracking from its cursor')
        hasWrongGenesis = error instanceof WrongGenesisError
        await backOff(failures, signal)
      }
    }
    await storeWatched()
  }

  /** Stores the watched transactions as hints for the next process that tracks the chain. */
  async function storeWatched(): Promise<void> {
    for (const watched of watchList.all()) {
      watchList.remove(watched)
      await deps.store.addHint({ chainId, ...watched }).catch((error: unknown) => {
        deps.log.warn({ chainId, reason: reasonOf(error) }, 'Lost a watched transaction')
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
      hasWrongGenesis,
    }),
  }
}
