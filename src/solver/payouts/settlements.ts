import { type Deposit, isMined } from '#src/requests/state/deposit.ts'
import { inputFundedBy } from '#src/requests/state/requestState.ts'
import { isSolverRequest } from '#src/requests/state/solverRequest.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import { estimateGas } from '#src/solver/sending/estimateGas.ts'
import { type Fees, marketFees } from '#src/solver/sending/fees.ts'
import type { Outbox } from '#src/solver/sending/outbox.ts'
import type { SolverChain, SolverConfig, SolverDeps } from '#src/solver/solverDeps.ts'
import type { Address } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import { createIsPaidOut, type SignPayout } from './depositoryCalls.ts'
import { type FilledDeposit, paymentsOf, settlementOf } from './settlementPayouts.ts'

/** A batch pays the solver once. Batches of more than 20 deposits save little more gas. */
const batchTarget = 20
/** Maximum number of deposits per batch, which fits easily into a block. */
const maxBatch = 50
/** Single-deposit settlements per round: of plain transfers, and of deposits that failed in a batch. */
const maxSingle = 10
/** Blocks before a deposit that failed to settle is tried again. */
const retryBlocks = 60n

/** Longer than a transaction may wait. Executing it late does no harm: the depository pays no deposit twice. */
const validSeconds = 3_600n

/** The depository limits the gas of a payment to about 250,000: a currency or a recipient may be any contract. */
const maxGasOf = (payments: number): bigint => 200_000n + 300_000n * BigInt(payments)

export type Settlements = Readonly<{
  settle: (view: ChainView) => Promise<void>
  /** Whether unsettled deposits and pending settlements bring this amount. If so, the next `settle` settles them. */
  mayBring: (currency: Address, amount: bigint) => boolean
}>

