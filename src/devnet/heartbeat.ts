import type { Log } from '#src/log.ts'

export type Heartbeat = Readonly<{
  /** Resolves once no beat is under way and none will come. */
  stop: () => Promise<void>
}>

/** Runs `beat` at intervals, one at a time; a beat that fails is logged and the next one comes. */
export function startHeartbeat(
  { log }: { log: Log },
  milliseconds: number,
  beat: () => Promise<void>,
): Heartbeat {
  let running: Promise<void> = Promise.resolve()
  let isIdle = true
  const timer = setInterval(() => {
    if (!isIdle) return
    isIdle = false
    running = beat()
      .catch((error: unknown) => log.warn({ err: error }, 'the devnet missed a beat'))
      .finally(() => {
        isIdle = true
      })
  }, milliseconds)
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
