import { AppError } from '#src/core/errors.ts'
import type { Amount } from '#src/core/units/amount.ts'

/** Maximum delay of an answer by the read of a balance. */
const deadlineMs = 250

/**
 * A balance; `undefined` if no node reports it in time, or the currency has no balances. No other part of a price needs
 * it.
 */
export async function balanceInTime(balance: Promise<Amount>): Promise<Amount | undefined> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<undefined>((resolve) => {
    // If this process was busy, an answer that has arrived meanwhile wins over the timer.
    timer = setTimeout(() => setImmediate(resolve, undefined), deadlineMs)
  })
  try {
    return await Promise.race([balance, deadline])
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  } finally {
    clearTimeout(timer)
  }
}
