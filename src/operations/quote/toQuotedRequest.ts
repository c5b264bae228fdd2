import { orderSeconds, type Protocol } from '#src/execution/order/createOrder.ts'
import { isMulti, type QuotedPrice, tradeTypeOf } from '#src/execution/order/quotedPrice.ts'
import type { Step } from '#src/execution/steps/step.ts'
import type { Caller } from '#src/operations/callers.ts'
import type { QuoteRequest } from '#src/operations/input/quoteInput.ts'
import type { PricedOrigin } from '#src/pricing/price.ts'
import type {
  FillTerms,
  FundingTerms,
  QuotedRequest,
  RequestInput,
} from '#src/requests/quotedRequest.ts'
import { toAmount } from '#src/units/amount.ts'
import { toUsd } from '#src/units/usd.ts'
import { quoteSummary } from './quoteSummary.ts'

/** The parts of a request that do not come from the price. */
export type RequestTerms = Readonly<{
  request: Partial<Pick<QuoteRequest, 'referrer' | 'referrerAddress' | 'permitExpiry'>>
  caller: Caller | undefined
  /** Under which name the caller's open quotes are counted. */
  quota: string
  /** For multi-input requests only. */
  funding?: FundingTerms
  /** Milliseconds since 1970. */
  createdAt: number
}>

type Parts = Readonly<{
  requestId: QuotedRequest['requestId']
  /** `undefined` for a user's own swap. */
  protocol: Protocol | undefined
  steps: readonly Step[]
}>

/** The stored form of a quote. */
export function toQuotedRequest(
  price: QuotedPrice,
  { request, caller, quota, funding, createdAt }: RequestTerms,
  { requestId, protocol, steps }: Parts,
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
    deadline: deadlineAfter(createdAt),
    ...execution,
  }
}

/** The deadline of a request that is quoted at `createdAt` (milliseconds), in seconds since 1970. */
export const deadlineAfter = (createdAt: number): number =>
  Math.floor(createdAt / 1000) + orderSeconds

const inputOf = ({
  user,
  refundTo,
  leg,
  payoutAmount,
  settlement,
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
  // Both are spent before the fill, or after it: it never spends them.
  settlement: toAmount(settlement + relayCost),
  surplusBps,
})

/** How the solver fills the order. For an exact output it may spend its own service fee as well, but not what settlements cost. */
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
    ...limitsOf(price),
  }
}

/** What the sponsor's part includes for sending the signed deposit. */
function relayTermsOf(price: QuotedPrice): Pick<FillTerms, 'relayUsd'> {
  if (isMulti(price) || price.relayCost?.usd === undefined) return {}
  return { relayUsd: price.relayCost.usd }
}

/** The quote's limits on routes. Multi-input orders have none, and leave the surplus to the recipient. */
function limitsOf(
  price: QuotedPrice,
): Pick<
  FillTerms,
  | 'includedSwapSources'
  | 'excludedSwapSources'
  | 'maxRouteLength'
  | 'topupUsd'
  | 'enableTrueExactOutput'
> {
  if (isMulti(price)) return { excludedSwapSources: [], enableTrueExactOutput: false }
  const { swapSources, maxRouteLength, topup, enableTrueExactOutput } = price.order
  const { included, excluded } = swapSources.destination
  return {
    ...(included !== undefined && { includedSwapSources: [...included] }),
    excludedSwapSources: [...excluded],
    ...(maxRouteLength !== undefined && { maxRouteLength }),
    ...(topup !== undefined && { topupUsd: topup }),
    enableTrueExactOutput,
  }
}
