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
   * The result of a pure function. The client goes first that has taken the least time. So an order that takes little
   * time passes those that take long, and a client that asks much delays mostly itself.
   * @throws OverloadedError if too many orders wait or are paused, or this one for too long; the errors of `price`.
   */
  run: <Priced>(client: string, price: () => Priced) => Promise<Priced>
  /**
   * The longest time, in milliseconds, that an order ahead of a new one of this client has waited for its first slice. 0 if
   * others were not priced for a slice meanwhile: a long turn of the event loop is no queue.
   */
  waitMs: (client: string) => number
  /** The result, in the time that clients leave: one after another. @throws as `price` */
  runInBackground: <Priced>(price: () => Priced) => Promise<Priced>
}>

/** Milliseconds of pricing in one turn of the event loop. Most orders take less. */
const sliceMs = 3
/** Maximum number of orders that wait. */
const maxWaiting = 2_000
/**
 * Maximum number of paused orders. Each holds copies of its pools: 0.1 MB for a thousand, and 2 MB if it has 16 origins
 * on one chain.
 */
const maxPaused = 64
/** A client that has taken little has at most this advantage over those that wait, in milliseconds. */
const maxHeadStartMs = 100
/** Maximum number of clients without orders whose time is known. */
const maxIdle = 2_000
/** The orders of a client that take turns. */
const maxInTurns = 4
/** Every eighth turn begins with the order that has waited longest, so that none waits forever. */
const agingTurns = 8
/** An order that has no price after this time is refused: nobody expects its answer any more. */
const maxWaitMs = 10_000
/**
 * Under load the background gets this share of the time of the clients. Without it, full load would stop the background.
 */
const shareUnderLoad = 0.2

type Job = {
  readonly beganAt: number
  /** Milliseconds of pricing before it came. */
  readonly workBefore: number
  /** Milliseconds of its slices so far. */
  took: number
  /** Prices until then. Returns whether the promise is settled. */
  readonly price: (until: number) => boolean
  readonly fail: (error: unknown) => void
}

/**
 * A client with orders that wait, and the milliseconds that it took. One that takes less than others counts as having taken
 * `maxHeadStartMs` less than they.
 */
type Waiting = { readonly jobs: Set<Job>; took: number }

type Named = Readonly<{ name: string; client: Waiting }>

type Deps = Readonly<{
  /** Monotonic milliseconds. */
  now: () => number
  /** Calls back once the events that have arrived by now are processed. */
  atEndOfTurn: (callback: () => void) => void
}>

