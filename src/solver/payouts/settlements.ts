import type { Deposit } from '#src/requests/state/deposit.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import { estimateGas } from '#src/solver/sending/estimateGas.ts'
import { marketFees } from '#src/solver/sending/fees.ts'
import type { Outbox } from '#src/solver/sending/outbox.ts'
import type { SolverChain, SolverDeps } from '#src/solver/solverDeps.ts'
import { isSolverRequest } from '#src/solver/solverRequest.ts'
import type { Address } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import { nonceOf, type SignPayouts } from './depositoryCalls.ts'
import { type Earned, settlementPayouts } from './settlementPayouts.ts'

/** One payout to the solver a currency is shared by all: past some twenty, more save little gas. */
const enough = 20
/** What fits a block with ease: a payment takes 36,600 gas at the most. */
const mostAtOnce = 50
/** So that few deposits do not wait for ever: ten minutes or so of most chains. */
const longestWait = 60n

/**
 * A settlement that failed may be brought by anybody, as its signature is known: its deposits stay with it until it
 * no longer can be. Longer than a transaction waits.
 */
const validSeconds = 3_600n

/** Recipients of fees are contracts of anybody's, who may let us pay for what they do. */
const mostGas = (payouts: number): bigint => 200_000n + 150_000n * BigInt(payouts)

export type Settlements = Readonly<{
  settle: (view: ChainView) => Promise<void>
  /** Whether deposits that can be settled, or are being, bring so much: then they are at once. */
  mayBring: (currency: Address, amount: bigint) => boolean
}>

/** Pays out of the depository what its filled deposits have earned: batches that are worth it, or wanted. */
export function createSettlements(
  { client, store, log, market }: Pick<SolverDeps, 'client' | 'store' | 'log' | 'market'>,
  { chain, solver }: SolverChain,
  { outbox, sign }: Readonly<{ outbox: Outbox; sign: SignPayouts }>,
): Settlements {
  /** What the last look found unsettled or on its way. */
  const coming = new Map<Address, bigint>()
  const wanted = new Set<Address>()
  /** By deposit, the block at which it could not be settled: alone, and not before a while, from then on. */
  const refused = new Map<string, bigint>()

  function batchesOf(deposits: readonly Deposit[], head: bigint): readonly (readonly Deposit[])[] {
    const isDue = ({ depositId }: Deposit) => {
      const at = refused.get(depositId)
      return at === undefined || head - at >= longestWait
    }
    const [alone, together] = [true, false].map((single) =>
      deposits.filter((each) => refused.has(each.depositId) === single && isDue(each)),
    ) as [Deposit[], Deposit[]]
    const isOld = ({ block }: Deposit) => block !== undefined && head - block.number >= longestWait
    const isWorth =
      together.length >= enough || together.some((each) => isOld(each) || wanted.has(each.currency))
    const batch = isWorth ? together.slice(0, mostAtOnce) : []
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
   * No payment may fail, unless one would: then fees may, whose recipients take none. Of one deposit alone they
   * are left out in the end, where their recipients use up gas and no more.
   */
  async function callOf(deposits: readonly Deposit[], view: ChainView) {
    const earned = await earnedOf(deposits)
    const nonce = nonceOf(deposits.map(({ depositId }) => depositId))
    const sparing = settlementPayouts(earned, { solver, spares: true })
    const own = sparing.filter(({ allowFailure }) => !allowFailure)
    const choices = [settlementPayouts(earned, { solver, spares: false }), sparing]
    for (const payouts of deposits.length === 1 && own.length > 0 ? [...choices, own] : choices) {
      const call = await sign(payouts, { nonce, timestamp: view.head.timestamp, validSeconds })
      const estimate = await estimateGas(client, solver, call)
      if (estimate.kind === 'gas' && estimate.gas <= mostGas(payouts.length))
        return { call, gas: estimate.gas, payouts }
      if (estimate.kind === 'funds') break
    }
    return undefined
  }

  async function settleBatch(deposits: readonly Deposit[], view: ChainView): Promise<void> {
    const seen = market.latest(chain.id)
    if (seen === undefined) return
    const ids = deposits.map(({ depositId }) => depositId)
    const found = await callOf(deposits, view)
    if (found === undefined) {
      for (const id of ids)
        refused.set(id, view.head.number - (deposits.length > 1 ? longestWait : 0n))
      log.warn({ chainId: chain.id, deposits: ids.length }, 'Deposits cannot be settled now')
      return
    }
    const draft = {
      transactionId: `settlement:${nonceOf(ids).toString(16)}:${view.head.hash}`,
      purpose: 'settlement',
      depositIds: ids,
      spends: found.payouts.map(({ currency, amount }) => ({ currency, amount: toAmount(amount) })),
      call: found.call,
      gas: found.gas,
    } as const
    const saved = await outbox.send(draft, marketFees(seen.gas), (transaction) => ({
      transactions: [transaction],
      deposits: deposits.map((each) => ({ ...each, status: 'settling' })),
    }))
    if (saved === 'conflict') return
    log.info({ chainId: chain.id, deposits: ids.length }, 'Filled deposits are settled')
  }

  return {
    mayBring(currency, amount) {
      const isEnough = (coming.get(currency) ?? 0n) >= amount
      if (isEnough) wanted.add(currency)
      return isEnough
    },
    async settle(view) {
      // What a reorg has undone is not in the depository: its money is of others.
      const deposits = (await store.unsettled(chain.id)).filter(({ block }) => block !== undefined)
      const underWay = view.open.filter(
        ({ purpose, status }) => purpose === 'settlement' && status !== 'reverted',
      )
      coming.clear()
      for (const { currency, amount } of [
        ...deposits.filter(({ depositId }) => !refused.has(depositId)),
        ...underWay.flatMap(({ spends }) => spends),
      ])
        coming.set(currency, (coming.get(currency) ?? 0n) + amount)
      for (const batch of batchesOf(deposits, view.head.number)) await settleBatch(batch, view)
      wanted.clear()
    },
  }
}
