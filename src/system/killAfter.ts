import type { Log } from '#src/log.ts'

/**
 * Kills this process after `seconds`, unless it has ended by then. `process.exit` would wait for threads, and one whose
 * disk does not answer never ends. What was acknowledged is stored, and the children end with this process.
 */
export function killAfter(seconds: number, log: Pick<Log, 'error'>): void {
  setTimeout(() => {
    log.error(`Killed: did not stop within ${seconds} seconds (SHUTDOWN_SECONDS)`)
    process.kill(process.pid, 'SIGKILL')
  }, seconds * 1_000)
}
