import type { TransactionSize } from '#src/core/pricing/gas/gas.ts'
import type { Batch, RequestStore } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import { isSolverRequest } from '#src/requests/state/solverRequest.ts'
import type { WorkView } from '#src/solver/chainView.ts'
import type { FillChecks } from '#src/solver/fills/fillChecks.ts'
import type { OwnChain, Runtime, SolverLimits, SolverMarket } from '#src/solver/ports.ts'
import {
  givenUpChanges,
  type RefundDelays,
  type RetryTimes,
  withRefundRetry,
  withRefundWait,
} from './refundChanges.ts'
import {
  type DueRefund,
  type RefundAmount,
  refundAmount,
  refundRecipientOf,
} from './refundPayout.ts'

type Ports = Runtime &
  Readonly<{ store: RequestStore; market: SolverMarket; fillChecks: FillChecks }>

/** Deposits per read of the store. */
const windowSize = 256
/** Reads per round. */
const maxWindows = 64
/** Refunds per round. */
const maxRefunds = 32

type QueueTerms = Readonly<{
  limits: SolverLimits
  /** Lower bound on the size of any refund. A deposit below this cost is decided without a simulation. */
  least: TransactionSize
}>

/**
 * Rotates through all deposits that are due to be refunded, so that every deposit gets its turn. Anybody can make a
 * deposit of one wei, so deposits that are worth less than their refund's gas are decided here in bulk, without RPC.
 */
export function createRefundQueue(
  { store, log, market, now }: Ports,
  { chain }: OwnChain,
  { limits: { refundRetryDays: retryDays }, least }: QueueTerms,
): Readonly<{ next: (view: WorkView) => Promise<readonly DueRefund[]> }> {
  /** The last deposit of the last window; undefined if the rotation starts again. */
  let after: string | undefined

  async function nextWindow(): Promise<readonly Deposit[]> {
    const page = { ...(after !== undefined && { after }), limit: windowSize }
    const found = await store.refundable(chain.id, now(), page)
    after = found.length < windowSize ? undefined : found.at(-1)?.depositId
    return found
  }

  async function duesOf(deposits: readonly Deposit[]): Promise<readonly DueRefund[]> {
    const ids = new Set(deposits.flatMap(({ requestId }) => requestId ?? []))
    const requests = ids.size === 0 ? [] : await store.findAll([...ids])
    const byId = new Map(requests.map((each) => [each.requestId, each]))
    return deposits.map((deposit) => {
      const request = byId.get(deposit.requestId ?? '0x')
      const recipient =
        request === undefined ? deposit.depositor : refundRecipientOf(request, deposit)
      return { deposit, request, recipient }
    })
  }

  /** Postpones or gives up refunds that cannot pay for their gas, in one save. Returns the other refunds. */
  async function decideHopeless(dues: readonly DueRefund[]): Promise<readonly DueRefund[]> {
    const snapshot = market.snapshot([chain.id])
    const chainMarket = snapshot.chains.get(chain.id)
    if (chainMarket === undefined) return []
    const rated = dues.map((due) => {
      return { due, kind: refundAmount(due.deposit, snapshot, chainMarket, least).kind }
    })
    const changes = hopelessChanges(rated, { now: now(), retryDays })
    if (changes.deposits.length > 0) {
      await store.save(changes)
      log.info(
        { chainId: chain.id, deposits: changes.deposits.length },
        'Deposits are worth less than the gas of their refunds, or have no price',
      )
    }
    return rated.filter(({ kind }) => kind === 'amount').map(({ due }) => due)
  }

  /** A deposit without a known request must be final: nothing else proves it, and its refund is not urgent. */
  async function isDue({ deposit, request }: DueRefund, view: WorkView): Promise<boolean> {
    // After a reorg undid a deposit, the depository does not hold its money.
    if (deposit.block === undefined) return false
    return request !== undefined || deposit.block.number <= (await view.finalHeight())
  }

  return {
    async next(view) {
      // The view was read before the deposits: a refund that was pending then cannot be due again.
      const underWay = new Set(
        view.open
          .filter(({ purpose, status }) => purpose === 'refund' && status !== 'reverted')
          .flatMap(({ depositIds }) => depositIds),
      )
      const found: DueRefund[] = []
      for (let window = 0; window < maxWindows; window += 1) {
        const deposits = await nextWindow()
        const waiting = deposits.filter(({ depositId }) => !underWay.has(depositId))
        for (const due of await decideHopeless(await duesOf(waiting))) {
          if (!(await isDue(due, view))) continue
          found.push(due)
          if (found.length < maxRefunds) continue
          after = due.deposit.depositId
          return found
        }
        if (after === undefined) break
      }
      return found
    },
  }
}

/** A refund with its outcome at the minimum cost. */
type Rated = Readonly<{ due: DueRefund; kind: RefundAmount['kind'] }>

/** The changes that postpone or give up the refunds whose outcome is no amount. */
function hopelessChanges(rated: readonly Rated[], times: RetryTimes) {
  const deposits: Deposit[] = []
  const requests = new Map<string, StoredRequest>()
  for (const { due, kind } of rated) {
    if (kind === 'amount') continue
    const changes = changesOf(due, kind, times)
    const [request] = changes.requests ?? []
    // A request changes once per save: its other deposits wait for the next rotation.
    if (request !== undefined && requests.has(request.requestId)) continue
    if (request !== undefined) requests.set(request.requestId, request)
    deposits.push(...(changes.deposits ?? []))
  }
  return { deposits, requests: [...requests.values()] }
}

function changesOf(
  { deposit, request }: DueRefund,
  kind: Exclude<RefundAmount['kind'], 'amount'>,
  times: RetryTimes,
): Batch {
  const givenUp = () => givenUpChanges(deposit, request, 'AMOUNT_TOO_LOW_TO_REFUND', times.now)
  switch (kind) {
    case 'dust':
      return givenUp()
    case 'noPrice':
      return { deposits: [withRefundWait(deposit, times.now)] }
    case 'gasTooHigh': {
      const postponed = withRefundRetry(deposit, times)
      return postponed === undefined ? givenUp() : { deposits: [postponed] }
    }
  }
}

/** Whether no fill has used the deposit, and none can later. Asks the chains: the store may have lost a fill. */
export function createIsUnused(
  { store, log, fillChecks }: Ports,
  { chain }: OwnChain,
  { wait }: RefundDelays,
) {
  return async (due: DueRefund): Promise<boolean> => {
    const { deposit, request } = due
    const { depositId, orderId } = deposit
    const known = request !== undefined && isSolverRequest(request) ? request : undefined
    const verdict = await fillChecks.verdict(deposit, known)
    if (verdict === 'unfilled') return true
    const facts = { chainId: chain.id, depositId, orderId }
    if (verdict === 'filled' && known === undefined) {
      log.error(facts, 'The order of a deposit is filled, and the store has lost its request')
      await store.save({ deposits: [{ ...deposit, status: 'filled' }] })
      return false
    }
    if (known !== undefined && verdict === 'filled') await fillChecks.restore(known)
    log.warn(facts, 'A refund waits: the store has lost a fill, or a chain does not answer')
    await wait(due)
    return false
  }
}
