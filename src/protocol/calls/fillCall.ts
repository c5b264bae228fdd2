import {
  concatHex,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  prepareEncodeFunctionData,
} from 'viem'
import { type Address, nativeAddress, toAddress } from '#src/core/units/address.ts'
import { isNative } from '#src/core/units/currency.ts'
import { approvalProxy as proxyArtifact } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'
import {
  type Conversion,
  conversionCalls,
  decodeNativePayment,
  decodePaidCurrency,
  leftoverCurrencies,
  type Payment,
  paymentCall,
  payNativeCall,
  type RouterCall,
  sweepCalls,
} from './routerCalls.ts'
import type { TransactionCall } from './transactionCall.ts'

/** The content of one fill, all of it on the destination chain. */
export type Fill = Readonly<{
  contracts: ProtocolContracts
  /** Pays the input and receives the leftovers of a swap. */
  solver: Address
  /** Account for which the order is marked as filled. The solver is one of its keys. */
  identity: Address
  orderId: Hex
  /** Last block timestamp at which the fill may run, in seconds since 1970. */
  deadline: bigint
  /** From the solver's currency to the recipient's currency. */
  conversion: Conversion
  /** Amount of the conversion's input. */
  netInput: bigint
  /** In the conversion's output. */
  payment: Omit<Payment, 'currency'>
  /** Native currency for the recipient in addition to the output, in wei; 0 for none. */
  topup: bigint
}>

const { abi } = proxyArtifact
const fill = prepareEncodeFunctionData({ abi, functionName: 'fill' })

/**
 * The solver's transaction that pays the recipient. The approval proxy marks the order as filled and refuses a second
 * fill. Its calldata ends with the order id.
 */
export function fillCall(terms: Fill): TransactionCall {
  const { contracts, conversion, netInput, topup, solver, payment } = terms
  const { identity, orderId, deadline } = terms
  const calls: readonly RouterCall[] = [
    ...conversionCalls(conversion, netInput),
    // The leftovers leave the router before the recipient and the order's calls get control.
    ...sweepCalls(contracts.router, leftoverCurrencies(conversion.route), solver),
    ...payCalls(terms),
  ]
  const isNativeInput = isNative(conversion.input)
  const [tokens, amounts] = isNativeInput ? [[], []] : [[conversion.input], [netInput]]
  const order = { identity, orderId, deadline }
  const args = [order, tokens, amounts, calls, solver, payment.recipient] as const
  return {
    to: contracts.approvalProxy,
    data: concatHex([encodeFunctionData({ ...fill, args }), orderId]),
    value: (isNativeInput ? netInput : 0n) + topup,
  }
}

/** Pays the top-up exactly. The solver gets the native leftovers of a swap. */
function payCalls({
  contracts: { router },
  conversion,
  payment,
  topup,
  orderId,
}: Fill): readonly RouterCall[] {
  const { output: currency, wrappedNative } = conversion
  const { recipient } = payment
  return [
    paymentCall({ router, wrappedNative, id: orderId }, { ...payment, currency }),
    ...(topup === 0n ? [] : [payNativeCall(router, recipient, topup)]),
  ]
}

type DecodedFill = Readonly<{
  identity: Address
  topup: bigint
  /** Whether the output is native currency. */
  paysNative: boolean
}>

/** What only the calldata of a fill shows. @throws viem's errors for other calldata */
export function decodeFill(data: Hex): DecodedFill {
  const { functionName, args } = decodeFunctionData({ abi, data })
  if (functionName !== 'fill') throw new Error(`${functionName} is no fill`)
  const [order, , , calls] = args
  const payments = calls.map(({ callData }) => decodeNativePayment(callData)?.amount ?? 0n)
  return {
    identity: toAddress(order.identity),
    topup: payments.reduce((sum, amount) => sum + amount, 0n),
    paysNative: calls.some(({ callData }) => decodePaidCurrency(callData) === nativeAddress),
  }
}
