import { RateLimitedError } from '#src/chains/rpc/rpcError.ts'
import { type Priority, priorities, shareOf } from './priority.ts'
import { createRequestRate } from './requestRate.ts'

/** Limits the request rate and the concurrent requests of one endpoint. More urgent requests start first. */
export type RequestBudget = Readonly<{
  /**
   * Runs `work` once the limits allow it. If it throws RateLimitedError, later work is slowed down. A fired `signal`
   * removes waiting work from the queue.
   * @throws RateLimitedError if the queue is full; the reason of `signal`; what `work` throws.
   */
  run: <Result>(
    priority: Priority,
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ) => Promise<Result>
  /** Whether a request of this priority would have to wait. */
  isFull: (priority: Priority) => boolean
  state: () => Readonly<{
    inFlight: number
    waiting: number
    /** The configured or learnt rate; Infinity while none is known. */
    requestsPerSecond: number
  }>
}>

type Waiting = Readonly<{ admit: () => void; reject: (reason: unknown) => void }>

/** Enough for the start of the slowest configuration, and a bound of the memory. */
const maxWaiting = 10_000

/** @param closing when it fires, waiting and later requests are rejected. */
export function createRequestBudget({
  requestsPerSecond,
  maxInFlight,
  closing,
}: Readonly<{
  requestsPerSecond: number
  maxInFlight: number
  closing: AbortSignal
}>): RequestBudget {
  const queues = new Map(priorities.map((priority) => [priority, new Set<Waiting>()]))
  const rate = createRequestRate(requestsPerSecond)
  let inFlight = 0
  let timer: NodeJS.Timeout | undefined

  const waitingCount = () => [...queues.values()].reduce((sum, { size }) => sum + size, 0)
  const hasPlace = (priority: Priority) => inFlight < shareOf(priority, maxInFlight)
  const canStart = (priority: Priority) => hasPlace(priority) && rate.waitMs(priority) <= 0
  /** Whether requests of this or a more urgent priority are waiting. */
  const hasQueue = (priority: Priority) =>
    priorities
      .slice(0, priorities.indexOf(priority) + 1)
      .some((each) => (queues.get(each)?.size ?? 0) > 0)
  const isFull = (priority: Priority) => hasQueue(priority) || !canStart(priority)

  /** Waits until the work may start, and returns the start time. */
  function enter(priority: Priority, signal: AbortSignal | undefined): Promise<number> {
    signal?.throwIfAborted()
    closing.throwIfAborted()
    const start = () => {
      inFlight += 1
      return rate.start()
    }
    if (!isFull(priority)) return Promise.resolve(start())
    if (waitingCount() >= maxWaiting)
      throw new RateLimitedError('too many requests wait for this endpoint')
    return new Promise((resolve, reject) => {
      const forget = () => signal?.removeEventListener('abort', abort)
      const waiting: Waiting = {
        admit: () => {
          forget()
          resolve(start())
        },
        reject: (reason) => {
          forget()
          queues.get(priority)?.delete(waiting)
          reject(reason)
        },
      }
      const abort = () => waiting.reject(signal?.reason)
      queues.get(priority)?.add(waiting)
      signal?.addEventListener('abort', abort, { once: true })
      admitWaiting()
    })
  }

  /** Starts the waiting work that the limits allow, and sets the timer for the next. */
  function admitWaiting(): void {
    clearTimeout(timer)
    let soonestMs = Number.POSITIVE_INFINITY
    for (const priority of priorities) {
      const queue = queues.get(priority) ?? new Set<Waiting>()
      for (const waiting of queue) {
        if (!canStart(priority)) break
        queue.delete(waiting)
        waiting.admit()
      }
      // If the limit of concurrent requests is reached, the end of other work calls this function.
      if (queue.size > 0 && hasPlace(priority))
        soonestMs = Math.min(soonestMs, rate.waitMs(priority))
    }
    if (soonestMs < Number.POSITIVE_INFINITY)
      timer = setTimeout(admitWaiting, Math.ceil(Math.max(soonestMs, 1)))
  }

  closing.addEventListener('abort', () => {
    clearTimeout(timer)
    for (const waiting of [...queues.values()].flatMap((queue) => [...queue]))
      waiting.reject(closing.reason)
  })

  return {
    run: async (priority, work, signal) => {
      const startedAt = await enter(priority, signal)
      try {
        const result = await work()
        rate.reportAnswer(waitingCount() > 0)
        return result
      } catch (error) {
        if (error instanceof RateLimitedError) rate.reportRefusal(startedAt, error.retryAfterMs)
        throw error
      } finally {
        inFlight -= 1
        admitWaiting()
      }
    },
    isFull,
    state: () => ({
      inFlight,
      waiting: waitingCount(),
      requestsPerSecond: rate.perSecond(),
    }),
  }
}
