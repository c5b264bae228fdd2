import type { Log } from '#src/config/log.ts'

/**
 * Kills this process after `seconds`, unless it has ended by then. `process.exit` would wait for threads, and a thread
 * whose disk does not answer never ends. Acknowledged data is stored, and child processes end with this process.
 */
export function killAfter(seconds: number, log: Pick<Log, 'error'>): void {
  setTimeout(() => {
    log.error(`Killed: did not stop within ${seconds} seconds (SHUTDOWN_SECONDS)`)
    process.kill(process.pid, 'SIGKILL')
  }, seconds * 1_000)
}
