import { backoffMs, pause } from '#src/chains/backoff.ts'
import { RpcRefusedError } from '#src/chains/rpc/rpcError.ts'
import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { ChainId } from '#src/core/units/chainId.ts'

const bounds = { minMs: 250, maxMs: 15_000 }

/** Waits after `failures` failures in a row: 0.25 s after the first, doubled with each, at most 15 s. */
export const backOff = (failures: number, signal: AbortSignal): Promise<void> =>
  pause(backoffMs(failures, bounds), signal)

/**
 * Runs `run` up to `maxAttempts` times. Each failure is logged with the task's name. Returns undefined if every
 * attempt failed, if a node refused the request, or if `signal` fired.
 */
export async function retry<Value>(
  { log, signal }: Readonly<{ log: Log; signal: AbortSignal }>,
  task: Readonly<{ chainId: ChainId; name: string; maxAttempts: number }>,
  run: () => Promise<Value>,
): Promise<Value | undefined> {
  for (let failures = 1; failures <= task.maxAttempts && !signal.aborted; failures++) {
    try {
      return await run()
    } catch (error) {
      const { chainId, name } = task
      log.warn({ chainId, reason: reasonOf(error), failures }, `Could not ${name}`)
      if (error instanceof RpcRefusedError) return undefined
      if (failures < task.maxAttempts) await backOff(failures, signal)
    }
  }
  return undefined
}
