import { concatHex, type Hex, keccak256, stringToHex } from 'viem'
import type { Address } from '#src/core/units/address.ts'
import { inputWordsOf, orderWordsOf } from './orderId.ts'
import type { OrderInput, ProtocolOrder } from './protocolOrder.ts'

// A proof contains one part of an order and the hashes of all others, so that the depository can check the part against
// the order id without the whole order. @source Orders.sol

type OrderWords = Readonly<{
  version: Hex
  solverChainId: Hex
  solver: Address
  salt: bigint
  inputs: Hex
  output: Hex
  fees: Hex
}>

/** Proves the recipient of an input's refund. @source Orders.sol, RefundProof */
export type RefundProof = Readonly<{
  order: OrderWords
  inputs: readonly Hex[]
  inputAt: bigint
  paymentCurrency: Hex
  paymentAmount: bigint
  paymentWeight: bigint
  refunds: readonly Hex[]
  refundAt: bigint
  chainId: Hex
  currency: Hex
  minimumAmount: bigint
  deadline: number
  extraData: Hex
}>

/** Proves the payment of an input, and the hashes of the order's fees. @source Orders.sol, PaymentProof */
export type PaymentProof = Readonly<{
  order: OrderWords
  inputs: readonly Hex[]
  inputAt: bigint
  chainId: Hex
  amount: bigint
  weight: bigint
  refunds: Hex
  fees: readonly Hex[]
}>

/**
 * Undefined if no input of the order refunds a deposit in this currency on this chain to the recipient. The only input of
 * an order refunds deposits in any currency.
 */
export function refundProofOf(
  order: ProtocolOrder,
  recipient: Address,
  { chainName, currency }: Readonly<{ chainName: string; currency: Address }>,
): RefundProof | undefined {
  const isDeposited = (part: Readonly<{ chainId: string; currency: Address }>): boolean =>
    part.chainId === chainName && (order.inputs.length === 1 || part.currency === currency)
  for (const [inputAt, input] of order.inputs.entries()) {
    const { payment } = input
    const refundAt = input.refunds.findIndex(
      (refund) => refund.recipient === recipient && isDeposited(refund),
    )
    const refund = input.refunds[refundAt]
    if (refund === undefined || !isDeposited(payment)) continue
    return {
      ...proofStart(order, inputAt),
      paymentCurrency: keccak256(payment.currency),
      paymentAmount: payment.amount,
      paymentWeight: payment.weight,
      refunds: inputWordsOf(input).refunds,
      refundAt: BigInt(refundAt),
      chainId: textHash(refund.chainId),
      currency: keccak256(refund.currency),
      minimumAmount: refund.minimumAmount,
      deadline: refund.deadline,
      extraData: keccak256(refund.extraData),
    }
  }
  return undefined
}

/** @throws Error if the order has no such input. */
export function paymentProofOf(order: ProtocolOrder, inputAt: number): PaymentProof {
  const input: OrderInput | undefined = order.inputs[inputAt]
  if (input === undefined) throw new Error(`The order has no input ${inputAt}`)
  const { chainId, amount, weight } = input.payment
  return {
    ...proofStart(order, inputAt),
    chainId: textHash(chainId),
    amount,
    weight,
    refunds: listHash(inputWordsOf(input).refunds),
    fees: orderWordsOf(order).fees,
  }
}

function proofStart(order: ProtocolOrder, inputAt: number) {
  const { version, solverChainId, inputs, output, fees } = orderWordsOf(order)
  const { solver, salt } = order
  return {
    order: {
      version,
      solverChainId,
      solver,
      salt,
      output,
      inputs: listHash(inputs),
      fees: listHash(fees),
    },
    inputs,
    inputAt: BigInt(inputAt),
  }
}

const textHash = (text: string): Hex => keccak256(stringToHex(text))

const listHash = (hashes: readonly Hex[]): Hex =>
  keccak256(hashes.length === 0 ? '0x' : concatHex(hashes))
