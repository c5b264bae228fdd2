import { AppError } from '#src/core/errors.ts'
import { createPausable } from '#src/core/steps.ts'

/** The gateway has more work than it can do in time. Nothing of the request was done. */
export class OverloadedError extends AppError {
  constructor() {
    super('OVERLOADED', 'The gateway is overloaded. Try again in 1 s.', { retryAfterSeconds: 1 })
  }
}

/** Prices orders in short slices, so that one that takes long delays no other. */
export type PricingQueue = Readonly<{
  /**
   * The result of a pure function. An order that has had no slice goes first, then one of the client that took the
   * least time lately.
   * @throws OverloadedError if too many others go first, and the errors of `price`.
   */
  run: <Priced>(client: string, price: () => Priced) => Promise<Priced>
  /** The same in the background: one after another, in the time that clients leave. @throws as `price` */
  runInBackground: <Priced>(price: () => Priced) => Promise<Priced>
  /** Whether so many orders wait for their first slice that new ones should be refused. */
  isFull: () => boolean
}>

/** Milliseconds of pricing at once. Most orders take less. */
const sliceMs = 4
/** Maximum number of orders that wait. */
const maxWaiting = 128
/** An order that waits for longer is refused: nobody expects its answer any more. */
const maxWaitMs = 10_000
/** The time after which half of what a client took is forgotten. */
const halfLifeMs = 5_000
const forgetMs = 1_000
/**
 * Under load the background gets this share of the time of the clients. Without it, full load would stop the background.
 */
const shareUnderLoad = 0.2

type Job = {
  readonly client: string
  readonly beganAt: number
  /** Milliseconds of its slices so far. */
  took: number
  /** Prices until then. Returns whether the promise is settled. */
  readonly price: (until: number) => boolean
  readonly fail: (error: unknown) => void
}

type Deps = Readonly<{
  /** Monotonic milliseconds. */
  now: () => number
  /** Calls back once the events that have arrived by now are processed. */
  atEndOfTurn: (callback: () => void) => void
}>

export function createPricingQueue({ now, atEndOfTurn }: Deps): PricingQueue {
  const waiting = new Set<Job>()
  /** Jobs that no client waits for. */
  const background = new Set<Job>()
  const usage = createUsage(now)
  /** When orders of this turn of the event loop are no longer priced on arrival. `undefined`: no turn has begun. */
  let until: number | undefined
  /** Milliseconds of the clients since the last slice of the background. */
  let tookSince = 0
  let hasServed = false

  /** Negative if `one` goes before `other`. */
  const compare = (one: Job, other: Job): number =>
    Number(one.took > 0) - Number(other.took > 0) ||
    usage.of(one.client) - usage.of(other.client) ||
    one.took - other.took
  const first = () => pick(waiting, (job, best) => compare(job, best) < 0)
  const last = () => pick(waiting, (job, worst) => compare(job, worst) >= 0)

  /** Returns the milliseconds that it took. */
  const slice = (jobs: Set<Job>, job: Job, end: number): number => {
    const startedAt = now()
    if (job.price(end)) jobs.delete(job)
    const took = now() - startedAt
    job.took += took
    return took
  }
  const serve = (job: Job, end: number): void => {
    const took = slice(waiting, job, end)
    usage.add(job.client, took)
    tookSince += took
    hasServed = true
  }
  const refuse = (job: Job): void => {
    waiting.delete(job)
    job.fail(new OverloadedError())
  }

  const endTurn = (): void => {
    const startedAt = now()
    for (const job of waiting) if (startedAt - job.beganAt > maxWaitMs) refuse(job)
    const end = startedAt + sliceMs
    for (let job = first(); job !== undefined && now() < end; job = first()) serve(job, end)
    const [job] = background
    // After an order its answer goes first, unless the background has waited for long.
    if (job !== undefined && (!hasServed || tookSince * shareUnderLoad > sliceMs)) {
      slice(background, job, now() + sliceMs)
      tookSince = 0
    }
    hasServed = false
    until = undefined
    if (waiting.size + background.size > 0) awaitEndOfTurn()
  }
  const awaitEndOfTurn = (): void => {
    if (until !== undefined) return
    until = now() + sliceMs
    atEndOfTurn(endTurn)
  }
  const enqueue = (jobs: Set<Job>, job: Job): void => {
    jobs.add(job)
    awaitEndOfTurn()
  }

  return {
    run: (client, price) =>
      new Promise((resolve, reject) => {
        const job = createJob({ client, price, now, resolve, reject })
        enqueue(waiting, job)
        if (until !== undefined && now() < until && first() === job) serve(job, until)
        const excess = waiting.size > maxWaiting ? last() : undefined
        if (excess !== undefined) refuse(excess)
      }),
    runInBackground: (price) =>
      new Promise((resolve, reject) => {
        enqueue(background, createJob({ client: '', price, now, resolve, reject }))
      }),
    isFull: () => waiting.size >= maxWaiting && last()?.took === 0,
  }
}

function createJob<Priced>({
  client,
  price,
  now,
  resolve,
  reject,
}: Readonly<{
  client: string
  price: () => Priced
  now: () => number
  resolve: (priced: Priced) => void
  reject: (error: unknown) => void
}>): Job {
  const pausable = createPausable(price, now)
  return {
    client,
    beganAt: now(),
    took: 0,
    price: (until) => {
      const outcome = pausable.run(until)
      if (outcome === undefined) return false
      try {
        resolve(outcome())
      } catch (error) {
        reject(error)
      }
      return true
    },
    fail: reject,
  }
}

/** The first that goes ahead of all before it. */
function pick(jobs: Iterable<Job>, goesAhead: (job: Job, best: Job) => boolean): Job | undefined {
  let best: Job | undefined
  for (const job of jobs) if (best === undefined || goesAhead(job, best)) best = job
  return best
}

/** Milliseconds that each client took lately. Half of it is forgotten in each `halfLifeMs`. */
function createUsage(now: () => number) {
  const byClient = new Map<string, number>()
  let forgottenAt = now()
  const forget = (): void => {
    const passed = now() - forgottenAt
    if (passed < forgetMs) return
    forgottenAt += passed
    const kept = 0.5 ** (passed / halfLifeMs)
    for (const [client, took] of byClient)
      if (took * kept < 1) byClient.delete(client)
      else byClient.set(client, took * kept)
  }
  const of = (client: string): number => byClient.get(client) ?? 0
  return {
    of,
    add: (client: string, took: number): void => {
      forget()
      byClient.set(client, of(client) + took)
    },
  }
}
