import type { PricedOrigin } from '#src/core/pricing/price.ts'
import type { Address } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { type Protocol, secondsOf } from '#src/protocol/order/createOrder.ts'
import { isMulti, type QuotedPrice, tradeTypeOf } from '#src/protocol/order/quotedPrice.ts'
import type { Step } from '#src/protocol/steps/step.ts'
import type {
  FillTerms,
  FundingTerms,
  OpenTerms,
  QuotedRequest,
  RequestInput,
} from '#src/requests/quotedRequest.ts'
import type { Caller } from '#src/service/callers.ts'
import type { QuoteRequest } from '#src/service/input/quoteInput.ts'
import { isOpen } from '#src/service/order/addressChecks.ts'
import { quoteSummary } from './quoteSummary.ts'

/** The parts of a request that do not come from the price. */
export type RequestTerms = Readonly<{
  request: Partial<
    Pick<
      QuoteRequest,
      | 'referrer'
      | 'referrerAddress'
      | 'gasLimitForDepositSpecifiedTxs'
      | 'includeComputeUnitLimit'
      | 'permitExpiry'
      | 'useDepositAddress'
      | 'strict'
      | 'slippageTolerance'
      | 'overridePriceImpact'
      | 'appFees'
      | 'subsidizeFees'
      | 'maxSubsidizationAmount'
    >
  >
  caller: Caller | undefined
  /** The name under which the caller's open quotes are counted. */
  quota: string
  /** For multi-input requests only. */
  funding?: FundingTerms
  /** Milliseconds since 1970. */
  createdAt: number
}>

/** A deposit address for one order, and the account that it deposits for. */
export type QuotedAddress = Readonly<{ depositAddress: Address; depositor: Address }>

type Parts = Readonly<{
  requestId: QuotedRequest['requestId']
  /** `undefined` for a user's own swap. */
  protocol: Protocol | undefined
  steps: readonly Step[]
  /** Only if the user pays a deposit address. */
  address?: QuotedAddress
}>

/** The stored form of a quote. */
export function toQuotedRequest(
  price: QuotedPrice,
  { request, caller, quota, funding, createdAt }: RequestTerms,
  { requestId, protocol, steps, address }: Parts,
): QuotedRequest {
  const { order, currencyOut } = price
  const [first] = price.pricedOrigins
  const paid = first === undefined ? price.currencyIn : first.leg.input
  const execution =
    protocol === undefined
      ? ({ execution: 'user' } as const)
      : ({
          execution: 'solver',
          ...protocol,
          inputs: price.pricedOrigins.map(inputOf),
          ...(funding !== undefined && { funding }),
          ...address,
          ...(isOpen(request) && { open: openTermsOf(request) }),
          fill: fillTermsOf(price),
        } as const)
  return {
    requestId,
    user: order.user,
    recipient: order.recipient,
    refundTo: isMulti(price) ? price.pricedOrigins[0].refundTo : price.order.refundTo,
    originChainId: paid.currency.chainId,
    destinationChainId: currencyOut.currency.chainId,
    originCurrency: paid.currency.address,
    destinationCurrency: currencyOut.currency.address,
    tradeType: tradeTypeOf(price),
    amountIn: paid.amount,
    amountOut: currencyOut.amount,
    minimumAmountOut: currencyOut.minimumAmount,
    steps,
    ...(request.referrer != null && { referrer: request.referrer }),
    ...(request.referrerAddress != null && { referrerAddress: request.referrerAddress }),
    ...(caller !== undefined && { apiKey: caller.name }),
    quota,
    subsidizedUsd: price.fees.subsidized.usd ?? toUsd(0n),
    summary: quoteSummary(price),
    createdAt,
    deadline: deadlineOf(price, createdAt),
    ...execution,
  }
}

/** The options for the quote of each payment to an open address. */
const openTermsOf = ({
  slippageTolerance,
  overridePriceImpact,
  appFees,
  subsidizeFees,
  maxSubsidizationAmount: sponsoredUsd,
}: RequestTerms['request']): OpenTerms => ({
  ...(slippageTolerance != null && { slippageTolerance }),
  ...(overridePriceImpact === true && { overridePriceImpact }),
  ...(appFees != null && { appFees }),
  ...(subsidizeFees === true && sponsoredUsd != null && { sponsoredUsd }),
})

/** The deadline of a price that is quoted at `createdAt` (milliseconds), in seconds since 1970. */
export const deadlineOf = (price: QuotedPrice, createdAt: number): number =>
  Math.floor(createdAt / 1000) + secondsOf(price)

const inputOf = ({
  user,
  refundTo,
  leg,
  payoutAmount,
  settlement,
  sweep = toAmount(0n),
  relayCost = toAmount(0n),
  surplusBps,
}: PricedOrigin): RequestInput => ({
  chainId: leg.input.currency.chainId,
  user,
  refundTo,
  currency: leg.input.currency.address,
  amount: leg.input.amount,
  depositCurrency: leg.output.currency.address,
  depositAmount: leg.output.amount,
  leastDeposit: leg.output.minimumAmount,
  payoutAmount,
  // The fill never spends these costs: they are paid before or after it.
  settlement: toAmount(settlement + sweep + relayCost),
  surplusBps,
})

/**
 * How the solver fills the order. Its maximum payout includes its service fee (rounded down), less the cost of
 * settlements: for an exact output the fill may spend that margin.
 */
function fillTermsOf(price: QuotedPrice): FillTerms {
  const { currency, amount } = price.destination.input
  const fee = price.fees.relayerService
  const payoutScale = 10n ** BigInt(currency.decimals)
  const service = (fee.amount * payoutScale) / 10n ** BigInt(fee.currency.decimals)
  const margin = price.pricedOrigins.reduce((left, { settlement }) => left - settlement, service)
  const { txsGasLimit } = price.order
  return {
    payoutCurrency: currency.address,
    payoutAmount: amount,
    maxPayout: toAmount(amount + (margin > 0n ? margin : 0n)),
    ...(txsGasLimit !== undefined && { txsGasLimit }),
    ...relayTermsOf(price),
    ...optionsOf(price),
  }
}

/** The part of the sponsored fees that pays for sending the signed deposit. */
function relayTermsOf(price: QuotedPrice): Pick<FillTerms, 'relayUsd'> {
  if (isMulti(price) || price.relayCost?.usd === undefined) return {}
  return { relayUsd: price.relayCost.usd }
}

/** The options of the order that its fill needs. Multi-input orders have none, and their recipient gets the surplus. */
function optionsOf(
  price: QuotedPrice,
): Omit<FillTerms, 'payoutCurrency' | 'payoutAmount' | 'maxPayout' | 'txsGasLimit'> {
  if (isMulti(price)) return { excludedSwapSources: [], enableTrueExactOutput: false }
  const { swapSources, maxRouteLength, authorizationList, topup, ...order } = price.order
  const { latePaymentBps, externalLiquiditySeconds, enableTrueExactOutput } = order
  const { included, excluded } = swapSources.destination
  return {
    ...(included !== undefined && { includedSwapSources: [...included] }),
    excludedSwapSources: [...excluded],
    ...(maxRouteLength !== undefined && { maxRouteLength }),
    ...(authorizationList !== undefined && { authorizationList }),
    ...(latePaymentBps !== undefined && { latePaymentBps }),
    ...(price.awaitsLiquidity &&
      externalLiquiditySeconds !== undefined && { externalLiquiditySeconds }),
    ...(topup !== undefined && { topupUsd: topup }),
    enableTrueExactOutput,
  }
}
