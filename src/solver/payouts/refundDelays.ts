import type { Log } from '#src/config/log.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { RefundFailReason } from '#src/requests/state/requestState.ts'
import type { OwnChain, SolverLimits } from '#src/solver/ports.ts'
import { givenUpChanges } from './refundChanges.ts'
import type { DueRefund } from './refundPayout.ts'

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

type Ports = Readonly<{
  store: RequestStore
  log: Log
  /** Milliseconds since 1970. */
  now: () => number
}>

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
  store: Pick<RequestStore, 'findDeposits' | 'save'>,
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
