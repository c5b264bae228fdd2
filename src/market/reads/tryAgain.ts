import { setTimeout as pause } from 'node:timers/promises'
import { BaseError } from 'viem'
import { RpcRefusedError } from '#src/chains/rpcError.ts'
import type { Log } from '#src/log.ts'
import type { ChainId } from '#src/units/chainId.ts'

const shortestPauseMs = 250
const longestPauseMs = 15_000

/**
 * What `run` gives, tried up to `tries` times; undefined when it failed each time, the node refused
 * it, or `signal` fired. Each failure is logged with what could not be done.
 */
export async function tryAgain<Value>(
  { log, signal }: Readonly<{ log: Log; signal: AbortSignal }>,
  task: Readonly<{ chainId: ChainId; name: string; tries: number }>,
  run: () => Promise<Value>,
): Promise<Value | undefined> {
  for (let failures = 1; failures <= task.tries && !signal.aborted; failures++) {
    try {
      return await run()
    } catch (error) {
      const { chainId, name } = task
      log.warn({ chainId, reason: reasonOf(error), failures }, `Could not ${name}`)
      if (error instanceof RpcRefusedError) return undefined
      if (failures < task.tries) await rest(failures, signal)
    }
  }
  return undefined
}

/** A pause after so many failures in a row, doubled with each; it ends at once when `signal` fires. */
export const rest = (failures: number, signal: AbortSignal): Promise<void> =>
  pause(Math.min(shortestPauseMs * 2 ** (failures - 1), longestPauseMs), undefined, {
    signal,
  }).catch(() => undefined)

/** For the log: without URLs, keys and calldata. */
export function reasonOf(error: unknown): string {
  if (error instanceof RpcRefusedError) return error.reason
  // viem's whole messages hold the calldata, which may be kilobytes.
  if (error instanceof BaseError) return error.shortMessage
  return error instanceof Error ? error.message : String(error)
}
