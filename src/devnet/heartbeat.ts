import type { Log } from '#src/log.ts'

export type Heartbeat = Readonly<{
  /** Brings the next beats forward: `hurriedBeats` of them, `hurriedMilliseconds` apart. */
  hurry: () => void
  /** Runs `act` while no beat runs or starts. */
  suspend: <Value>(act: () => Promise<Value>) => Promise<Value>
  /** Resolves once no beat is running and no further one starts. */
  stop: () => Promise<void>
}>

const hurriedBeats = 2
const hurriedMilliseconds = 20

/** Runs `beat` at an interval, one at a time. It logs a beat that fails and goes on. */
export function startHeartbeat(
  { log }: { log: Log },
  milliseconds: number,
  beat: () => Promise<void>,
): Heartbeat {
  let running: Promise<void> = Promise.resolve()
  let isIdle = true
  let isStopped = false
  let suspensions = 0
  let hurried = 0
  let startedAt = performance.now()
  let timer: NodeJS.Timeout

  function start(): void {
    isIdle = false
    startedAt = performance.now()
    if (hurried > 0) hurried -= 1
    running = beat()
      .catch((error: unknown) => log.warn({ err: error }, 'the devnet missed a beat'))
      .finally(() => {
        isIdle = true
        schedule()
      })
  }

  function schedule(): void {
    clearTimeout(timer)
    if (isStopped || suspensions > 0) return
    const interval = hurried > 0 ? hurriedMilliseconds : milliseconds
    timer = setTimeout(start, Math.max(startedAt + interval - performance.now(), 0))
  }

  schedule()
  return {
    hurry: () => {
      hurried = hurriedBeats
      if (isIdle) schedule()
    },
    suspend: async (act) => {
      suspensions += 1
      clearTimeout(timer)
      try {
        await running
        return await act()
      } finally {
        suspensions -= 1
        schedule()
      }
    },
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
