import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { AppError } from '#src/core/errors.ts'
import type { Address } from '#src/core/units/address.ts'
import { lastSecondOf } from '#src/protocol/permit.ts'
import { permitsIn } from '#src/protocol/permits/permitCall.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { AccountChain, Runtime, SolverLimits, SolverMarket } from '#src/solver/ports.ts'
import type { Sender } from '#src/solver/sending/outbox.ts'
import { createReadPermitBudget, permitUse, readHoldings } from './permitBudget.ts'
import {
  createPermitEnds,
  createPermitSending,
  type DuePermit,
  delayOf,
  paidMs,
  retryMs,
} from './permitEnds.ts'

/** Permits per round, so that rounds are short: new permits come first in the next one. */
const perRound = 64
/** Simulations of one payer per round. */
const maxTriesPerPayer = 2
/** Permits per round of which the end is looked for, which takes several requests. The others wait for a later round. */
const maxEndChecks = 16
/** The longest delay of a permit that lacks money or reverts, and of one that waits for cheaper gas or its end. */
const maxRetryMs = 300_000
const maxWaitMs = 30_000

type Ports = Runtime & Readonly<{ client: ChainClient; store: RequestStore; market: SolverMarket }>

/**
 * Sends the transactions of permits that users have signed on this chain, once each. Fails requests whose permit had no
 * effect and can no longer have one.
 */
export function createPermits(
  ports: Ports,
  accountChain: AccountChain,
  outbox: Sender,
  limits: SolverLimits,
): (view: ChainView) => Promise<void> {
  const { client, store, log, now } = ports
  const { chain, solver } = accountChain
  const ends = createPermitEnds(ports, accountChain)
  const sendPermit = createPermitSending(ports, accountChain, outbox)
  const readBudget = createReadPermitBudget(ports, accountChain, limits)

  /** Whether the permit's transaction was sent. */
  async function trySending(due: DuePermit, view: ChainView): Promise<boolean> {
    const outcome = await sendPermit(due)
    if (outcome === 'notReady') await ends.postpone(due, retryMs)
    if (outcome === 'reverts') await ends.endOrWait(due, view, maxRetryMs)
    if (outcome === 'tooExpensive') await ends.endOrWait(due, view, maxWaitMs)
    return outcome === 'sent'
  }

  /** An unexpected error of one permit does not stop the others. */
  async function tryOne<Result>(
    due: DuePermit,
    run: () => Promise<Result>,
  ): Promise<Result | undefined> {
    try {
      return await run()
    } catch (error) {
      // Postponed, so that the others come first in the next round if only this one gets no answer.
      if (error instanceof AppError) {
        await ends.postpone(due, retryMs)
        throw error
      }
      const { requestId } = due.request
      log.error({ chainId: chain.id, requestId, err: error }, 'A signature cannot be carried out')
      await ends.postpone(due, paidMs)
      return undefined
    }
  }

  /** Sends what may be sent, in turns of the payers. Returns the permits that may not. */
  async function sendAll(
    dues: readonly DuePermit[],
    view: ChainView,
  ): Promise<readonly DuePermit[]> {
    if (dues.length === 0) return []
    const holdings = await readHoldings(client, dues, view.head.hash)
    const budget = await readBudget(dues, view)
    const hindered: DuePermit[] = []
    let unaffordable = 0
    const triesOf = new Map<Address, number>()
    for (const [due, holding] of inTurns(dues.map((due, at) => [due, holdings[at]] as const))) {
      const use = permitUse(due.quoted, due.permit.allowanceSignature !== undefined)
      const hindrance = holding === undefined ? 'balance' : budget.hindranceOf(use, holding)
      const own = triesOf.get(use.payer) ?? 0
      if (hindrance !== undefined || own === maxTriesPerPayer) {
        const { requestId } = due.request
        log.debug({ chainId: chain.id, requestId, hindrance }, 'A signed transaction waits')
        hindered.push(due)
        if (hindrance === 'budget') unaffordable += 1
      } else {
        triesOf.set(use.payer, own + 1)
        if ((await tryOne(due, () => trySending(due, view))) === true) budget.add(use)
      }
    }
    if (unaffordable > 0)
      log.warn(
        { chainId: chain.id, permits: unaffordable },
        'Holding signed payments of new payers; reverted ones have used up the hourly limit',
      )
    return hindered
  }

  return async (view) => {
    const { open = [], left = [] } = Object.groupBy(
      await readDue(store, { chainId: chain.id, relayer: solver, now: now(), limit: perRound }),
      ({ request }) => (request.state.status === 'depositing' ? 'open' : 'left'),
    )
    const { done = [], unsent = [] } = Object.groupBy(open, (due) =>
      isDone(due, now()) ? 'done' : 'unsent',
    )
    const hindered = await sendAll(unsent, view)
    for (const due of left) await tryOne(due, () => ends.leave(due))
    for (const due of done.slice(0, maxEndChecks))
      await tryOne(due, () => ends.endOrWait(due, view, maxWaitMs))
    // The oldest may have been cancelled by their users.
    const [waiting, looked] = [hindered.slice(0, -maxEndChecks), hindered.slice(-maxEndChecks)]
    for (const due of looked) await tryOne(due, () => ends.endOrWait(due, view, maxRetryMs))
    if (waiting.length > 0)
      await store.save({
        permits: waiting.map((due) => ({ ...due.permit, dueAt: now() + delayOf(due, maxRetryMs) })),
      })
  }
}

/** Whether nothing is sent for the permit any more. `now`: Unix milliseconds. */
const isDone = ({ permit, quoted }: DuePermit, now: number): boolean =>
  permit.transactionId !== undefined || now > lastSecondOf(quoted.paying) * 1000

async function readDue(
  store: RequestStore,
  due: Parameters<RequestStore['duePermits']>[0],
): Promise<readonly DuePermit[]> {
  const permits = await store.duePermits(due)
  if (permits.length === 0) return []
  const found = await store.findAll(permits.map(({ requestId }) => requestId))
  const requests = new Map(found.map((request) => [request.requestId, request]))
  const dues: DuePermit[] = []
  for (const permit of permits) {
    const request = requests.get(permit.requestId)
    const quoted = request && permitsIn(request.steps)
    if (request === undefined || quoted === undefined) await store.removePermits([permit.requestId])
    else dues.push({ permit, request, quoted })
  }
  return dues
}

/** The first permit of each payer, then the second of each, and so on. */
function inTurns<Rest>(
  dues: readonly (readonly [DuePermit, Rest])[],
): readonly (readonly [DuePermit, Rest])[] {
  const counts = new Map<Address, number>()
  const ranked = dues.map((each) => {
    const { payer } = each[0].quoted.paying
    const rank = counts.get(payer) ?? 0
    counts.set(payer, rank + 1)
    return { each, rank }
  })
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ each }) => each)
}
