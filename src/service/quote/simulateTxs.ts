import { AppError } from '#src/core/errors.ts'
import { callsWork } from '#src/core/pricing/gas/transactionSize.ts'
import type { TransactionSimulator } from '#src/market/reads/transactionSimulator.ts'
import { planTxSimulation } from '#src/protocol/calls/txSimulation.ts'
import type { QuotedPrice } from '#src/protocol/order/quotedPrice.ts'
import type { OrderRequest } from '#src/service/input/quoteInput.ts'
import { DepositGasError } from '#src/service/order/depositGas.ts'

/** Base gas of a transaction. A call within the router's transaction does not pay it. */
const baseGas = 21_000n

/**
 * Simulates an order's `txs` on the destination chain. Earlier simulated transactions bring the output to the executor.
 * Accepts the calls if no node can simulate, or if those earlier transactions fail.
 * @throws AppError DESTINATION_TX_FAILED if a call would fail. If all calls together use more gas than the price
 * includes: DepositGasError with `gasLimitForDepositSpecifiedTxs`, else INVALID_EXTRA_TXS.
 */
export async function simulateTxs(
  { simulator }: Readonly<{ simulator: Pick<TransactionSimulator, 'simulate'> }>,
  price: QuotedPrice,
  context: Parameters<typeof planTxSimulation>[1],
  limits: Pick<OrderRequest, 'gasLimitForDepositSpecifiedTxs'>,
): Promise<void> {
  const { order } = price
  const { chainId } = price.currencyOut.currency
  if (order.txs.length === 0) return
  const { funding, txs } = planTxSimulation(price, context)
  const outcomes = await simulator.simulate(chainId, [...funding, ...txs])
  if (outcomes === undefined || outcomes.length !== funding.length + txs.length) return
  if (outcomes.slice(0, funding.length).some(({ succeeds }) => !succeeds)) return

  const calls = outcomes.slice(funding.length)
  const failed = calls.findIndex(({ succeeds }) => !succeeds)
  const call = txs[failed]
  if (call !== undefined) {
    const reason = calls[failed]?.reason ?? 'it reverts'
    const failedCallData = { ...call, value: `${call.value}` }
    throw new AppError(
      'DESTINATION_TX_FAILED',
      `txs.${failed}: the call would fail on chain ${chainId}: ${reason}`,
      { field: `txs.${failed}`, chainId, failedCallData },
    )
  }
  const gas = calls.reduce((sum, each) => sum + each.gas - baseGas, 0n)
  const counted = callsWork(order).gas
  if (gas <= counted) return
  if (limits.gasLimitForDepositSpecifiedTxs != null)
    throw new DepositGasError(`the txs use ${gas} gas, but it includes only ${counted}; raise it`)
  throw new AppError(
    'INVALID_EXTRA_TXS',
    `txs: the calls use ${gas} gas, but the price includes only ${counted}. Raise txsGasLimit.`,
    { field: 'txsGasLimit', gas: `${gas}`, counted: `${counted}` },
  )
}
