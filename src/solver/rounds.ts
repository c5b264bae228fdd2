import { backoffMs } from '#src/chains/backoff.ts'
import type { HeadSource } from '#src/chains/rpc/chainClient.ts'
import { createWakeSignal } from '#src/chains/wakeSignal.ts'
import type { ChainConfig } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import { AppError, reasonOf } from '#src/core/errors.ts'
import type { Account } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Wakeup, WakeupSource } from '#src/requests/events/bus.ts'
import type { RequestState } from '#src/requests/state/requestState.ts'
import type { ChainView, WorkView } from './chainView.ts'
import type { VerifiedChains } from './verifiedChains.ts'

/** The rounds of one account on one chain: one a block, and one for each wake-up. */
type Rounds = Readonly<{
  /** Works until `signal` fires. Only one process at a time may run it for a chain and an account. */
  run: (signal: AbortSignal) => Promise<void>
  /** Rounds that have failed since the last complete one. */
  failures: () => number
  /**
   * Logs once that the chain has `unknown` transactions of the account that the store lacks, and once that it has none
   * any more. Meanwhile the account sends nothing.
   */
  reportUnknown: (unknown: number, view: Pick<ChainView, 'nonces'>) => void
  /** Number of unknown transactions at the last report. */
  unknownNonces: () => number
}>

type Ports = Readonly<{
  client: HeadSource
  bus: WakeupSource
  verifiedChains: VerifiedChains
  log: Log
}>

type Worker = Readonly<{
  /** Name in the log. */
  name: 'solver' | 'relayer'
  chain: Pick<ChainConfig, 'id' | 'blockSeconds'>
  account: Account
  /** Whether a request in this state may give the account work. */
  concerns: (state: RequestState) => boolean
  runRound: () => Promise<void>
  /** Waits for the background work of earlier rounds. */
  ended: () => Promise<unknown>
}>

const minPauseMs = 250
const maxPauseMs = 10_000

export function createRounds(
  { log, client, bus, verifiedChains }: Ports,
  { name, chain, account, concerns, runRound, ended }: Worker,
): Rounds {
  const chainId = chain.id
  let failures = 0
  let unknownNonces = 0

  async function tryRound(signal: AbortSignal): Promise<void> {
    try {
      await runRound()
      if (failures > 0) log.info({ chainId }, `The ${name} works again`)
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      failures += 1
      const facts = { chainId, reason: reasonOf(error) }
      const isExpected = error instanceof AppError
      if (!isExpected) log.error({ ...facts, err: error }, `The ${name} failed; will retry`)
      else log[failures === 1 ? 'warn' : 'debug'](facts, `The ${name} cannot work; will retry`)
    }
  }

  /** The account stays stopped until an operator accepts the transactions, or the chain no longer has them. */
  function reportUnknown(unknown: number, { nonces }: Pick<ChainView, 'nonces'>): void {
    const facts = { chainId, account }
    if (unknown > 0 && unknown !== unknownNonces)
      log.error(
        { ...facts, nonces, unknown },
        `The ${name} has sent transactions that the store does not have: stopped until an operator reconciles them`,
      )
    if (unknown === 0 && unknownNonces > 0)
      log.info(facts, `All transactions of the ${name} are known`)
    unknownNonces = unknown
  }

  async function run(signal: AbortSignal): Promise<void> {
    const wakeSignal = createWakeSignal()
    verifiedChains.reset()
    const isDue = (wakeup: Wakeup): boolean =>
      wakeup.kind === 'missed' || (wakeup.kind === 'change' && concerns(wakeup.change.state))
    const unsubscribes = [
      client.onHead(wakeSignal.wake),
      bus.listen((wakeup) => {
        if (isDue(wakeup)) wakeSignal.wake()
      }),
    ]
    signal.addEventListener('abort', wakeSignal.wake)
    try {
      while (!signal.aborted) {
        await tryRound(signal)
        if (!signal.aborted) await wakeSignal.wait(pauseMs())
      }
    } finally {
      signal.removeEventListener('abort', wakeSignal.wake)
      for (const unsubscribe of unsubscribes) unsubscribe()
      await ended()
    }
  }

  /** One round a block; after failures, the backoff. */
  const pauseMs = (): number =>
    failures === 0
      ? Math.min(Math.max(chain.blockSeconds * 1000, minPauseMs), maxPauseMs)
      : backoffMs(failures)

  return {
    run,
    failures: () => failures,
    reportUnknown,
    unknownNonces: () => unknownNonces,
  }
}

