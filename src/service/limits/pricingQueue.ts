import { leastBy } from '#src/core/leastBy.ts'
import { createPausable } from '#src/core/steps.ts'
import { OverloadedError } from './overloadedError.ts'
import { alikeMs, createTimeAccounts, type TimeAccounts } from './timeAccounts.ts'

/** Prices orders in short slices, so that one that takes long delays no other. */
export type PricingQueue = Readonly<{
  /**
   * The result of a pure function. Clients that have taken little time go first, so a client that asks much delays mostly
   * itself.
   * @throws OverloadedError if too many orders wait or are paused, or this one for too long; the errors of `price`.
   */
  run: <Priced>(client: string, price: () => Priced) => Promise<Priced>
  /**
   * The longest time, in milliseconds, that an order ahead of a new one of this client has waited for its first slice. 0 if
   * others were not priced for a slice meanwhile: a long turn of the event loop is no queue.
   */
  waitMs: (client: string) => number
  /** The least time of the clients whose orders wait; Infinity if none does. */
  leastTook: () => number
  /**
   * The result, in the time that orders leave. Clients that have taken little of this time go first. @throws as `price`
   */
  runInBackground: <Priced>(
    client: string,
    price: () => Priced | Promise<Priced>,
  ) => Promise<Priced>
  /** Milliseconds of that time that the client has taken: see `TimeAccounts.tookOf`. */
  tookInBackground: (client: string) => number
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
/** Maximum number of paused orders in the background: beyond it none begins. */
const maxPausedInBackground = 16
/** The orders of a client that take turns. */
const maxInTurns = 4
/** Every eighth turn begins with the order that has waited longest, so that none waits forever. */
const agingTurns = 8
/** An order that has no price after this time is refused: nobody expects its answer any more. */
const maxWaitMs = 10_000
/** Under load, this time of the clients earns the background a slice. Otherwise full load would stop it. */
const earnedMs = 5 * sliceMs

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

/** A client with orders that wait. */
type Waiting = Readonly<{ name: string; jobs: Set<Job> }>

type Deps = Readonly<{
  /** Monotonic milliseconds. */
  now: () => number
  /** Calls back once the events that have arrived by now are processed. */
  atEndOfTurn: (callback: () => void) => void
  accounts: TimeAccounts
}>

export function createPricingQueue({ now, atEndOfTurn, accounts }: Deps): PricingQueue {
  const clients = new Map<string, Waiting>()
  /** Since then no client waits. */
  let idleSince = now()
  let size = 0
  let paused = 0
  let turns = 0
  /** See `leastTook`. */
  let leastTook = Number.POSITIVE_INFINITY
  /** The jobs of each client in the background, the oldest first. Only the oldest one may be paused. */
  const background = new Map<string, Set<Job>>()
  let pausedInBackground = 0
  const backgroundAccounts = createTimeAccounts(now)
  let isAwaitingEnd = false
  /** Milliseconds of the clients since the last slice of the background, up to those that earn it the next one. */
  let tookSince = 0
  /** Milliseconds of the clients in all. */
  let work = 0

  const add = (name: string, job: Job): void => {
    if (size === 0) accounts.rest(now() - idleSince)
    const client = clients.get(name) ?? { name, jobs: new Set() }
    clients.set(name, client)
    client.jobs.add(job)
    size += 1
    leastTook = Math.min(leastTook, accounts.tookOf(name))
  }
  const remove = ({ name, jobs }: Waiting, job: Job): void => {
    jobs.delete(job)
    size -= 1
    if (job.took > 0) paused -= 1
    if (jobs.size === 0) clients.delete(name)
    if (size === 0) idleSince = now()
  }
  const refuse = (client: Waiting, job: Job): void => {
    remove(client, job)
    job.fail(new OverloadedError())
  }
  const least = (measureOf: (client: Waiting) => number) => leastBy(clients.values(), measureOf)
  const sinceOf = ({ jobs }: Waiting) => firstOf(jobs).beganAt
  const longestWaiting = () => least(sinceOf)
  const next = () => accounts.firstInLine(clients, sinceOf)

  const serve = (client: Waiting, job: Job, end: number): void => {
    accounts.begin(client.name)
    const isSettled = job.price(end)
    const took = accounts.end()
    tookSince = Math.min(tookSince + took, earnedMs)
    work += took
    if (isSettled) remove(client, job)
    else {
      if (job.took === 0) paused += 1
      job.took += took
      if (paused > maxPaused) refuseLongest()
    }
  }
  /** Refuses the paused order that has taken the most time, of the client that has taken the most. */
  const refuseLongest = (): void => {
    const isPaused = ({ took }: Job) => took > 0
    const busiest = least(({ name, jobs }) =>
      [...jobs].some(isPaused) ? -accounts.tookOf(name) : Number.POSITIVE_INFINITY,
    )
    if (busiest === undefined) return
    const job = [...busiest.jobs].reduce((longest, each) =>
      each.took > longest.took ? each : longest,
    )
    refuse(busiest, job)
  }
  const refuseLate = (at: number): void => {
    for (const client of clients.values())
      for (const job of client.jobs) {
        if (at - job.beganAt <= maxWaitMs) break
        refuse(client, job)
      }
  }
  const serveInBackground = (client: string, jobs: Set<Job>, end: number): void => {
    const job = firstOf(jobs)
    const wasPaused = job.took > 0
    backgroundAccounts.raiseShare(backgroundAccounts.tookOf(client))
    backgroundAccounts.begin(client)
    const isSettled = job.price(end)
    const took = backgroundAccounts.end()
    job.took += took
    tookSince = Math.max(0, tookSince - (took * earnedMs) / sliceMs)
    if (isSettled) jobs.delete(job)
    if (jobs.size === 0) background.delete(client)
    pausedInBackground += Number(!isSettled && job.took > 0) - Number(wasPaused)
  }
  const nextInBackground = () => {
    const mayBegin = pausedInBackground < maxPausedInBackground
    return leastBy(background, ([client, jobs]) =>
      mayBegin || firstOf(jobs).took > 0
        ? backgroundAccounts.tookOf(client)
        : Number.POSITIVE_INFINITY,
    )
  }
  const workInBackground = (): void => {
    const end = now() + sliceMs
    let next = nextInBackground()
    while (next !== undefined) {
      const [client, jobs] = next
      serveInBackground(client, jobs, end)
      next = now() < end ? nextInBackground() : undefined
    }
  }

  const endTurn = (): void => {
    isAwaitingEnd = false
    accounts.end()
    const startedAt = now()
    refuseLate(startedAt)
    const end = startedAt + sliceMs
    const isIdle = size === 0
    turns += 1
    const oldest = turns % agingTurns === 0 ? longestWaiting() : undefined
    if (oldest !== undefined) serve(oldest, firstOf(oldest.jobs), end)
    for (let first = next(); first !== undefined && now() < end; first = next()) {
      accounts.raiseShare(accounts.tookOf(first.name))
      serve(first, quickestOf(first.jobs), end)
    }
    leastTook = accounts.leastOf(clients.keys())
    // After an order its answer goes first, unless the background has waited for long.
    if (isIdle || tookSince >= earnedMs) workInBackground()
    if (size + background.size > 0) awaitEndOfTurn()
  }
  const awaitEndOfTurn = (): void => {
    if (isAwaitingEnd) return
    isAwaitingEnd = true
    atEndOfTurn(endTurn)
  }
  /** Makes room by refusing the newest order of the client that has the most. */
  const makeRoom = (): void => {
    if (size <= maxWaiting) return
    const full = least(({ jobs }) => -jobs.size)
    const newest = [...(full?.jobs ?? [])].at(-1)
    if (full !== undefined && newest !== undefined) refuse(full, newest)
  }

  return {
    run: (name, price) =>
      new Promise((resolve, reject) => {
        add(name, createJob({ price, now, work, resolve, reject }))
        makeRoom()
        awaitEndOfTurn()
      }),
    waitMs: (name) => {
      const most = accounts.tookOf(name) + alikeMs
      let longest = 0
      for (const client of clients.values()) {
        const isAhead = accounts.tookOf(client.name) < most
        const job = isAhead ? firstWithoutSlice(client) : undefined
        if (job !== undefined && work - job.workBefore > sliceMs)
          longest = Math.max(longest, now() - job.beganAt)
      }
      return longest
    },
    leastTook: () => leastTook,
    runInBackground: (client, price) =>
      new Promise((resolve, reject) => {
        const jobs = background.get(client) ?? new Set()
        background.set(client, jobs)
        jobs.add(createJob({ price, now, work, resolve, reject }))
        awaitEndOfTurn()
      }),
    tookInBackground: backgroundAccounts.tookOf,
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
  price: () => Priced | Promise<Priced>
  now: () => number
  work: number
  resolve: (priced: Priced | Promise<Priced>) => void
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
