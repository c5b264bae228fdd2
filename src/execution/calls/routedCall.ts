import { encodeFunctionData, type Hex, maxUint256, prepareEncodeFunctionData } from 'viem'
import { approvalProxy as proxyArtifact } from '#src/contracts/artifacts/approvalProxy.ts'
import { router as routerArtifact } from '#src/contracts/artifacts/router.ts'
import type { StepContext } from '#src/execution/steps/stepContext.ts'
import { appFeeShares } from '#src/pricing/fees/relayFees.ts'
import type { TradeType } from '#src/pricing/order.ts'
import type { CurrencyAmount, Funding, Leg, Price } from '#src/pricing/price.ts'
import type { Address } from '#src/units/address.ts'
import { isNative } from '#src/units/currency.ts'
import { type Conversion, conversionCalls, leftoverCurrencies } from './conversionCalls.ts'
import { paymentCalls } from './paymentCalls.ts'
import { depositCall, feeCalls, type RouterCall, sweepCalls } from './routerCalls.ts'
import type { TransactionCall } from './transactionCall.ts'

const multicall = prepareEncodeFunctionData({ abi: routerArtifact.abi, functionName: 'multicall' })
const transferAndMulticall = prepareEncodeFunctionData({
  abi: proxyArtifact.abi,
  functionName: 'transferAndMulticall',
})

/** Swaps the input into what the depository is to have, and deposits it. */
export function routedDeposit(
  { user, refundTo, leg, tradeType }: Funding,
  context: StepContext,
  orderId: Hex,
): TransactionCall {
  const { router, depository } = context.contracts
  const deposit = depositCall(router, leg.output.currency.address, {
    depository,
    depositor: user,
    id: orderId,
    minimum: leg.output.minimumAmount,
    most: tradeType === 'EXACT_OUTPUT' ? leg.output.amount : maxUint256,
  })
  const calls = [
    ...conversionCalls(conversionOf(leg, tradeType, context), leg.input.amount),
    deposit,
    ...sweepCalls(router, leftoverCurrencies(leg.route), refundTo),
  ]
  return run(leg.input, context, { calls, leftoversTo: refundTo, nftsTo: refundTo })
}

/** Pays app fees off the input, swaps the rest, and pays the recipient. */
export function routedSwap(price: Price, context: StepContext): TransactionCall {
  const { order, origin, currencyIn, currencyOut, fees } = price
  const { router } = context.contracts
  const shares = appFeeShares(order.appFees, fees.app.amount)
  const leftoversTo = leftoversRecipient(price, context.solver)
  const calls = [
    ...feeCalls(router, currencyIn.currency.address, shares),
    ...conversionCalls(
      conversionOf(origin, order.tradeType, context),
      currencyIn.amount - fees.app.amount,
    ),
    // Before the recipient and the caller's own calls get control.
    ...sweepCalls(router, leftoverCurrencies(origin.route), leftoversTo),
    ...paymentCalls(router, context.wrappedNative, {
      currency: currencyOut.currency.address,
      recipient: order.recipient,
      minimum: currencyOut.minimumAmount,
      txs: order.txs,
    }),
  ]
  return run(currencyIn, context, { calls, leftoversTo, nftsTo: order.recipient })
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

/** Through the proxy for an ERC-20 input, as that is what users let spend theirs. */
function run(
  { currency, amount }: CurrencyAmount,
  { contracts, requestId }: StepContext,
  plan: Readonly<{ calls: readonly RouterCall[]; leftoversTo: Address; nftsTo: Address }>,
): TransactionCall {
  const { router, approvalProxy } = contracts
  const rest = [plan.calls, plan.leftoversTo, plan.nftsTo, requestId] as const
  if (isNative(currency.address))
    return { to: router, data: encodeFunctionData({ ...multicall, args: rest }), value: amount }
  const args = [[currency.address], [amount], ...rest] as const
  const data = encodeFunctionData({ ...transferAndMulticall, args })
  return { to: approvalProxy, data, value: 0n }
}
