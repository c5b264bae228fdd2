import { sizesOf } from '#src/core/pricing/gas/transactionSizes.ts'
import type { SvmGasMarket } from '#src/core/pricing/svm/svmGas.ts'
import type { Account } from '#src/core/units/address.ts'
import { settleCall } from '#src/protocol/svm/depository/payoutCalls.ts'
import { type Deposit, isMined } from '#src/requests/state/deposit.ts'
import type { SvmOutbox } from './svmOutbox.ts'
import type { SvmSolverChain, SvmSolverPorts } from './svmPorts.ts'
import type { SvmRecords } from './svmRecords.ts'
import { simulateFailure } from './svmSimulation.ts'
import type { SvmView } from './svmView.ts'

/** Nonce accounts that settlements leave to fills and refunds. */
const reserved = 6
/** Milliseconds before a deposit that failed to settle is tried again. The outflow limit recovers within an hour. */
const retryMs = 60_000

type Settlements = Readonly<{
  settle: (view: SvmView) => Promise<void>
  /** Whether unsettled deposits and pending settlements bring this amount. */
  mayBring: (currency: Account, amount: bigint) => boolean
  /** Number of deposits whose settlement failed at its last try. */
  unsettleable: () => number
}>

/** Pays filled deposits out of the depository, each in a transaction of its own: its cost does not depend on others. */
export function createSvmSettlements(
  { client, store, log, market, now }: SvmSolverPorts,
  { chain, program, solver }: SvmSolverChain,
  { outbox, records }: Readonly<{ outbox: SvmOutbox; records: SvmRecords }>,
): Settlements {
  let incoming = new Map<Account, bigint>()
  /** Time of the last failed settlement, by deposit. */
  const failedAt = new Map<string, number>()

  async function settleOne(deposit: Deposit, gas: SvmGasMarket, view: SvmView): Promise<void> {
    const { depositId, currency, amount } = deposit
    const facts = { chainId: chain.id, depositId, currency, amount }
    const payout = await records.payoutOf(deposit)
    // The tracker is about to see who has paid it out.
    if (payout === undefined) return
    const instructions = [settleCall(program, payout)]
    const { gas: units } = sizesOf(gas).settlement(currency, {})
    const error = await simulateFailure(client, solver, { instructions, units })
    if (error !== undefined) {
      if (!failedAt.has(depositId))
        log.error({ ...facts, reason: error }, 'A filled deposit cannot be settled')
      failedAt.set(depositId, now())
      return
    }
    const saved = await outbox.send(
      {
        instructions,
        units,
        transactionId: `settlement:${depositId}:${view.head.number}`,
        purpose: 'settlement',
        depositIds: [depositId],
        spends: [{ currency, amount }],
      },
      gas.microLamportsPerUnit,
      (transaction) => ({
        transactions: [transaction],
        deposits: [{ ...deposit, status: 'settling' }],
      }),
    )
    if (saved === 'conflict') return
    failedAt.delete(depositId)
    log.info(facts, 'Settles a filled deposit')
  }

  return {
    mayBring: (currency, amount) => (incoming.get(currency) ?? 0n) >= amount,
    unsettleable: () => failedAt.size,
    async settle(view) {
      const deposits = (await store.unsettled(chain.id)).filter(isMined)
      const ids = new Set(deposits.map(({ depositId }) => depositId))
      for (const id of failedAt.keys()) if (!ids.has(id)) failedAt.delete(id)
      const due = deposits.filter(({ depositId }) => {
        const at = failedAt.get(depositId)
        return at === undefined || now() - at >= retryMs
      })
      const underWay = view.open.filter(({ purpose }) => purpose === 'settlement')
      incoming = new Map()
      for (const { currency, amount } of [...due, ...underWay.flatMap(({ spends }) => spends)])
        incoming.set(currency, (incoming.get(currency) ?? 0n) + amount)
      const gas = market.latest(chain.id)?.gas
      if (gas?.vmType !== 'svm') return
      for (const each of due) {
        if (outbox.free() <= reserved) return
        await settleOne(each, gas, view)
      }
    },
  }
}