/** Work of the solver that runs in the background of its rounds, so that it never delays a fill. */
export type BackgroundTask<View extends WorkView = ChainView> = Readonly<{
  /**
   * Starts a run, unless one is under way, or the backoff after a failed run has not passed. Never rejects.
   * @returns whether this call started a run that did its work
   */
  start: (view: View) => Promise<boolean>
  /** Failed runs in a row. */
  failures: () => number
  /** Resolves once no run is under way. */
  ended: () => Promise<unknown>
}>

/**
 * @param deps `now`: milliseconds of any clock
 * @param task `name`: name of the work in the log
 * @param run returns whether the work was done
 */
function createBackgroundTask<View extends WorkView>(
  { log, now }: Readonly<{ log: Log; now: () => number }>,
  { chainId, name }: Readonly<{ chainId: ChainId; name: string }>,
  run: (view: View) => Promise<boolean>,
): BackgroundTask<View> {
  let running: Promise<boolean> | undefined
  let failures = 0
  let startsAt = Number.NEGATIVE_INFINITY

  async function tryRun(view: View): Promise<boolean> {
    try {
      const isDone = await run(view)
      if (failures > 0) log.info({ chainId, name }, 'Work of the solver goes on')
      failures = 0
      return isDone
    } catch (error) {
      failures += 1
      startsAt = now() + backoffMs(failures)
      const facts = { chainId, name, reason: reasonOf(error) }
      if (error instanceof AppError)
        log[failures === 1 ? 'warn' : 'debug'](facts, 'Work of the solver waits; will retry')
      else log.error({ ...facts, err: error }, 'Work of the solver failed; will retry')
      return false
    } finally {
      running = undefined
    }
  }

  return {
    async start(view) {
      if (running !== undefined || now() < startsAt) return false
      running = tryRun(view)
      return running
    },
    failures: () => failures,
    ended: async () => running,
  }
}

/** A task that sends transactions: it begins with the open ones of the store if some were sent after the view was read. */
export const createSendingTask = <View extends WorkView>(
  ports: Readonly<{ log: Log; now: () => number }>,
  task: Readonly<{
    chainId: ChainId
    name: string
    isCurrent: (view: View) => boolean
    readOpen: (view: View) => Promise<View['open']>
  }>,
  run: (view: View) => Promise<unknown>,
): BackgroundTask<View> =>
  createBackgroundTask<View>(ports, task, async (view) => {
    const open = task.isCurrent(view) ? view.open : await task.readOpen(view)
    return (await run({ ...view, open })) !== false
  })

/** All background work of a solver. Late books are no failure of it. */
export type BackgroundWork<View extends WorkView> = Readonly<{
  /** Starts what is not under way. Never throws. */
  start: (view: View) => void
  /** The last view with which every task did its work. */
  lastView: () => View | undefined
  /** Failed runs in a row, of the task with the most. */
  failures: () => number
  /** Resolves once no run is under way. */
  ended: () => Promise<void>
}>

export function createBackgroundWork<View extends WorkView>(
  ports: Readonly<{ log: Log; now: () => number }>,
  {
    chainId,
    books,
  }: Readonly<{ chainId: ChainId; books: Readonly<{ keep: () => Promise<void> }> }>,
  tasks: readonly BackgroundTask<View>[],
): BackgroundWork<View> {
  let lastView: View | undefined
  const bookkeeping = createBackgroundTask<View>(ports, { chainId, name: 'books' }, async () => {
    await books.keep()
    return true
  })
  return {
    start: (view) => {
      void bookkeeping.start(view)
      // Never rejects.
      void Promise.all(tasks.map(({ start }) => start(view))).then((done) => {
        if (done.every((each) => each)) lastView = view
      })
    },
    lastView: () => lastView,
    failures: () => Math.max(0, ...tasks.map((task) => task.failures())),
    ended: async () => {
      await Promise.all([...tasks, bookkeeping].map(({ ended }) => ended()))
    },
  }
}
