import { backoffMs } from '#src/chains/backoff.ts'
import type { Log } from '#src/config/log.ts'
import { AppError, reasonOf } from '#src/core/errors.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { ChainView } from './chainView.ts'

/** Work of the solver that runs in the background of its rounds, so that it never delays a fill. */
export type BackgroundTask = Readonly<{
  /**
   * Starts a run, unless one is under way, or the backoff after a failed run has not passed. Never rejects.
   * @returns whether this call started a run that did its work
   */
  start: (view: ChainView) => Promise<boolean>
  /** Failed runs in a row. */
  failures: () => number
  /** Resolves once no run is under way. */
  ended: () => Promise<unknown>
}>

/**
 * @param deps `now`: milliseconds of any clock
 * @param task `name`: name of the work in the log
 * @param run returns whether the work was done
 */
export function createBackgroundTask(
  { log, now }: Readonly<{ log: Log; now: () => number }>,
  { chainId, name }: Readonly<{ chainId: ChainId; name: string }>,
  run: (view: ChainView) => Promise<boolean>,
): BackgroundTask {
  let running: Promise<boolean> | undefined
  let failures = 0
  let startsAt = Number.NEGATIVE_INFINITY

  async function tryRun(view: ChainView): Promise<boolean> {
    try {
      const isDone = await run(view)
      if (failures > 0) log.info({ chainId, name }, 'Work of the solver goes on')
      failures = 0
      return isDone
    } catch (error) {
      failures += 1
      startsAt = now() + backoffMs(failures)
      const facts = { chainId, name, reason: reasonOf(error) }
      if (error instanceof AppError)
        log[failures === 1 ? 'warn' : 'debug'](facts, 'Work of the solver waits; will retry')
      else log.error({ ...facts, err: error }, 'Work of the solver failed; will retry')
      return false
    } finally {
      running = undefined
    }
  }

  return {
    async start(view) {
      if (running !== undefined || now() < startsAt) return false
      running = tryRun(view)
      return running
    },
    failures: () => failures,
    ended: async () => running,
  }
}
