import type { ErrorCode } from '#src/core/errors.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { wholeBps } from '#src/core/units/bps.ts'
import { toUsd, type Usd } from '#src/core/units/usd.ts'
import { paymentIdsOf } from '#src/protocol/calls/depositAddress.ts'
import { orderSeconds } from '#src/protocol/order/order.ts'
import type { OpenTerms, QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { FailReason } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'

/** The request of an open deposit address. */
export type AddressRequest = SolverRequest & Readonly<{ open: OpenTerms }>

/** The reason to refund a payment independently of its price; undefined if it has no fault. */
export function paymentFault(
  { inputs, deadline, fill }: AddressRequest,
  { currency, timestamp }: Deposit,
): FailReason | undefined {
  if (currency !== inputs[0]?.depositCurrency) return 'INCORRECT_DEPOSIT_CURRENCY'
  const lastPayment = deadline + (fill.latePaymentBps === undefined ? 0 : orderSeconds)
  return timestamp > lastPayment ? 'ORDER_EXPIRED' : undefined
}

/** Whether a payment came in time, or its gas cost exceeds that of the first quote by at most `latePaymentBps`. */
export function isQuotable(
  { deadline, fill, summary: first }: AddressRequest,
  { timestamp }: Deposit,
  { summary }: QuotedRequest,
): boolean {
  if (timestamp <= deadline) return true
  if (fill.latePaymentBps === undefined || first === undefined || summary === undefined)
    return false
  const [one, other] = [first.feeCurrency, summary.feeCurrency]
  // The fees are in different currencies, and cannot be compared.
  if (one.chainId !== other.chainId || one.address !== other.address) return false
  const maxGasCost = first.relayerGas.amount * (wholeBps + fill.latePaymentBps)
  return summary.relayerGas.amount * wholeBps <= maxGasCost
}

/** The request of the address for its next payment: its sponsorship is reduced by `spentUsd`, down to 0. */
export function withSponsorRest(address: AddressRequest, spentUsd: Usd): AddressRequest {
  const { sponsoredUsd } = address.open
  if (sponsoredUsd === undefined) return address
  const rest = sponsoredUsd > spentUsd ? toUsd(sponsoredUsd - spentUsd) : toUsd(0n)
  return { ...address, open: { ...address.open, sponsoredUsd: rest } }
}

/**
 * Seconds of chain time for which a payment that cannot be quoted waits for a price. A manipulated pool or a short rise
 * of the gas price must not cause a refund at once. An outage of a chain or a price source may last longer.
 */
export function waitSeconds(code: ErrorCode): number {
  switch (code) {
    case 'SERVICE_UNAVAILABLE':
    case 'STALE_MARKET':
    case 'PRICE_FETCH_FAILED':
      return 86_400
    default:
      return 600
  }
}

/** The refund reason of a payment that cannot be quoted. */
export function reasonOfRefusal(code: ErrorCode): FailReason {
  switch (code) {
    case 'AMOUNT_TOO_LOW':
      return 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL'
    case 'INSUFFICIENT_LIQUIDITY':
      return 'SOLVER_BALANCE_TOO_LOW'
    case 'SOLVER_CAPACITY_EXCEEDED':
      return 'SOLVER_CAPACITY_EXCEEDED'
    case 'SWAP_IMPACT_TOO_HIGH':
      return 'SLIPPAGE'
    default:
      return 'NO_QUOTES'
  }
}

/** The request of a payment that is refunded. It is not quoted: its output is 0, so that no fill can be planned. */
export function refusedPayment(
  parent: AddressRequest,
  { depositId, currency, amount }: Deposit,
  /** Milliseconds since 1970. */
  at: number,
): QuotedRequest {
  const { state: _, version: __, open: ___, summary: ____, ...terms } = parent
  const nothing = toAmount(0n)
  const ids = paymentIdsOf(parent, depositId)
  return {
    ...terms,
    ...ids,
    parentId: parent.requestId,
    steps: parent.steps.map((step) => ({ ...step, requestId: ids.requestId })),
    originCurrency: currency,
    amountIn: amount,
    amountOut: nothing,
    minimumAmountOut: nothing,
    inputs: parent.inputs.map((input) => ({
      ...input,
      amount,
      depositAmount: amount,
      leastDeposit: amount,
      payoutAmount: nothing,
      settlement: nothing,
    })),
    fill: { ...parent.fill, payoutAmount: nothing, maxPayout: nothing },
    subsidizedUsd: toUsd(0n),
    createdAt: at,
    deadline: Math.floor(at / 1000) + orderSeconds,
  }
}
