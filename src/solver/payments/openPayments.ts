import { AppError } from '#src/core/errors.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { usdValueDown } from '#src/core/units/usd.ts'
import { paymentIdsOf } from '#src/protocol/calls/depositAddress.ts'
import { advance } from '#src/requests/machine.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { Batch, RequestStore } from '#src/requests/requestStore.ts'
import { type Deposit, depositEvent } from '#src/requests/state/deposit.ts'
import type { RequestEvent } from '#src/requests/state/requestEvent.ts'
import {
  type FailReason,
  initialState,
  isAwaiting,
  type StoredRequest,
} from '#src/requests/state/requestState.ts'
import { isSolverRequest } from '#src/requests/state/solverRequest.ts'
import type { WorkView } from '#src/solver/chainView.ts'
import { dustUsd } from '#src/solver/payouts/refundPayout.ts'
import type { PricedMarket, Runtime } from '#src/solver/ports.ts'
import {
  type AddressRequest,
  isQuotable,
  paymentFault,
  reasonOfRefusal,
  refusedPayment,
  waitSeconds,
  withSponsorRest,
} from './paymentTerms.ts'

/**
 * Quotes a payment to an open deposit address on the current market, without any RPC call. Resolves to the request of the
 * payment, and stores nothing.
 * @param parent the request of the address
 * @param at milliseconds since 1970
 * @throws AppError as `quote` does
 */
export type Requote = (
  parent: AddressRequest,
  payment: Pick<Deposit, 'amount' | 'depositId'>,
  at: number,
) => Promise<QuotedRequest>

/** A chain of any virtual machine. */
type PaidChain = Readonly<{ chain: Readonly<{ id: ChainId; depositConfirmations: number }> }>

type Ports = Runtime & Readonly<{ store: RequestStore; market: PricedMarket; requote: Requote }>

/**
 * Creates a request for each confirmed payment to an open deposit address: quoted on the current market, or due to be
 * refunded. Request, minimum output and deposit are saved together, so that a crash or a new leader cannot bind a
 * deposit twice. The request is then filled or refunded like any other.
 */
export function createOpenPayments(
  { store, log, now, requote, market }: Ports,
  { chain }: PaidChain,
): (view: WorkView) => Promise<void> {
  const turns = createPaymentTurns({ store }, { chain })

  /** The request for a new payment, with the reason if it is refunded; undefined while it waits for a price. */
  async function termsOf(
    parent: AddressRequest,
    payment: Deposit,
    { head }: WorkView,
  ): Promise<Readonly<{ request: QuotedRequest; reason?: FailReason }> | undefined> {
    const at = now()
    const refused = (reason: FailReason) => ({
      request: refusedPayment(parent, payment, at),
      reason,
    })
    const fault = paymentFault(parent, payment)
    if (fault !== undefined) return refused(fault)
    try {
      const request = await requote(parent, payment, at)
      return isQuotable(parent, payment, request) ? { request } : refused('ORDER_EXPIRED')
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const facts = { chainId: chain.id, depositId: payment.depositId, code: error.code }
      const isHopeless = error.code === 'AMOUNT_TOO_LOW' && isDust(market, payment)
      const waited = Number(head.timestamp) - payment.timestamp
      if (!isHopeless && waited < waitSeconds(error.code)) {
        log.debug(facts, 'A payment to an open deposit address has no price yet')
        return undefined
      }
      log.info(facts, 'A payment to an open deposit address has no price, and is refunded')
      return refused(reasonOfRefusal(error.code))
    }
  }

  async function changesOf(
    parent: AddressRequest,
    payment: Deposit,
    view: WorkView,
  ): Promise<Batch | undefined> {
    const known = await store.find(paymentIdsOf(parent, payment.depositId).requestId)
    if (known !== undefined) return resumed(known, parent, payment, now())
    const isSponsored = parent.open.sponsoredUsd !== undefined
    const terms = await termsOf(
      isSponsored ? withSponsorRest(parent, await store.subsidizedUsd(parent.requestId)) : parent,
      payment,
      view,
    )
    if (terms === undefined) return undefined
    const { request, reason } = terms
    const stored = { ...request, state: initialState(request), version: 1 }
    return { created: [request], ...bound(stored, payment, now(), reason) }
  }

  async function bind(payment: Deposit, view: WorkView): Promise<void> {
    // No record proves a plain transfer, so its block must be final.
    const { record, block, requestId, depositId } = payment
    if (record === undefined && (block?.number ?? 0n) > (await view.finalHeight()))
      return turns.postpone(payment, view)
    // Reads the parent again: the previous payment may have changed it.
    const parent = requestId === undefined ? undefined : await store.find(requestId)
    if (parent === undefined || !isSolverRequest(parent) || parent.open === undefined) return
    const address = { ...parent, open: parent.open }
    const changes = await changesOf(address, payment, view)
    if (changes === undefined) return turns.postpone(payment, view)
    const [deposit] = changes.deposits ?? []
    const by = deposit?.requestId ?? parent.requestId
    const state = advance(parent, { type: 'superseded', by }, now())
    const shown = state === parent.state ? [] : [{ ...parent, state }]
    const requests = [...(changes.requests ?? []), ...shown]
    if ((await store.save({ ...changes, requests })) === 'conflict') return
    const facts = { chainId: chain.id, depositId, requestId: by, parentId: parent.requestId }
    log.info({ ...facts, reason: deposit?.reason }, 'A payment to an open address has its request')
  }

  /** An unexpected error of one payment does not stop the others. */
  async function tryBind(payment: Deposit, view: WorkView): Promise<void> {
    try {
      await bind(payment, view)
    } catch (error) {
      if (error instanceof AppError) throw error
      turns.postpone(payment, view)
      const { depositId } = payment
      log.error({ chainId: chain.id, depositId, err: error }, 'A payment cannot be quoted')
    }
  }

  return async (view) => {
    for (const payment of await turns.next(view)) await tryBind(payment, view)
  }
}