/** Pays filled deposits out of the depository, in batches. A batch must be large, old, or needed for a fill. */
export function createSettlements(
  { client, store, log, market }: Pick<SolverDeps, 'client' | 'store' | 'log' | 'market'>,
  { chain, contracts, solver }: SolverChain,
  {
    outbox,
    sign,
    limits,
  }: Readonly<{
    outbox: Outbox
    sign: SignPayout
    limits: Pick<SolverConfig['limits'], 'settleAfterSeconds'>
  }>,
): Settlements {
  /** Amounts that were unsettled or in pending settlements in the last round, by currency. */
  const incoming = new Map<Address, bigint>()
  /** Currencies that a fill waits for. */
  const needed = new Set<Address>()
  /** Block of the last failed settlement, by deposit. Such deposits are settled one by one, after `retryBlocks`. */
  const failedAt = new Map<string, bigint>()
  const isPaidOut = createIsPaidOut(client, contracts)

  /** Each batch has one currency. Plain transfers and deposits that failed to settle are settled one by one. */
  function batchesOf(
    deposits: readonly Deposit[],
    wanted: ReadonlySet<Address>,
    head: ChainView['head'],
  ): readonly (readonly Deposit[])[] {
    const isDue = ({ depositId }: Deposit) => {
      const at = failedAt.get(depositId)
      return at === undefined || head.number - at >= retryBlocks
    }
    const isOld = ({ timestamp }: Deposit) =>
      head.timestamp - BigInt(timestamp) >= BigInt(limits.settleAfterSeconds)
    const due = deposits.filter(isDue)
    const isAlone = ({ depositId, record }: Deposit) =>
      record === undefined || failedAt.has(depositId)
    const together = Map.groupBy(
      due.filter((each) => !isAlone(each)),
      ({ currency }) => currency,
    )
    const batches = [...together.values()].flatMap((batch) => {
      const isWorthwhile =
        batch.length >= batchTarget ||
        batch.some((each) => isOld(each) || wanted.has(each.currency))
      return isWorthwhile ? [batch.slice(0, maxBatch)] : []
    })
    const single = due.filter(isAlone).slice(0, maxSingle)
    return [...batches, ...single.map((each) => [each])]
  }

  async function filledDepositsOf(deposits: readonly Deposit[]): Promise<readonly FilledDeposit[]> {
    const requests = await store.findAll(deposits.flatMap(({ requestId }) => requestId ?? []))
    const byId = new Map(requests.filter(isSolverRequest).map((each) => [each.requestId, each]))
    return deposits.map((deposit): FilledDeposit => {
      const request = byId.get(deposit.requestId ?? '0x')
      // The app fees were quoted out of the first input.
      const isFirst = request !== undefined && inputFundedBy(request, deposit.depositId) === 0
      return isFirst ? { deposit, order: request.order } : { deposit }
    })
  }

  async function callOf(deposits: readonly Deposit[], view: ChainView, fees: Fees) {
    const payout = settlementOf(await filledDepositsOf(deposits), {
      payee: solver,
      expiration: view.head.timestamp + validSeconds,
    })
    const call = await sign(payout)
    const estimate = await estimateGas(client, solver, call, fees)
    const isPossible = estimate.kind === 'gas' && estimate.gas <= maxGasOf(paymentsOf(payout))
    return isPossible ? { call, gas: estimate.gas } : undefined
  }

  async function settleBatch(deposits: readonly Deposit[], view: ChainView): Promise<void> {
    const latest = market.latest(chain.id)
    const [first] = deposits
    if (latest === undefined || first === undefined) return
    const ids = deposits.map(({ depositId }) => depositId)
    const fees = marketFees(latest.gas)
    const found = await callOf(deposits, view, fees)
    if (found === undefined) return recordFailure(deposits, view)
    const amount = deposits.reduce((total, each) => total + each.amount, 0n)
    const unsent = {
      transactionId: `settlement:${first.depositId}:${view.head.hash}`,
      purpose: 'settlement',
      depositIds: ids,
      spends: [{ currency: first.currency, amount: toAmount(amount) }],
      call: found.call,
      gas: found.gas,
    } as const
    const saved = await outbox.send(unsent, fees, (transaction) => ({
      transactions: [transaction],
      deposits: deposits.map((each) => ({ ...each, status: 'settling' })),
    }))
    if (saved === 'conflict') return
    log.info({ chainId: chain.id, deposits: ids.length }, 'Settles filled deposits')
  }

  /** Marks deposits that the depository has already paid out, by a settlement or to their depositors, as settled. */
  async function recordFailure(deposits: readonly Deposit[], { head }: ChainView): Promise<void> {
    const confirmed = head.number - BigInt(chain.fillConfirmations)
    const isCurrent = await Promise.all(
      deposits.map((each) => (confirmed < 0n ? false : isPaidOut(each, confirmed))),
    )
    const settled = deposits.filter((_, at) => isCurrent[at] === true)
    if (settled.length > 0)
      await store.save({ deposits: settled.map((each) => ({ ...each, status: 'settled' })) })
    for (const { depositId } of settled) failedAt.delete(depositId)
    const failed = deposits.filter((_, at) => isCurrent[at] !== true)
    for (const { depositId } of failed)
      failedAt.set(depositId, head.number - (deposits.length > 1 ? retryBlocks : 0n))
    const facts = { chainId: chain.id, deposits: failed.length, paidBefore: settled.length }
    log.warn(facts, 'Deposits cannot be settled at the moment')
  }

  return {
    mayBring(currency, amount) {
      const isEnough = (incoming.get(currency) ?? 0n) >= amount
      if (isEnough) needed.add(currency)
      return isEnough
    },
    async settle(view) {
      // After a reorg undid a deposit, the depository does not hold its money.
      const deposits = (await store.unsettled(chain.id)).filter(isMined)
      const underWay = view.open.filter(
        ({ purpose, status }) => purpose === 'settlement' && status !== 'reverted',
      )
      incoming.clear()
      for (const { currency, amount } of [
        ...deposits.filter(({ depositId }) => !failedAt.has(depositId)),
        ...underWay.flatMap(({ spends }) => spends),
      ])
        incoming.set(currency, (incoming.get(currency) ?? 0n) + amount)
      // Fills run at the same time, and may need more currencies.
      const wanted = new Set(needed)
      needed.clear()
      const batches = batchesOf(deposits, wanted, view.head)
      for (const batch of batches) await settleBatch(batch, view)
    },
  }
}
