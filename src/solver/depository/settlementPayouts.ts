import { type Address, evmAddress } from '#src/core/units/address.ts'
import { mulDivDown, mulDivUp } from '#src/core/units/arithmetic.ts'
import type { Draw, Settlement, Unrecorded } from '#src/protocol/calls/payout.ts'
import { orderIdOf, paymentProofOf } from '#src/protocol/order/orderId.ts'
import type { ProtocolOrder } from '#src/protocol/order/protocolOrder.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { type Deposit, plainTransferOf } from '#src/requests/state/deposit.ts'
import { inputFundedBy } from '#src/requests/state/requestState.ts'
import { isSolverRequest, type SolverRequest } from '#src/requests/state/solverRequest.ts'
import { recordedDeposit } from './depositoryCalls.ts'

/** The orders behind the app fees of a deposit. */
type FeeOrders = Readonly<{
  /** The order of the request, whose fees the payout of the request has left over. */
  quoted: ProtocolOrder
  /** The order whose hash is the deposit's order id: that of the address if the deposit pays an open deposit address. */
  proving: ProtocolOrder
}>

export type FilledDeposit = Readonly<{
  deposit: Deposit
  /** Present if the deposit pays app fees. */
  orders?: FeeOrders
  /** App fees that its settlement does not pay. */
  owed?: NonNullable<Deposit['owedAppFees']>
}>

/** A request with the request of the open deposit address that it pays. */
export type PaidRequest = Readonly<{
  request: SolverRequest
  parent?: SolverRequest | undefined
}>

/**
 * A deposit of a request with the orders of its app fees, which come out of the first input. The fees are owed if no known
 * order is the one that the deposit names: the depository would refuse them.
 */
export function filledDepositOf(deposit: Deposit, paid: PaidRequest | undefined): FilledDeposit {
  const quoted = paid?.request.order
  if (paid === undefined || quoted === undefined || quoted.fees.length === 0) return { deposit }
  if (inputFundedBy(paid.request, deposit.depositId) !== 0) return { deposit }
  const proving = [quoted, paid.parent?.order].find(
    (order) => order !== undefined && orderIdOf(order) === deposit.orderId,
  )
  const payment = proving?.inputs[0]?.payment
  if (proving === undefined || payment?.currency !== deposit.currency || payment.amount === 0n)
    return withoutFees({ deposit, orders: { quoted, proving: quoted } })
  return { deposit, orders: { quoted, proving } }
}

/** Reads, for each request, the request of the open deposit address that it pays. */
export async function withParents(
  store: RequestStore,
  requests: readonly SolverRequest[],
): Promise<readonly PaidRequest[]> {
  const parentIds = requests.flatMap(({ parentId }) => parentId ?? [])
  const found = parentIds.length === 0 ? [] : await store.findAll(parentIds)
  const parents = new Map(found.filter(isSolverRequest).map((each) => [each.requestId, each]))
  return requests.map((request) => ({ request, parent: parents.get(request.parentId ?? '0x') }))
}

/** Each deposit with the orders of its app fees. */
export async function readFilledDeposits(
  store: RequestStore,
  deposits: readonly Deposit[],
): Promise<readonly FilledDeposit[]> {
  const found = await store.findAll(deposits.flatMap(({ requestId }) => requestId ?? []))
  const paid = await withParents(store, found.filter(isSolverRequest))
  const byId = new Map(paid.map((each) => [each.request.requestId, each]))
  return deposits.map((deposit) => filledDepositOf(deposit, byId.get(deposit.requestId ?? '0x')))
}

/** The same deposit, for a settlement that pays no app fees: they stay owed. */
export function withoutFees(filled: FilledDeposit): FilledDeposit {
  const owed = appFeesOf(filled).map(({ recipient, amount }) => ({ recipient, amount }))
  return { deposit: filled.deposit, owed }
}

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
  const { record } = first.deposit
  const currency = evmAddress(first.deposit.currency)
  return record === undefined
    ? unrecordedSettlement(first, { payee, expiration })
    : { kind: 'settlement', currency, payee, draws: filled.map(drawOf), expiration }
}

/** The amount of a filled deposit that is the solver's: what its app fees leave, paid or still owed. */
export const payoutOf = ({ owed = [], ...filled }: FilledDeposit): bigint =>
  filled.deposit.amount - sum([...appFeesOf(filled), ...owed].map(({ amount }) => amount))

/** Number of payments that the depository makes. */
export const paymentsOf = (payout: Settlement | Unrecorded): number =>
  payout.kind === 'unrecorded'
    ? payout.payments.length
    : payout.draws.reduce((count, { fees }) => count + 1 + fees.length, 0)

function unrecordedSettlement(filled: FilledDeposit, { payee, expiration }: Terms): Unrecorded {
  const { amount } = filled.deposit
  const currency = evmAddress(filled.deposit.currency)
  const [txHash, logIndex] = plainTransferOf(filled.deposit)
  const fees = appFeesOf(filled).map((fee) => ({ recipient: fee.recipient, amount: fee.amount }))
  const rest = amount - sum(fees.map((fee) => fee.amount))
  const payments = [...fees, { recipient: payee, amount: rest }]
  return { kind: 'unrecorded', txHash, logIndex, currency, payments, expiration }
}

function drawOf(filled: FilledDeposit): Draw {
  const { deposit, orders } = filled
  const recorded = recordedDeposit(deposit)
  if (recorded === undefined) throw new Error(`${deposit.depositId} has no record`)
  const fees = appFeesOf(filled).map(({ recipient, amount, feeAt, quoted }) => ({
    recipient,
    amount,
    proof: { feeAt: BigInt(feeAt), amount: quoted },
  }))
  const proof = orders === undefined || fees.length === 0 ? [] : [paymentProofOf(orders.proving, 0)]
  return { deposit: recorded, owed: deposit.amount, fees, proof }
}

/**
 * The app fees that a deposit pays: each quoted fee times the ratio of deposit to quoted payment, rounded down, and at
 * most the same share of that fee in the proving order, rounded up, as the depository allows. If their sum exceeds the
 * deposit, each is reduced in proportion, rounded down. A fee that is not in the proving order is left out.
 */
function appFeesOf({ deposit, orders }: FilledDeposit) {
  if (orders === undefined) return []
  const { quoted, proving } = orders
  const [payment, proved] = [quoted, proving].map(({ inputs }) => inputs[0]?.payment.amount ?? 0n)
  if (!payment || !proved) return []
  let next = 0
  const due = quoted.fees.flatMap((fee) => {
    const feeAt = proving.fees.findIndex(
      ({ recipient }, at) => at >= next && recipient === fee.recipient,
    )
    const named = proving.fees[feeAt]
    if (named === undefined) return []
    next = feeAt + 1
    const amount = minimum(
      mulDivDown(fee.amount, deposit.amount, payment),
      mulDivUp(named.amount, deposit.amount, proved),
    )
    return [{ recipient: evmAddress(fee.recipient), feeAt, quoted: named.amount, amount }]
  })
  const owed = sum(due.map(({ amount }) => amount))
  return due
    .map((fee) =>
      owed > deposit.amount
        ? { ...fee, amount: mulDivDown(fee.amount, deposit.amount, owed) }
        : fee,
    )
    .filter(({ amount }) => amount > 0n)
}

const minimum = (one: bigint, other: bigint): bigint => (one < other ? one : other)

const sum = (amounts: readonly bigint[]): bigint =>
  amounts.reduce((total, amount) => total + amount, 0n)