/** Whether so little is never worth waiting for. Cheaper gas does not make it a payment. */
function isDust(market: PricedMarket, { chainId, currency: address, amount }: Deposit): boolean {
  const price = market.latest(chainId)?.usdPrices.get(address)
  const currency = market.currencies.known({ chainId, address })
  if (price === undefined || currency === undefined) return false
  return usdValueDown(amount, currency.decimals, price) <= dustUsd
}

/** The changes that fund the request with the payment. With a `reason`, the payment is refunded. */
function bound(request: StoredRequest, payment: Deposit, at: number, reason?: FailReason): Batch {
  const { requestId } = request
  const events: readonly RequestEvent[] = [
    depositEvent('depositCredited', payment, 0),
    ...(reason === undefined ? [] : [{ type: 'refundDue', reason } as const]),
  ]
  const states: StoredRequest[] = []
  let last = request
  for (const event of events) {
    last = { ...last, state: advance(last, event, at) }
    states.push(last)
  }
  const decided = reason === undefined ? { status: 'credited' } : { status: 'refundable', reason }
  return { requests: states, deposits: [{ ...payment, requestId, ...decided } as Deposit] }
}

/** The changes for a payment that already has a request, as after a reorg. The request keeps its terms. */
function resumed(
  known: StoredRequest,
  parent: AddressRequest,
  payment: Deposit,
  at: number,
): Batch {
  const [input] = known.state.inputStates
  // The request is already funded: somebody has also paid its order directly.
  if (!isAwaiting(known.state.status) || input?.status !== 'open')
    return {
      deposits: [
        { ...payment, requestId: known.requestId, status: 'refundable', reason: 'DOUBLE_SPEND' },
      ],
    }
  const isRefused = known.amountOut === 0n
  const reason = isRefused ? (paymentFault(parent, payment) ?? 'NO_QUOTES') : undefined
  return bound(known, payment, at, reason)
}

/** New payments per round, and payments per round that are priced again. */
const newPerRound = 64
const retriesPerRound = 16

/** Seconds of chain time until a payment without a price is priced again. They double with each try. */
const firstPause = 1
const longestPause = 60

/** Payments beyond this number are forgotten, oldest first, and are new again. */
const maxWaiting = 10_000

type Waiting = Readonly<{
  /** The request of the address. */
  parentId: string | undefined
  tries: number
  /** Chain time in seconds. */
  dueAt: number
}>

/**
 * Decides which payments to open addresses have their turn. New ones go first. Addresses take turns, so that many
 * payments to one of them delay no others, and of one address the largest payments come first. Payments that wait for a
 * price have few turns of their own, at growing intervals.
 */
function createPaymentTurns({ store }: Readonly<{ store: RequestStore }>, { chain }: PaidChain) {
  const waiting = new Map<string, Waiting>()

  async function retries(now: number, height: bigint): Promise<readonly Deposit[]> {
    const ids = dueIds(waiting, now).slice(0, retriesPerRound)
    const found = ids.length === 0 ? [] : await store.findDeposits(ids)
    const open = found.filter(({ status, block }) => status === 'seen' && isBelow(block, height))
    const openIds = new Set(open.map(({ depositId }) => depositId))
    // The others have their request, or a reorg has moved them: then they are new again.
    for (const id of ids) if (!openIds.has(id)) waiting.delete(id)
    return open
  }

  return {
    async next({ head }: WorkView): Promise<readonly Deposit[]> {
      const height = head.number - BigInt(chain.depositConfirmations)
      const terms = { except: [...waiting.keys()], limit: newPerRound }
      const fresh = await store.openPayments(chain.id, height, terms)
      return [...fresh, ...(await retries(Number(head.timestamp), height))]
    },

    /** The payment has no price yet. */
    postpone({ depositId, requestId }: Deposit, { head }: WorkView): void {
      const tries = (waiting.get(depositId)?.tries ?? 0) + 1
      const pause = Math.min(firstPause * 2 ** (tries - 1), longestPause)
      waiting.delete(depositId)
      waiting.set(depositId, { parentId: requestId, tries, dueAt: Number(head.timestamp) + pause })
      const [oldest] = waiting.keys()
      if (waiting.size > maxWaiting && oldest !== undefined) waiting.delete(oldest)
    },
  }
}

const isBelow = (block: Deposit['block'], height: bigint): boolean =>
  block !== undefined && block.number <= height

/** The payments that are due. First the longest overdue one of each address, then the second of each, and so on. */
function dueIds(waiting: ReadonlyMap<string, Waiting>, now: number): readonly string[] {
  const turns = new Map<string | undefined, number>()
  return [...waiting]
    .filter(([, { dueAt }]) => dueAt <= now)
    .toSorted(([, one], [, other]) => one.dueAt - other.dueAt)
    .map(([id, { parentId }]) => {
      const turn = turns.get(parentId) ?? 0
      turns.set(parentId, turn + 1)
      return { id, turn }
    })
    .toSorted((one, other) => one.turn - other.turn)
    .map(({ id }) => id)
}
