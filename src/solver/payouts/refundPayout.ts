import type { Address } from '#src/core/units/address.ts'
import type { Payout } from '#src/protocol/calls/payout.ts'
import { type RefundProof, refundProofOf } from '#src/protocol/order/orderProof.ts'
import type { ProtocolOrder } from '#src/protocol/order/protocolOrder.ts'
import { type Deposit, plainTransferOf } from '#src/requests/state/deposit.ts'
import { recordedDeposit } from './depositoryCalls.ts'

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
