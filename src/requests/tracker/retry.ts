import { backOff } from '#src/chains/backoff.ts'
import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'

/** Repeats `run` with growing pauses until it succeeds, and returns its result; undefined once `signal` fires. */
export async function retry<Value>(
  { log, signal }: Readonly<{ log: Log; signal: AbortSignal }>,
  { chainId, task }: Readonly<{ chainId: number; task: string }>,
  run: () => Promise<Value>,
): Promise<Value | undefined> {
  for (let failures = 1; !signal.aborted; failures += 1) {
    try {
      return await run()
    } catch (error) {
      if (signal.aborted) return undefined
      const level = failures === 1 ? 'warn' : 'debug'
      log[level]({ chainId, reason: reasonOf(error), failures }, `Could not ${task}; retrying`)
      await backOff(failures, signal)
    }
  }
  return undefined
}
