import type { Address } from '#src/core/units/address.ts'
import type { Payout } from '#src/protocol/calls/payout.ts'
import { type RefundProof, refundProofOf } from '#src/protocol/order/orderProof.ts'
import type { ProtocolOrder } from '#src/protocol/order/protocolOrder.ts'
import type { RequestInput } from '#src/requests/quotedRequest.ts'
import { type Deposit, plainTransferOf } from '#src/requests/state/deposit.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import { inputFundedBy } from '#src/requests/state/requestState.ts'
import { isSolverRequest } from '#src/requests/state/solverRequest.ts'
import { recordedDeposit } from '#src/solver/depository/depositoryCalls.ts'

/** A deposit to refund. `request`: undefined for an unknown order. */
export type DueRefund = Readonly<{
  deposit: Deposit
  request: StoredRequest | undefined
  recipient: Address
}>

/**
 * The recipient of a deposit's refund. In a request with several inputs: the `refundTo` of the input that the deposit
 * funds, else of the most similar input on its chain, else the depositor.
 */
export function refundRecipientOf(request: StoredRequest, deposit: Deposit): Address {
  if (request.execution !== 'solver' || request.funding === undefined) return request.refundTo
  const funded = request.inputs[inputFundedBy(request, deposit.depositId) ?? -1]
  const onSameChain = request.inputs.filter(({ chainId }) => chainId === deposit.chainId)
  const isOwn = ({ user }: RequestInput) => user === deposit.depositor
  const isOfCurrency = ({ depositCurrency }: RequestInput) => depositCurrency === deposit.currency
  const input =
    funded ??
    onSameChain.find((each) => isOwn(each) && isOfCurrency(each)) ??
    onSameChain.find(isOwn) ??
    onSameChain.find(isOfCurrency)
  return input?.refundTo ?? deposit.depositor
}

/** The order that proves the refund's recipient. The order id of a payment to an open address is no order hash. */
export const refundOrderOf = ({ orderId }: Deposit, request: StoredRequest | undefined) =>
  request !== undefined &&
  isSolverRequest(request) &&
  request.parentId === undefined &&
  request.orderId === orderId
    ? request.order
    : undefined

type Terms = Readonly<{
  /** The deposit's order, if it is known. */
  order: ProtocolOrder | undefined
  /** Name of the deposit's chain in orders. */
  chainName: string
  recipient: Address
  /** At most the deposit's amount. */
  amount: bigint
  /** May claim the rest of the deposit, which is the cost of the refund. */
  payee: Address
  /** Seconds since 1970. */
  expiration: bigint
}>

/** The payout that refunds a deposit. A recorded deposit goes to its depositor unless the order names `recipient`. */
export function refundPayout(deposit: Deposit, terms: Terms): Payout {
  const { order, chainName, recipient: wanted, amount, payee, expiration } = terms
  const recorded = recordedDeposit(deposit)
  if (recorded === undefined) {
    const [txHash, logIndex] = plainTransferOf(deposit)
    const payments = [{ recipient: wanted, amount }]
    return {
      kind: 'unrecorded',
      txHash,
      logIndex,
      currency: deposit.currency,
      payments,
      expiration,
    }
  }
  const proof =
    wanted === deposit.depositor
      ? undefined
      : order && refundProofOf(order, wanted, { chainName, currency: deposit.currency })
  const to: Readonly<{ recipient: Address; proof?: RefundProof }> =
    proof === undefined ? { recipient: deposit.depositor } : { recipient: wanted, proof }
  const owed = deposit.amount
  return {
    kind: 'refund',
    deposit: recorded,
    owed,
    ...to,
    amount,
    payee,
    cost: owed - amount,
    expiration,
  }
}
