import type { Log } from '#src/config/log.ts'

/** Runs `act` and returns its result. */
type Around = <Value>(act: () => Promise<Value>) => Promise<Value>

export type Heartbeat = Readonly<{
  /** Advances the next beats: the interval restarts at `shortestMilliseconds` and grows with each beat. */
  hurry: () => void
  /** During `act` no beat runs or starts. Afterwards the next beats come early, as after `hurry`. */
  suspend: Around
  /** During `act` a beat starts only after a call of `hurry`. */
  beatOnlyOnHurry: Around
  /** Resolves when the last beat has ended. No further one starts. */
  stop: () => Promise<void>
}>

const shortestMilliseconds = 20
/** Factor by which the interval grows with each beat. */
const growth = 4

/** Runs `beat` at an interval, one at a time. It logs a beat that fails and goes on. */
export function startHeartbeat(
  { log }: { log: Log },
  milliseconds: number,
  beat: () => Promise<void>,
): Heartbeat {
  let running: Promise<void> = Promise.resolve()
  let isIdle = true
  let isStopped = false
  let isHurried = false
  let suspensions = 0
  let onHurryOnly = 0
  let interval = milliseconds
  let startedAt = performance.now()
  let timer: NodeJS.Timeout

  function start(): void {
    isIdle = false
    isHurried = false
    startedAt = performance.now()
    interval = Math.min(interval * growth, milliseconds)
    running = beat()
      .catch((error: unknown) => log.warn({ err: error }, 'The devnet failed to mine a block'))
      .finally(() => {
        isIdle = true
        schedule()
      })
  }

  function schedule(): void {
    clearTimeout(timer)
    const isDue = isHurried || onHurryOnly === 0
    if (!isDue || !isIdle || isStopped || suspensions > 0) return
    timer = setTimeout(start, Math.max(startedAt + interval - performance.now(), 0))
  }

  function shortenInterval(): void {
    interval = Math.min(shortestMilliseconds, milliseconds)
    schedule()
  }

  schedule()
  return {
    hurry: () => {
      isHurried = true
      shortenInterval()
    },
    suspend: async (act) => {
      suspensions += 1
      clearTimeout(timer)
      try {
        await running
        return await act()
      } finally {
        suspensions -= 1
        shortenInterval()
      }
    },
    beatOnlyOnHurry: async (act) => {
      onHurryOnly += 1
      schedule()
      try {
        return await act()
      } finally {
        onHurryOnly -= 1
        shortenInterval()
      }
    },
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
