import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'

const firstDelayMs = 15_000
const maxDelayMs = 6 * 3_600_000
const dayMs = 86_400_000

/** The delay doubles with each try, from 15 seconds to 6 hours. */
const delayMs = (tries: number): number => Math.min(firstDelayMs * 2 ** tries, maxDelayMs)

/**
 * The deposit with its refund postponed after a try that failed, or that would have cost more than the deposit.
 * Undefined once all tries together took `retryDays`.
 * @param now milliseconds since 1970
 */
export function withRefundRetry(
  deposit: Deposit,
  { now, retryDays }: Readonly<{ now: number; retryDays: number }>,
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
