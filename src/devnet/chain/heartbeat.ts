import type { Log } from '#src/log.ts'

/** Runs something and gives its result. */
type Around = <Value>(act: () => Promise<Value>) => Promise<Value>

export type Heartbeat = Readonly<{
  /** Brings the next beats forward: the interval starts at `shortestMilliseconds` and grows with each beat. */
  hurry: () => void
  /** No beat runs or starts meanwhile; then the beats hurry. */
  suspend: Around
  /** Meanwhile a beat starts only after a call of `hurry`. */
  onlyHurried: Around
  /** Resolves once no beat is running and no further one starts. */
  stop: () => Promise<void>
}>

const shortestMilliseconds = 20
/** After a hurried beat the next one comes this many times later. */
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
  let restraints = 0
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
    const isDue = isHurried || restraints === 0
    if (!isDue || !isIdle || isStopped || suspensions > 0) return
    timer = setTimeout(start, Math.max(startedAt + interval - performance.now(), 0))
  }

  function quicken(): void {
    interval = Math.min(shortestMilliseconds, milliseconds)
    schedule()
  }

  schedule()
  return {
    hurry: () => {
      isHurried = true
      quicken()
    },
    suspend: async (act) => {
      suspensions += 1
      clearTimeout(timer)
      try {
        await running
        return await act()
      } finally {
        suspensions -= 1
        quicken()
      }
    },
    onlyHurried: async (act) => {
      restraints += 1
      schedule()
      try {
        return await act()
      } finally {
        restraints -= 1
        quicken()
      }
    },
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
