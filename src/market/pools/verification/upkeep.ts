import { backoffMs } from '#src/chains/backoff.ts'
import { createWakeSignal } from '#src/chains/wakeSignal.ts'
import type { Log } from '#src/log.ts'
import type { ChainPools } from '#src/market/pools/chainPools.ts'
import type { PoolSelection } from '#src/market/pools/selection/poolSelection.ts'
import type { CallBudget } from '#src/market/reads/callBudget.ts'
import { retry } from '#src/market/reads/retry.ts'
import type { ChainId } from '#src/units/chainId.ts'

type Upkeep = Readonly<{
  /** The pools are at another block, or a caller asks for a currency. */
  wake: () => void
  /** Resolves when no read is under way. */
  stop: () => Promise<void>
}>

type Deps = Readonly<{
  pools: Pick<ChainPools, 'head' | 'hasUnread' | 'refresh' | 'verifyInMs' | 'verify'>
  selection: Pick<PoolSelection, 'lookInMs' | 'look'>
  budget: Pick<CallBudget, 'waitMs'>
  log: Log
  /** A monotonic clock, in milliseconds. */
  now: () => number
  /** The graph of the pools has changed. */
  onChange: () => void
}>

/** A timer of Node cannot wait for longer than 24 days. */
const maxWaitMs = 60_000

/**
 * Reads new and uncertain pools at once, once a block while a read fails. Verifies the others, and looks at those that are
 * not followed, in turns as far as the budget allows. It runs beside the following of blocks, which never waits for it.
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
  let hasLooked = false
  /** No look and no verification begins before, by `now`. */
  let restsUntil = Number.NEGATIVE_INFINITY

  /** Does nothing but log a failure: the pools remain unread, or due. What was taken over before it is published. */
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
    restsUntil = failures > 0 ? now() + backoffMs(failures) : Number.NEGATIVE_INFINITY
  }

  /** What is due sooner; if both are due, they take turns. */
  async function lookOrVerify(): Promise<void> {
    hasLooked = selection.lookInMs() === 0 && !(hasLooked && pools.verifyInMs() === 0)
    if (hasLooked) await attempt('look at pools', () => selection.look())
    else await attempt('verify pools', pools.verify)
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const hash = pools.head()?.hash
      const dueInMs = Math.min(pools.verifyInMs(), selection.lookInMs())
      const pauseMs = Math.max(budget.waitMs(), dueInMs, restsUntil - now())
      if (pools.hasUnread() && refreshedAt !== hash) {
        refreshedAt = hash
        await attempt('refresh pools', pools.refresh)
      } else if (pauseMs > 0) await wakeSignal.wait(Math.min(pauseMs, maxWaitMs))
      else await lookOrVerify()
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
