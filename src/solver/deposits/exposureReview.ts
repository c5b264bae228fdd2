import type { Log } from '#src/config/log.ts'
import { AppError } from '#src/core/errors.ts'
import { toUsd, type Usd } from '#src/core/units/usd.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { type Deposit, isMined } from '#src/requests/state/deposit.ts'
import type { ChainView, WorkView } from '#src/solver/chainView.ts'
import type { AccountChain, OwnChain, Runtime } from '#src/solver/ports.ts'
import type { DepositChecks } from './depositChecks.ts'

type Ports = Runtime & Readonly<{ store: RequestStore; depositChecks: DepositChecks }>

/** Maximum number of deposits per review. The exposure limit already bounds it, unless deposits are tiny. */
const maxReviewed = 100
/** Time in seconds for which a lost deposit counts as exposure. The exposure limit bounds the losses in that time. */
const lossSeconds = 86_400
/** Interval between two checks of a lost deposit: a later block may include it again. */
const lostRetryMs = 60_000

/**
 * Ends the exposure of deposits that enough endpoints report as final. A deposit that is gone by then is a loss. It
 * counts as exposure for a day, so that an attacker gains at most the exposure limit per day.
 */
export function createExposureReview(
  { store, log, depositChecks, now }: Ports,
  { chain }: AccountChain,
): Readonly<{
  review: (view: ChainView) => Promise<void>
  /** Exposure of the chain at the last review; undefined before the first. */
  exposureUsd: () => Usd | undefined
}> {
  const { id: chainId, agreeingEndpoints, rpcUrls } = chain
  const endpoints = Math.min(agreeingEndpoints, rpcUrls.length)
  /** Time of the next check of each lost deposit, in milliseconds since 1970. */
  const nextCheckAt = new Map<string, number>()
  let exposureUsd: Usd | undefined

  async function reviewOne(deposit: Deposit): Promise<void> {
    const { depositId, exposure, ...rest } = deposit
    const verdict = isMined(deposit)
      ? await depositChecks.verdict(deposit, 'final', endpoints)
      : 'no'
    const isForgotten = now() / 1000 > deposit.timestamp + lossSeconds
    if (verdict === 'yes' || (verdict === 'no' && isForgotten)) {
      await store.save({ deposits: [{ depositId, ...rest }] })
      nextCheckAt.delete(depositId)
      return
    }
    if (verdict !== 'no') return
    if (!nextCheckAt.has(depositId))
      log.error(
        { chainId, depositId, requestId: deposit.requestId, usd: exposure?.usd },
        'A deposit is gone after its request was filled',
      )
    nextCheckAt.set(depositId, now() + lostRetryMs)
  }

  async function review({ finalHeight }: ChainView): Promise<void> {
    // Lost ones stay the oldest for a day. Without more room they would hide all others.
    const exposed = await store.exposedDeposits(chainId, maxReviewed + nextCheckAt.size)
    if (exposed.length > 0) {
      const final = await finalHeight()
      const due = exposed.filter(
        ({ depositId, exposure }) =>
          exposure !== undefined &&
          exposure.height <= final &&
          (nextCheckAt.get(depositId) ?? 0) <= now(),
      )
      await Promise.all(due.slice(0, maxReviewed).map(reviewOne))
    }
    exposureUsd = exposed.length === 0 ? toUsd(0n) : await store.exposureUsd(chainId)
  }

  return {
    review: async (view) => {
      try {
        await review(view)
      } catch (error) {
        // A missed review only delays fills.
        if (!(error instanceof AppError)) throw error
        log.debug({ chainId, code: error.code }, 'Cannot review the exposure of a chain')
      }
    },
    exposureUsd: () => exposureUsd,
  }
}

/** Time that an operator has before the exit to find out why a deposit is not settled. */
const alarmSeconds = 3 * 86_400
/** Maximum number of deposits in one log entry. */
const maxNamed = 20

/** Logs deposits that are not settled, although their depositors can soon take them back. Logs each once. */
export function createExitAlarm(
  { store, log }: Readonly<{ store: RequestStore; log: Log }>,
  { chain: { id: chainId } }: OwnChain,
): Readonly<{
  check: (view: WorkView) => Promise<void>
  /** Number of these deposits at the last check; undefined before the first. */
  nearExit: () => number | undefined
}> {
  let logged: ReadonlySet<string> = new Set()
  let count: number | undefined

  return {
    nearExit: () => count,
    async check({ head }) {
      const found = await store.nearExit(chainId, Number(head.timestamp) + alarmSeconds)
      const ids = found.map(({ depositId }) => depositId)
      const fresh = ids.filter((id) => !logged.has(id))
      if (fresh.length > 0)
        log.error(
          { chainId, count: ids.length, deposits: fresh.slice(0, maxNamed) },
          'Deposits are not settled; their depositors can soon take them back',
        )
      logged = new Set(ids)
      count = ids.length
    },
  }
}
