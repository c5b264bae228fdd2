import { AppError } from '#src/errors.ts'

/** Bounds how much work of one kind runs at a time. */
export type CallGate = Readonly<{
  /**
   * Runs `work` once there is room. A fired `signal` takes it out of the queue.
   * @throws the error of the gate if too many wait already; the reason of `signal`; what `work` throws.
   */
  run: <Result>(work: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>
}>

/** Callers ask for more than the nodes of a chain are allowed to be asked at a time. */
export class NodesBusyError extends AppError {
  constructor(chainId: number) {
    super(
      'OVERLOADED',
      `Too many requests wait for the nodes of chain ${chainId}. Try again in 1 s.`,
      { chainId, retryAfterSeconds: 1 },
    )
  }
}

export type GateSize = Readonly<{ maxRunning: number; maxWaiting: number }>

/** @param busyError what is thrown where too many wait. */
export function createCallGate(
  busyError: () => AppError,
  { maxRunning, maxWaiting }: GateSize,
): CallGate {
  const waiting = new Set<() => void>()
  let running = 0

  const enter = (signal: AbortSignal | undefined): Promise<void> => {
    signal?.throwIfAborted()
    if (running < maxRunning) {
      running += 1
      return Promise.resolve()
    }
    if (waiting.size >= maxWaiting) throw busyError()
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(start)
        reject(signal?.reason)
      }
      const start = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      waiting.add(start)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  /** Hands the place to the one who waits longest. */
  const leave = (): void => {
    const [next] = waiting
    if (next === undefined) {
      running -= 1
      return
    }
    waiting.delete(next)
    next()
  }

  return {
    run: async (work, signal) => {
      await enter(signal)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
