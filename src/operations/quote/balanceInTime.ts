import { AppError } from '#src/errors.ts'
import type { Amount } from '#src/units/amount.ts'

/** A node that is asked for a balance only delays the answer by this. */
const deadlineMs = 250

/** A balance; `undefined` if no node reports it in time, or the currency reports none. The rest of a price does not depend on it. */
export async function balanceInTime(balance: Promise<Amount>): Promise<Amount | undefined> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<undefined>((resolve) => {
    // Where this process was busy, an answer that has come meanwhile goes first.
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
