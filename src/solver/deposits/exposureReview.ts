import { AppError } from '#src/errors.ts'
import { type Deposit, isMined } from '#src/requests/state/deposit.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { SolverChain, SolverDeps } from '#src/solver/solverDeps.ts'
import { toUsd, type Usd } from '#src/units/usd.ts'

/** Deposits in one review. Their number is bounded by the ceiling already, unless they are tiny. */
const maxReviewed = 100
/** For how long a lost deposit counts: so much can be lost in that time at most. In seconds. */
const lossSeconds = 86_400
/** Between two looks at a lost deposit: a later block may include it again. */
const lostRetryMs = 60_000

/**
 * Ends the exposure of the chain's deposits that enough endpoints call final. One that is gone by then is a loss, and
 * counts for a day, so that an attacker who repeats it gains no more than the ceiling a day.
 */
export function createExposureReview(
  { store, log, depositChecks, now }: Pick<SolverDeps, 'store' | 'log' | 'depositChecks' | 'now'>,
  { chain }: Pick<SolverChain, 'chain'>,
): Readonly<{
  review: (view: Pick<ChainView, 'finalHeight'>) => Promise<void>
  /** At the last review; undefined before the first. */
  exposureUsd: () => Usd | undefined
}> {
  const { id: chainId, agreeingEndpoints, rpcUrls } = chain
  const endpoints = Math.min(agreeingEndpoints, rpcUrls.length)
  /** When lost deposits are looked at again, in milliseconds. */
  const lostUntil = new Map<string, number>()
  let exposureUsd: Usd | undefined

  async function reviewOne(deposit: Deposit): Promise<void> {
    const { depositId, exposure, ...rest } = deposit
    const verdict = isMined(deposit)
      ? await depositChecks.verdict(deposit, 'final', endpoints)
      : 'no'
    const isForgotten = now() / 1000 > deposit.timestamp + lossSeconds
    if (verdict === 'yes' || (verdict === 'no' && isForgotten)) {
      await store.save({ deposits: [{ depositId, ...rest }] })
      lostUntil.delete(depositId)
      return
    }
    if (verdict !== 'no') return
    if (!lostUntil.has(depositId))
      log.error(
        { chainId, depositId, requestId: deposit.requestId, usd: exposure?.usd },
        'A deposit is gone after its request was filled',
      )
    lostUntil.set(depositId, now() + lostRetryMs)
  }

  async function review({ finalHeight }: Pick<ChainView, 'finalHeight'>): Promise<void> {
    const exposed = await store.exposedDeposits(chainId, maxReviewed)
    if (exposed.length > 0) {
      const final = await finalHeight()
      const due = exposed.filter(
        ({ depositId, exposure }) =>
          exposure !== undefined &&
          exposure.height <= final &&
          (lostUntil.get(depositId) ?? 0) <= now(),
      )
      await Promise.all(due.map(reviewOne))
    }
    exposureUsd = exposed.length === 0 ? toUsd(0n) : await store.exposureUsd(chainId)
  }

  return {
    review: async (view) => {
      try {
        await review(view)
      } catch (error) {
        // Exposure that is not reviewed only delays fills.
        if (!(error instanceof AppError)) throw error
        log.debug({ chainId, code: error.code }, 'Cannot review the exposure of a chain')
      }
    },
    exposureUsd: () => exposureUsd,
  }
}
