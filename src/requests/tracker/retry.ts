import { setTimeout as pause } from 'node:timers/promises'
import { RpcRefusedError } from '#src/chains/rpcError.ts'
import type { Log } from '#src/log.ts'

const shortestPauseMs = 100
const longestPauseMs = 10_000

/** A pause after so many failures in a row, doubled with each; it ends at once when `signal` fires. */
export const rest = (failures: number, signal: AbortSignal): Promise<void> =>
  pause(Math.min(shortestPauseMs * 2 ** (failures - 1), longestPauseMs), undefined, {
    signal,
  }).catch(() => undefined)

export const reasonOf = (error: unknown): string => {
  if (error instanceof RpcRefusedError) return error.reason
  return error instanceof Error ? error.message : String(error)
}

/** What `run` gives once it succeeds; undefined when `signal` fires before. */
export async function persist<Value>(
  { log, signal }: Readonly<{ log: Log; signal: AbortSignal }>,
  { chainId, name }: Readonly<{ chainId: number; name: string }>,
  run: () => Promise<Value>,
): Promise<Value | undefined> {
  for (let failures = 1; !signal.aborted; failures += 1) {
    try {
      return await run()
    } catch (error) {
      if (signal.aborted) return undefined
      const level = failures === 1 ? 'warn' : 'debug'
      log[level]({ chainId, reason: reasonOf(error), failures }, `Could not ${name}; trying on`)
      await rest(failures, signal)
    }
  }
  return undefined
}
