import type { Deposit } from '#src/requests/state/deposit.ts'
import { isSolverRequest } from '#src/requests/state/solverRequest.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import { estimateGas } from '#src/solver/sending/estimateGas.ts'
import { marketFees } from '#src/solver/sending/fees.ts'
import type { Outbox } from '#src/solver/sending/outbox.ts'
import type { SolverChain, SolverDeps } from '#src/solver/solverDeps.ts'
import type { Address } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import { nonceOf, type SignPayouts } from './depositoryCalls.ts'
import { type Earned, settlementPayouts } from './settlementPayouts.ts'

/** The solver's payout is one for each currency: beyond 20 deposits a larger batch saves little gas. */
const batchTarget = 20
/** Fits easily into a block: a payout takes at most 36,600 gas. */
const maxBatch = 50
/** After so many blocks a small batch is settled as well: about ten minutes on most chains. */
const maxWaitBlocks = 60n

/**
 * Anybody may execute a failed settlement while its signature is valid, so that its deposits stay reserved for it. This
 * is longer than a transaction may wait.
 */
const validSeconds = 3_600n

/** A fee recipient may be any contract, and could make the solver pay for gas without end. */
const maxGasOf = (payouts: number): bigint => 200_000n + 150_000n * BigInt(payouts)

export type Settlements = Readonly<{
  settle: (view: ChainView) => Promise<void>
  /** Whether settlements that are possible or on their way bring this amount. If so, they start in this round. */
  mayBring: (currency: Address, amount: bigint) => boolean
}>

/** Pays filled deposits out of the depository, in batches: when a batch is large enough, old, or needed for a fill. */
export function createSettlements(
  { client, store, log, market }: Pick<SolverDeps, 'client' | 'store' | 'log' | 'market'>,
  { chain, solver }: SolverChain,
  { outbox, sign }: Readonly<{ outbox: Outbox; sign: SignPayouts }>,
): Settlements {
  /** Amounts that were unsettled or on their way in the last round, by currency. */
  const incoming = new Map<Address, bigint>()
  /** Currencies that a fill waits for. */
  const needed = new Set<Address>()
  /** Block of the last failed settlement, by deposit. Such deposits are settled one by one, after `maxWaitBlocks`. */
  const failedAt = new Map<string, bigint>()

  function batchesOf(deposits: readonly Deposit[], head: bigint): readonly (readonly Deposit[])[] {
    const isDue = ({ depositId }: Deposit) => {
      const at = failedAt.get(depositId)
      return at === undefined || head - at >= maxWaitBlocks
    }
    const [alone, together] = [true, false].map((single) =>
      deposits.filter((each) => failedAt.has(each.depositId) === single && isDue(each)),
    ) as [Deposit[], Deposit[]]
    const isOld = ({ block }: Deposit) =>
      block !== undefined && head - block.number >= maxWaitBlocks
    const isWorthwhile =
      together.length >= batchTarget ||
      together.some((each) => isOld(each) || needed.has(each.currency))
    const batch = isWorthwhile ? together.slice(0, maxBatch) : []
    return [...(batch.length > 0 ? [batch] : []), ...alone.map((each) => [each])]
  }

  async function earnedOf(deposits: readonly Deposit[]): Promise<readonly Earned[]> {
    const requests = await store.findAll(deposits.flatMap(({ requestId }) => requestId ?? []))
    const fees = new Map(
      requests.filter(isSolverRequest).map(({ requestId, order }) => [requestId, order.fees]),
    )
    return deposits.map((deposit) => ({ deposit, fees: fees.get(deposit.requestId ?? '0x') ?? [] }))
  }

  /**
   * First without allowed failures. If that fails, fees may fail, in case a recipient rejects its fee. For a single
   * deposit the last choice leaves the fees out, in case a recipient only burns gas.
   */
  async function callOf(deposits: readonly Deposit[], view: ChainView) {
    const earned = await earnedOf(deposits)
    const nonce = nonceOf(deposits.map(({ depositId }) => depositId))
    const tolerant = settlementPayouts(earned, { solver, feesMayFail: true })
    const own = tolerant.filter(({ allowFailure }) => !allowFailure)
    const choices = [settlementPayouts(earned, { solver, feesMayFail: false }), tolerant]
    for (const payouts of deposits.length === 1 && own.length > 0 ? [...choices, own] : choices) {
      const call = await sign(payouts, { nonce, timestamp: view.head.timestamp, validSeconds })
      const estimate = await estimateGas(client, solver, call)
      if (estimate.kind === 'gas' && estimate.gas <= maxGasOf(payouts.length))
        return { call, gas: estimate.gas, payouts }
      if (estimate.kind === 'insufficientFunds') break
    }
    return undefined
  }

  async function settleBatch(deposits: readonly Deposit[], view: ChainView): Promise<void> {
    const latest = market.latest(chain.id)
    if (latest === undefined) return
    const ids = deposits.map(({ depositId }) => depositId)
    const found = await callOf(deposits, view)
    if (found === undefined) {
      for (const id of ids)
        failedAt.set(id, view.head.number - (deposits.length > 1 ? maxWaitBlocks : 0n))
      log.warn(
        { chainId: chain.id, deposits: ids.length },
        'Deposits cannot be settled at the moment',
      )
      return
    }
    const unsent = {
      transactionId: `settlement:${nonceOf(ids).toString(16)}:${view.head.hash}`,
      purpose: 'settlement',
      depositIds: ids,
      spends: found.payouts.map(({ currency, amount }) => ({ currency, amount: toAmount(amount) })),
      call: found.call,
      gas: found.gas,
    } as const
    const saved = await outbox.send(unsent, marketFees(latest.gas), (transaction) => ({
      transactions: [transaction],
      deposits: deposits.map((each) => ({ ...each, status: 'settling' })),
    }))
    if (saved === 'conflict') return
    log.info({ chainId: chain.id, deposits: ids.length }, 'Settles filled deposits')
  }

  return {
    mayBring(currency, amount) {
      const isEnough = (incoming.get(currency) ?? 0n) >= amount
      if (isEnough) needed.add(currency)
      return isEnough
    },
    async settle(view) {
      // After a reorg undid a deposit, the depository does not hold its money.
      const deposits = (await store.unsettled(chain.id)).filter(({ block }) => block !== undefined)
      const underWay = view.open.filter(
        ({ purpose, status }) => purpose === 'settlement' && status !== 'reverted',
      )
      incoming.clear()
      for (const { currency, amount } of [
        ...deposits.filter(({ depositId }) => !failedAt.has(depositId)),
        ...underWay.flatMap(({ spends }) => spends),
      ])
        incoming.set(currency, (incoming.get(currency) ?? 0n) + amount)
      for (const batch of batchesOf(deposits, view.head.number)) await settleBatch(batch, view)
      needed.clear()
    },
  }
}