export function createPricingQueue({ now, atEndOfTurn }: Deps): PricingQueue {
  const clients = new Map<string, Waiting>()
  /** What clients without orders took, in the order of their last price. */
  const idle = new Map<string, number>()
  /** The largest of the least times that a client with orders had taken: a fair share of the time so far. */
  let share = 0
  /** Since then no client waits. */
  let idleSince = now()
  let size = 0
  let paused = 0
  let turns = 0
  /** Jobs that no client waits for. */
  const background = new Set<Job>()
  let isAwaitingEnd = false
  /** Milliseconds of the clients since the last slice of the background. */
  let tookSince = 0
  /** Milliseconds of the clients in all. */
  let work = 0

  const tookBefore = (name: string): number => {
    const idleMs = size === 0 ? now() - idleSince : 0
    return Math.max(idle.get(name) ?? 0, share + idleMs - maxHeadStartMs)
  }
  const add = (name: string, job: Job): void => {
    const client = clients.get(name) ?? { jobs: new Set(), took: tookBefore(name) }
    // In idle time every client gets its share.
    if (size === 0) share += now() - idleSince
    clients.set(name, client)
    idle.delete(name)
    client.jobs.add(job)
    size += 1
  }
  const retire = (name: string, { took }: Waiting): void => {
    clients.delete(name)
    idle.set(name, took)
    const [oldest = name] = idle.keys()
    if (idle.size > maxIdle) idle.delete(oldest)
    if (clients.size === 0) idleSince = now()
  }
  const remove = (name: string, client: Waiting, job: Job): void => {
    client.jobs.delete(job)
    size -= 1
    if (job.took > 0) paused -= 1
    if (client.jobs.size === 0) retire(name, client)
  }
  const refuse = (name: string, client: Waiting, job: Job): void => {
    remove(name, client, job)
    job.fail(new OverloadedError())
  }
  const best = (isBetter: (client: Waiting, best: Waiting) => boolean) => {
    let found: Named | undefined
    for (const [name, client] of clients)
      if (found === undefined || isBetter(client, found.client)) found = { name, client }
    return found
  }
  const arrivalOf = ({ jobs }: Waiting): number => firstOf(jobs).beganAt
  const longestWaiting = () => best((client, best) => arrivalOf(client) < arrivalOf(best))
  const next = () => best((client, best) => client.took < best.took)
  /** Among equals the one that came last. */
  const largest = () => best((client, best) => client.jobs.size >= best.jobs.size)

  const serve = ({ name, client }: Named, job: Job, end: number): void => {
    const startedAt = now()
    const isSettled = job.price(end)
    const took = now() - startedAt
    client.took += took
    tookSince += took
    work += took
    if (isSettled) remove(name, client, job)
    else {
      if (job.took === 0) paused += 1
      job.took += took
      if (paused > maxPaused) refuseLongest()
    }
  }
  /** Refuses the paused order that has taken the most time, of the client that has taken the most. */
  const refuseLongest = (): void => {
    const isPaused = ({ took }: Job) => took > 0
    let busiest: Named | undefined
    for (const [name, client] of clients)
      if (client.took >= (busiest?.client.took ?? 0) && [...client.jobs].some(isPaused))
        busiest = { name, client }
    if (busiest === undefined) return
    const { name, client } = busiest
    const job = [...client.jobs].reduce((longest, each) =>
      each.took > longest.took ? each : longest,
    )
    refuse(name, client, job)
  }
  const refuseLate = (at: number): void => {
    for (const [name, client] of clients)
      for (const job of client.jobs) {
        if (at - job.beganAt <= maxWaitMs) break
        refuse(name, client, job)
      }
  }
  const workInBackground = (): void => {
    const [job] = background
    if (job === undefined) return
    const startedAt = now()
    if (job.price(startedAt + sliceMs)) background.delete(job)
    tookSince = Math.max(0, tookSince - (now() - startedAt) / shareUnderLoad)
  }

  const endTurn = (): void => {
    isAwaitingEnd = false
    const startedAt = now()
    refuseLate(startedAt)
    const end = startedAt + sliceMs
    const isIdle = size === 0
    turns += 1
    const oldest = turns % agingTurns === 0 ? longestWaiting() : undefined
    if (oldest !== undefined) serve(oldest, firstOf(oldest.client.jobs), end)
    for (let first = next(); first !== undefined && now() < end; first = next()) {
      share = Math.max(share, first.client.took)
      serve(first, quickestOf(first.client.jobs), end)
    }
    // After an order its answer goes first, unless the background has waited for long.
    if (isIdle || tookSince * shareUnderLoad > sliceMs) workInBackground()
    if (size + background.size > 0) awaitEndOfTurn()
  }
  const awaitEndOfTurn = (): void => {
    if (isAwaitingEnd) return
    isAwaitingEnd = true
    atEndOfTurn(endTurn)
  }
  /** Makes room by refusing the newest order of the client that has the most. */
  const makeRoom = (): void => {
    const full = size > maxWaiting ? largest() : undefined
    const newest = [...(full?.client.jobs ?? [])].at(-1)
    if (full !== undefined && newest !== undefined) refuse(full.name, full.client, newest)
  }

  return {
    run: (name, price) =>
      new Promise((resolve, reject) => {
        add(name, createJob({ price, now, work, resolve, reject }))
        makeRoom()
        awaitEndOfTurn()
      }),
    waitMs: (name) => {
      const took = clients.get(name)?.took ?? tookBefore(name)
      let longest = 0
      for (const client of clients.values()) {
        const job = client.took <= took ? firstWithoutSlice(client) : undefined
        if (job !== undefined && work - job.workBefore > sliceMs)
          longest = Math.max(longest, now() - job.beganAt)
      }
      return longest
    },
    runInBackground: (price) =>
      new Promise((resolve, reject) => {
        background.add(createJob({ price, now, work, resolve, reject }))
        awaitEndOfTurn()
      }),
  }
}

const firstOf = (jobs: ReadonlySet<Job>): Job => jobs.values().next().value as Job

/** The one of the oldest orders that has taken the least time. */
const quickestOf = (jobs: ReadonlySet<Job>): Job =>
  [...jobs].slice(0, maxInTurns).reduce((best, each) => (each.took < best.took ? each : best))

function firstWithoutSlice({ jobs }: Waiting): Job | undefined {
  for (const job of jobs) if (job.took === 0) return job
  return undefined
}

function createJob<Priced>({
  price,
  now,
  work,
  resolve,
  reject,
}: Readonly<{
  price: () => Priced
  now: () => number
  work: number
  resolve: (priced: Priced) => void
  reject: (error: unknown) => void
}>): Job {
  const pausable = createPausable(price, now)
  return {
    beganAt: now(),
    workBefore: work,
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
