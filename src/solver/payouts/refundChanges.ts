import { advance } from '#src/requests/machine.ts'
import type { Batch, BatchStore, PaymentReads, RequestStore } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { RequestEvent } from '#src/requests/state/requestEvent.ts'
import {
  inputFundedBy,
  type RefundFailReason,
  type StoredRequest,
} from '#src/requests/state/requestState.ts'
import type { OwnChain, Runtime, SolverLimits } from '#src/solver/ports.ts'
import type { DueRefund } from './refundPayout.ts'

/** An event of a refund, without its input. */
export type RefundEvent = WithoutInput<
  Extract<RequestEvent, Readonly<{ input: number }> & { type: `refund${string}` }>
>

type WithoutInput<Event> = Event extends unknown ? Omit<Event, 'input'> : never

/**
 * The changes to save after an event of a deposit's refund: the deposit as given, and the request's next state if the
 * deposit funds one of its inputs. `at` is in milliseconds since 1970.
 */
export function refundChanges(
  deposit: Deposit,
  request: StoredRequest | undefined,
  event: RefundEvent,
  at: number,
): Batch {
  const deposits = [deposit]
  const input = request && inputFundedBy(request, deposit.depositId)
  if (request === undefined || input === undefined) return { deposits }
  const state = advance(request, { ...event, input }, at)
  return state === request.state ? { deposits } : { deposits, requests: [{ ...request, state }] }
}

/** The changes to save if a refund is given up: deposit and request record `reason`. `at`: milliseconds since 1970. */
export function givenUpChanges(
  deposit: Deposit,
  request: StoredRequest | undefined,
  reason: RefundFailReason,
  at: number,
): Batch {
  const unrefundable: Deposit = { ...deposit, status: 'kept', refundFailReason: reason }
  return refundChanges(unrefundable, request, { type: 'refundFailed', reason }, at)
}

const firstDelayMs = 15_000
const maxDelayMs = 6 * 3_600_000
const dayMs = 86_400_000

/** The delay doubles with each try, from 15 seconds to 6 hours. */
const delayMs = (tries: number): number => Math.min(firstDelayMs * 2 ** tries, maxDelayMs)

/** `now`: milliseconds since 1970. */
export type RetryTimes = Readonly<{ now: number; retryDays: number }>

/**
 * The deposit with its refund postponed after a try that failed, or that would have cost more than the deposit.
 * Undefined once all tries together took `retryDays`.
 */
export function withRefundRetry(
  deposit: Deposit,
  { now, retryDays }: RetryTimes,
): Deposit | undefined {
  const { refundTries = 0 } = deposit
  const waitedMs = Array.from({ length: refundTries }, (_, tries) => delayMs(tries)).reduce(
    (sum, each) => sum + each,
    0,
  )
  if (waitedMs >= retryDays * dayMs) return undefined
  return { ...deposit, refundTries: refundTries + 1, refundDueAt: now + delayMs(refundTries) }
}

/** Delay of a refund that waits for a price or for another chain. It does not count as a try. */
const priceDelayMs = 60_000

export const withRefundWait = (deposit: Deposit, now: number): Deposit => ({
  ...deposit,
  refundDueAt: now + priceDelayMs,
})

type Ports = Runtime & Readonly<{ store: RequestStore }>

/** What becomes of refunds that cannot be sent now. */
export type RefundDelays = Readonly<{
  giveUp: (due: DueRefund, reason: RefundFailReason) => Promise<void>
  /** Tries again later. Gives up after `refundRetryDays`. */
  retryLater: (due: DueRefund, reason: RefundFailReason) => Promise<void>
  /** Waits for a price or another chain. */
  wait: (due: DueRefund) => Promise<void>
}>

export function createRefundDelays(
  { store, log, now }: Ports,
  { chain: { id: chainId } }: OwnChain,
  { refundRetryDays: retryDays }: SolverLimits,
): RefundDelays {
  async function giveUp({ deposit, request }: DueRefund, reason: RefundFailReason): Promise<void> {
    const { depositId } = deposit
    log.warn({ chainId, depositId, reason }, 'A deposit can be neither filled nor refunded')
    await store.save(givenUpChanges(deposit, request, reason, now()))
  }

  return {
    giveUp,
    async retryLater(due, reason) {
      const postponed = withRefundRetry(due.deposit, { now: now(), retryDays })
      if (postponed === undefined) return giveUp(due, reason)
      const { depositId, refundDueAt } = postponed
      log.info({ chainId, depositId, reason, refundDueAt }, 'A refund is tried again later')
      await store.save({ deposits: [postponed] })
    },
    async wait({ deposit }) {
      await store.save({ deposits: [withRefundWait(deposit, now())] })
    },
  }
}

/** Makes the solver retry the refund of a deposit at once, with all its tries. Returns a message for the operator. */
export async function retryRefund(
  store: PaymentReads & BatchStore,
  depositId: string,
): Promise<string> {
  for (;;) {
    const [deposit] = await store.findDeposits([depositId])
    if (deposit === undefined) throw new Error(`There is no deposit ${depositId}`)
    if (deposit.status !== 'kept' && deposit.status !== 'refundable')
      throw new Error(`Deposit ${depositId} is ${deposit.status}: it has no refund to retry`)
    const { refundFailReason: _, refundTries: __, refundDueAt: ___, ...rest } = deposit
    // After a conflict, reads the deposit again: the solver has saved it meanwhile.
    if ((await store.save({ deposits: [{ ...rest, status: 'refundable' }] })) === 'saved')
      return `The solver tries the refund of ${depositId} again`
  }
}
