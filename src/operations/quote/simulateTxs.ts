import { AppError } from '#src/errors.ts'
import { planTxSimulation } from '#src/execution/calls/txSimulation.ts'
import type { QuotedPrice } from '#src/execution/order/quotedPrice.ts'
import type { StepContext } from '#src/execution/steps/stepContext.ts'
import type { TransactionSimulator } from '#src/market/reads/transactionSimulator.ts'
import { callsWork } from '#src/pricing/gas/transactionSize.ts'

/** What every transaction costs before it does anything: a call of the router's does not pay it. */
const baseGas = 21_000n

/**
 * Simulates an order's `txs` on the destination chain, with the output in the router's hands as they will
 * find it. Where no node can, and where the output could not be brought there now, nothing is said of them.
 * @throws AppError DESTINATION_TX_FAILED for a call that would fail, INVALID_EXTRA_TXS where all together take
 * more gas than the price counts.
 */
export async function simulateTxs(
  { simulator }: Readonly<{ simulator: Pick<TransactionSimulator, 'simulate'> }>,
  price: QuotedPrice,
  context: Pick<StepContext, 'contracts' | 'wrappedNative' | 'solver'>,
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
  if (gas > counted)
    throw new AppError(
      'INVALID_EXTRA_TXS',
      `txs: the calls take ${gas} gas, and ${counted} is counted for them: set txsGasLimit to more.`,
      { field: 'txsGasLimit', gas: `${gas}`, counted: `${counted}` },
    )
}
