import { backoffMs } from '#src/chains/backoff.ts'
import { createWakeSignal } from '#src/chains/wakeSignal.ts'
import type { Log } from '#src/config/log.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { UpkeptPools } from '#src/market/pools/chainPools.ts'
import type { DepthChecks } from '#src/market/pools/selection/poolSelection.ts'
import type { CallBudget } from '#src/market/reads/callBudget.ts'
import { retry } from '#src/market/reads/retry.ts'

type Upkeep = Readonly<{
  /** Must be called after each block, and when a caller requests a currency. */
  wake: () => void
  /** Stops the upkeep. Resolves when no read is running. */
  stop: () => Promise<void>
}>

type Deps = Readonly<{
  pools: UpkeptPools
  selection: DepthChecks
  budget: CallBudget
  log: Log
  /** A monotonic clock, in milliseconds. */
  now: () => number
  /** Called after the graph of the pools has changed. */
  onChange: () => void
}>

/** Node's timers overflow above 24 days. */
const maxWaitMs = 60_000

/**
 * Reads new and uncertain pools immediately, and retries a failed read at the next block. As far as the budget allows,
 * alternates between the verification of followed pools and depth checks. Runs in parallel with the following of
 * blocks, which never waits for it.
 */
export function startUpkeep(
  { pools, selection, budget, log, now, onChange }: Deps,
  chainId: ChainId,
): Upkeep {
  const ending = new AbortController()
  const { signal } = ending
  const wakeSignal = createWakeSignal()
  let refreshedAt: string | undefined
  let failures = 0
  let hasCheckedDepths = false
  /** The time of `now` before which no depth check and no verification begins. */
  let backoffUntil = Number.NEGATIVE_INFINITY

  /** Only logs a failure: the pools stay unread or due. Changes that were made before the failure are published. */
  async function attempt(name: string, run: () => Promise<boolean>): Promise<void> {
    const hasEnded = await retry({ log, signal }, { chainId, name, maxAttempts: 1 }, async () => {
      let isChanged = true
      try {
        isChanged = await run()
      } finally {
        if (isChanged && !signal.aborted) onChange()
      }
      return true
    })
    failures = hasEnded ? 0 : failures + 1
    backoffUntil = failures > 0 ? now() + backoffMs(failures) : Number.NEGATIVE_INFINITY
  }

  /** Runs the task that is due; alternates if both are due. */
  async function checkOrVerify(): Promise<void> {
    hasCheckedDepths =
      selection.checkInMs() === 0 && !(hasCheckedDepths && pools.verifyInMs() === 0)
    if (hasCheckedDepths) await attempt('check the depths of pools', () => selection.checkDepths())
    else await attempt('verify pools', () => pools.verify())
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const hash = pools.head()?.hash
      const dueInMs = Math.min(pools.verifyInMs(), selection.checkInMs())
      const pauseMs = Math.max(budget.waitMs(), dueInMs, backoffUntil - now())
      if (pools.hasUnread() && refreshedAt !== hash) {
        refreshedAt = hash
        await attempt('refresh pools', () => pools.refresh())
      } else if (pauseMs > 0) await wakeSignal.wait(Math.min(pauseMs, maxWaitMs))
      else await checkOrVerify()
    }
  }

  const running = run()
  return {
    wake: wakeSignal.wake,
    stop: async () => {
      ending.abort()
      wakeSignal.wake()
      await running
    },
  }
}
