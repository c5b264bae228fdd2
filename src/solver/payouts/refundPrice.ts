import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { AccountChain, SolverLimits, SolverMarket } from '#src/solver/ports.ts'
import { type Estimate, estimateGas, signedBytes } from '#src/solver/sending/estimateGas.ts'
import { type Fees, marketFees } from '#src/solver/sending/fees.ts'
import { createAttemptCosts } from './attemptCosts.ts'
import { refundAmount } from './refundAmount.ts'
import type { DueRefund } from './refundPayout.ts'

type Ports = Readonly<{ client: ChainClient; store: RequestStore; market: SolverMarket }>

/** What a refund pays out on the newest block, or why it pays nothing now. */
export type RefundPrice =
  | Readonly<{ kind: 'amount'; amount: Amount; gas: bigint; fees: Fees }>
  | Readonly<{ kind: 'refused'; estimate: Exclude<Estimate, { kind: 'gas' }> }>
  | Readonly<{ kind: 'tooMuchGas'; gas: bigint }>
  /** Worth less than its costs; `retry` if cheaper gas may change that. */
  | Readonly<{ kind: 'tooLow'; retry: boolean }>
  | Readonly<{ kind: 'noPrice' }>
  | Readonly<{ kind: 'noMarket' }>

/**
 * Prices a refund: the deposit minus the gas of its transaction, simulated with `callOf`, and of earlier transactions
 * for the deposit.
 */
export function createRefundPrice(
  ports: Ports,
  { chain, solver }: AccountChain,
  { maxRefundGas }: SolverLimits,
): (due: DueRefund, callOf: (amount: Amount) => Promise<TransactionCall>) => Promise<RefundPrice> {
  const attemptCostOf = createAttemptCosts(ports)

  return async ({ deposit }, callOf) => {
    const snapshot = ports.market.snapshot([chain.id])
    const chainMarket = snapshot.chains.get(chain.id)
    if (chainMarket === undefined) return { kind: 'noMarket' }
    // Simulates with a cost of one unit: without a cost, the depository would use less gas.
    const allButOne = deposit.amount > 1n ? toAmount(deposit.amount - 1n) : deposit.amount
    const call = await callOf(allButOne)
    const fees = marketFees(chainMarket.gas)
    const estimate = await estimateGas(ports.client, solver, call, fees)
    if (estimate.kind !== 'gas') return { kind: 'refused', estimate }
    const { gas } = estimate
    if (gas > BigInt(maxRefundGas)) return { kind: 'tooMuchGas', gas }
    const bytes = signedBytes(call)
    const payable = refundAmount(deposit, snapshot, chainMarket, { gas, bytes })
    if (payable.kind === 'noPrice') return payable
    if (payable.kind !== 'amount') return { kind: 'tooLow', retry: payable.kind === 'gasTooHigh' }
    const attemptCost = await attemptCostOf(deposit)
    if (attemptCost === undefined) return { kind: 'noPrice' }
    if (attemptCost >= payable.amount) return { kind: 'tooLow', retry: false }
    return { kind: 'amount', amount: toAmount(payable.amount - attemptCost), gas, fees }
  }
}
