import { AppError } from '#src/core/errors.ts'

/** Limits the concurrency of one kind of work. */
export type CallGate = Readonly<{
  /**
   * Runs `work` once the limit allows it. A fired `signal` removes waiting work from the queue.
   * @throws the error of the gate if its queue is full; the reason of `signal`; what `work` throws.
   */
  run: <Result>(work: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>
}>

/** The queue for requests to the nodes of a chain is full. */
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

/** @param busyError creates the error that is thrown if the queue is full. */
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

  /** Starts the work that has waited longest, or frees the place. */
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
