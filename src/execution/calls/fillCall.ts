import { encodeFunctionData, type Hex, prepareEncodeFunctionData } from 'viem'
import { approvalProxy as proxyArtifact } from '#src/contracts/artifacts/approvalProxy.ts'
import { router as routerArtifact } from '#src/contracts/artifacts/router.ts'
import type { ProtocolContracts } from '#src/contracts/protocolContracts.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'
import { isNative } from '#src/units/currency.ts'
import { type Conversion, conversionCalls, leftoverCurrencies } from './conversionCalls.ts'
import { type Payment, paymentCalls } from './paymentCalls.ts'
import { payCall, type RouterCall, sweepCalls } from './routerCalls.ts'
import type { TransactionCall } from './transactionCall.ts'

const multicall = prepareEncodeFunctionData({ abi: routerArtifact.abi, functionName: 'multicall' })
const transferAndMulticall = prepareEncodeFunctionData({
  abi: proxyArtifact.abi,
  functionName: 'transferAndMulticall',
})

/** What one fill does, all of it on the destination chain. */
export type Fill = Readonly<{
  contracts: ProtocolContracts
  /** Spends, and gets what a swap leaves over. */
  solver: Address
  orderId: Hex
  /** From what the solver spends to what the recipient gets. */
  conversion: Conversion
  /** Of the conversion's input. */
  spend: bigint
  /** Of the conversion's output. */
  payment: Omit<Payment, 'currency'>
  /** Of the native currency, for the recipient on top; 0 for none. */
  topup: bigint
}>

/** The solver's transaction that pays a recipient. Its calldata ends with the order's id. */
export function fillCall(fill: Fill): TransactionCall {
  const { contracts, conversion, spend, topup, solver, payment } = fill
  const { router, approvalProxy } = contracts
  const calls: readonly RouterCall[] = [
    ...conversionCalls(conversion, spend),
    // Before the recipient and the order's calls get control.
    ...sweepCalls(router, leftoverCurrencies(conversion.route), solver),
    ...payCalls(fill),
  ]
  const rest = [calls, solver, payment.recipient, fill.orderId] as const
  if (isNative(conversion.input)) {
    const data = encodeFunctionData({ ...multicall, args: rest })
    return { to: router, data, value: spend + topup }
  }
  const args = [[conversion.input], [spend], ...rest] as const
  const data = encodeFunctionData({ ...transferAndMulticall, args })
  return { to: approvalProxy, data, value: topup }
}

/** Where the output is native, orders ask for no top-up. */
function payCalls({ contracts, conversion, payment, topup }: Fill): readonly RouterCall[] {
  const { router } = contracts
  const { output: currency, wrappedNative } = conversion
  const { recipient } = payment
  return [
    ...paymentCalls(router, wrappedNative, { ...payment, currency }),
    ...(topup === 0n ? [] : [payCall(router, nativeAddress, { recipient, minimum: topup })]),
  ]
}
