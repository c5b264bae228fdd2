import type { Draw, Settlement, Unrecorded } from '#src/execution/calls/payout.ts'
import { paymentProofOf } from '#src/execution/order/orderProof.ts'
import type { ProtocolOrder } from '#src/execution/order/protocolOrder.ts'
import { type Deposit, plainTransferOf } from '#src/requests/state/deposit.ts'
import type { Address } from '#src/units/address.ts'
import { mulDivDown } from '#src/units/mulDiv.ts'
import { recordedDeposit } from './depositoryCalls.ts'

/** A filled deposit, and its order if it funds the first input: the app fees of an order are on its first input. */
export type FilledDeposit = Readonly<{ deposit: Deposit; order?: ProtocolOrder }>

type Terms = Readonly<{ payee: Address; expiration: bigint }>

/**
 * The payout of filled deposits of one currency: app fees to their recipients, the rest to `payee`. A plain transfer
 * has a payout of its own. `expiration` is in seconds since 1970.
 */
export function settlementOf(
  filled: readonly FilledDeposit[],
  { payee, expiration }: Terms,
): Settlement | Unrecorded {
  const [first] = filled
  if (first === undefined) throw new Error('A settlement needs a deposit')
  const { currency, record } = first.deposit
  return record === undefined
    ? unrecordedSettlement(first, { payee, expiration })
    : { kind: 'settlement', currency, payee, draws: filled.map(drawOf), expiration }
}

/** Number of payments that the depository makes. */
export const paymentsOf = (payout: Settlement | Unrecorded): number =>
  payout.kind === 'unrecorded'
    ? payout.payments.length
    : payout.draws.reduce((count, { fees }) => count + 1 + fees.length, 0)

function unrecordedSettlement(filled: FilledDeposit, { payee, expiration }: Terms): Unrecorded {
  const { currency, amount } = filled.deposit
  const [txHash, logIndex] = plainTransferOf(filled.deposit)
  const fees = appFeesOf(filled).map((fee) => ({ recipient: fee.recipient, amount: fee.amount }))
  const rest = amount - sum(fees.map((fee) => fee.amount))
  const payments = [...fees, { recipient: payee, amount: rest }]
  return { kind: 'unrecorded', txHash, logIndex, currency, payments, expiration }
}

function drawOf(filled: FilledDeposit): Draw {
  const { deposit, order } = filled
  const recorded = recordedDeposit(deposit)
  if (recorded === undefined) throw new Error(`${deposit.depositId} has no record`)
  const fees = appFeesOf(filled).map(({ recipient, amount, feeAt, quoted }) => ({
    ...{ recipient, amount },
    proof: { feeAt: BigInt(feeAt), amount: quoted },
  }))
  const proof = order === undefined || fees.length === 0 ? [] : [paymentProofOf(order, 0)]
  return { deposit: recorded, owed: deposit.amount, fees, proof }
}

/**
 * The app fees that a deposit pays: each quoted fee times the ratio of deposit to quoted payment, rounded down. If
 * their sum exceeds the deposit, each is reduced in proportion, rounded down.
 */
function appFeesOf({ deposit, order }: FilledDeposit) {
  const payment = order?.inputs[0]?.payment
  if (order === undefined || payment === undefined || payment.amount === 0n) return []
  const due = order.fees.map((fee, feeAt) => ({
    ...{ recipient: fee.recipient, feeAt, quoted: fee.amount },
    amount: mulDivDown(fee.amount, deposit.amount, payment.amount),
  }))
  const owed = sum(due.map(({ amount }) => amount))
  return due
    .map((fee) =>
      owed > deposit.amount
        ? { ...fee, amount: mulDivDown(fee.amount, deposit.amount, owed) }
        : fee,
    )
    .filter(({ amount }) => amount > 0n)
}

const sum = (amounts: readonly bigint[]): bigint =>
  amounts.reduce((total, amount) => total + amount, 0n)
