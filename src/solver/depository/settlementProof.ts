import type { SettlementState } from '#src/core/pricing/market.ts'
import { type SettlementFault, settlementFault } from '#src/core/pricing/settlement.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { mulDivUp } from '#src/core/units/arithmetic.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Draw } from '#src/protocol/calls/payout.ts'
import type { ProtocolOrder } from '#src/protocol/order/protocolOrder.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { FailReason } from '#src/requests/state/requestState.ts'
import {
  type FilledDeposit,
  filledDepositOf,
  type PaidRequest,
  settlementOf,
} from './settlementPayouts.ts'

declare const proven: unique symbol

/**
 * Says that the depositories will pay the deposits of a fill to the solver. Only `proveSettlement` makes one, and the
 * outbox takes no fill without it.
 */
export type SettlementProof = Readonly<{ depositIds: readonly string[]; [proven]: true }>

export type SettlementVerdict =
  | Readonly<{ kind: 'proven'; proof: SettlementProof }>
  /** The depository pays nothing at the moment. */
  | Readonly<{ kind: 'wait'; cause: string }>
  | Readonly<{ kind: 'refund'; reason: FailReason; fault?: SettlementFault }>

/** What the proofs before this one in the same round take up. */
export type Taken = Map<string, bigint>

/**
 * Builds the settlement of each deposit of a request, and checks all that the depository will check: that the order of
 * the app fees is the one of the deposit, that no fee is above its limit, that the depository pays the solver, and that
 * the amount is payable within the outflow limit.
 * @param settlements what the depository of each chain can pay to the solver
 * @param deposits all deposits that fund the request
 * @param taken is added to if there is a proof
 */
export function proveSettlement(
  paid: PaidRequest,
  deposits: readonly Deposit[],
  settlements: ReadonlyMap<ChainId, SettlementState>,
  taken: Taken,
): SettlementVerdict {
  const added = new Map(taken)
  for (const deposit of deposits) {
    const filled = filledDepositOf(deposit, paid)
    if (filled.owed !== undefined || !isPayable(filled))
      return { kind: 'refund', reason: 'UNKNOWN' }
    const { chainId, currency, amount } = deposit
    const state = settlements.get(chainId)
    if (state === undefined) return { kind: 'wait', cause: 'unread' }
    const key = keyOf(deposit)
    const before = added.get(key) ?? 0n
    const fault = settlementFault(state, currency, amount, before)
    if (fault?.kind === 'stopped') return { kind: 'wait', cause: fault.cause }
    if (fault !== undefined) return { kind: 'refund', reason: 'SOLVER_CAPACITY_EXCEEDED', fault }
    added.set(key, before + amount)
  }
  for (const [key, amount] of added) taken.set(key, amount)
  const depositIds = deposits.map(({ depositId }) => depositId)
  return { kind: 'proven', proof: { depositIds } as unknown as SettlementProof }
}

const keyOf = ({ chainId, currency }: Deposit): string => `${chainId}:${currency}`

/** Whether the depository accepts the app fees of the payout. The payee does not matter. @source Depository.sol, payFees */
function isPayable(filled: FilledDeposit): boolean {
  if (filled.orders === undefined) return true
  const payout = settlementOf([filled], { payee: nativeAddress, expiration: 0n })
  switch (payout.kind) {
    case 'unrecorded':
      return payout.payments.every(({ amount }) => amount >= 0n)
    case 'settlement':
      return payout.draws.every((draw) => isWithinBounds(draw, filled.orders?.proving))
  }
}

function isWithinBounds({ deposit, owed, fees }: Draw, order: ProtocolOrder | undefined): boolean {
  const payment = order?.inputs[0]?.payment
  if (fees.length === 0) return true
  if (order === undefined || payment === undefined) return false
  let next = 0n
  let total = 0n
  for (const { recipient, amount, proof } of fees) {
    const fee = order.fees[Number(proof.feeAt)]
    const isNamed =
      fee?.recipient === recipient &&
      fee.amount === proof.amount &&
      fee.currency === deposit.currency &&
      [fee.recipientChainId, fee.currencyChainId].every((each) => each === payment.chainId)
    const max = mulDivUp(proof.amount, deposit.amount, payment.amount)
    if (!isNamed || proof.feeAt < next || amount > max) return false
    next = proof.feeAt + 1n
    total += amount
  }
  return total <= owed
}
