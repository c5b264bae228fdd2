import { type Hex, maxUint256 } from 'viem'
import { appFeeShares } from '#src/core/pricing/fees/relayFees.ts'
import type { TradeType } from '#src/core/pricing/order.ts'
import type { CurrencyAmount, Leg, Price, PricedOrigin } from '#src/core/pricing/price.ts'
import type { Address } from '#src/core/units/address.ts'
import type { StepContext } from '#src/protocol/step.ts'
import {
  type Conversion,
  conversionCalls,
  depositCall,
  feeCalls,
  leftoverCurrencies,
  paymentCall,
  requireBeforeCall,
  sweepCalls,
} from './routerCalls.ts'
import { routerTransaction, type TransactionCall } from './transactionCall.ts'

/** The router's calls with the input of one account. */
export type RouterRun = Pick<
  Parameters<typeof routerTransaction>[0],
  'calls' | 'leftoversTo' | 'nftsTo'
>

/** The transaction of `depositRun`. */
export const routedDeposit = (
  origin: PricedOrigin,
  context: StepContext,
  orderId: Hex,
): TransactionCall => transactionOf(origin.leg.input, context, depositRun(origin, context, orderId))

/** Converts the input into the currency of the deposit, if the two differ, and deposits it. */
export function depositRun(
  { user, refundTo, leg, tradeType }: PricedOrigin,
  context: StepContext,
  orderId: Hex,
): RouterRun {
  const { router } = context.contracts
  const deposit = depositCall(router, leg.output.currency.address, {
    depositor: user,
    id: orderId,
    minimum: leg.output.minimumAmount,
    maximum: tradeType === 'EXACT_OUTPUT' ? leg.output.amount : maxUint256,
  })
  const calls = [
    requireBeforeCall(router, context.deadline),
    ...conversionCalls(conversionOf(leg, tradeType, context), leg.input.amount),
    deposit,
    ...sweepCalls(router, leftoverCurrencies(leg.route), refundTo),
  ]
  return { calls, leftoversTo: refundTo, nftsTo: refundTo }
}

/** The transaction of `swapRun`. */
export const routedSwap = (price: Price, context: StepContext): TransactionCall =>
  transactionOf(price.currencyIn, context, swapRun(price, context))

/** Pays app fees out of the input, swaps the rest, and pays the recipient. */
export function swapRun(price: Price, context: StepContext): RouterRun {
  const { order, origin, currencyIn, currencyOut, fees } = price
  const { router } = context.contracts
  const shares = appFeeShares(order.appFees, fees.app.amount)
  const leftoversTo = leftoversRecipient(price, context.solver)
  const { wrappedNative, requestId, deadline } = context
  const calls = [
    requireBeforeCall(router, deadline),
    ...feeCalls(router, currencyIn.currency.address, shares),
    ...conversionCalls(
      conversionOf(origin, order.tradeType, context),
      currencyIn.amount - fees.app.amount,
    ),
    // The leftovers leave the router before the recipient and the order's calls get control.
    ...sweepCalls(router, leftoverCurrencies(origin.route), leftoversTo),
    paymentCall(
      { router, wrappedNative, id: requestId },
      {
        currency: currencyOut.currency.address,
        recipient: order.recipient,
        minimum: currencyOut.minimumAmount,
        txs: order.txs,
      },
    ),
  ]
  return { calls, leftoversTo, nftsTo: order.recipient }
}

const conversionOf = (
  { input, output, route }: Leg,
  tradeType: TradeType,
  { contracts, wrappedNative }: StepContext,
): Conversion => ({
  contracts,
  wrappedNative,
  input: input.currency.address,
  output: output.currency.address,
  route,
  limitsOutput: tradeType !== 'EXACT_INPUT',
})

function leftoversRecipient({ order }: Price, solver: Address): Address {
  if (order.tradeType !== 'EXACT_OUTPUT') return order.refundTo
  return order.enableTrueExactOutput ? solver : order.recipient
}

const transactionOf = (
  { currency, amount }: CurrencyAmount,
  { contracts, requestId }: StepContext,
  run: RouterRun,
): TransactionCall =>
  routerTransaction({
    contracts,
    currency: currency.address,
    amount,
    metadata: requestId,
    ...run,
  })
