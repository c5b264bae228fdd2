import type { CurrencyAmount, PricedOrigin } from '#src/core/pricing/price.ts'
import type { Account } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { type Protocol, secondsOf } from '#src/protocol/order/order.ts'
import {
  appFeesOf,
  isMulti,
  type QuotedPrice,
  topupOf,
  tradeTypeOf,
} from '#src/protocol/order/quotedPrice.ts'
import type { Step } from '#src/protocol/step.ts'
import type {
  FillTerms,
  FundingTerms,
  OpenTerms,
  QuotedAmount,
  QuotedRequest,
  QuoteSummary,
  RequestInput,
} from '#src/requests/quotedRequest.ts'
import type { Caller } from '#src/service/callers.ts'
import type { QuoteInput } from '#src/service/input/quoteInput.ts'
import { isOpen } from '#src/service/order/addressChecks.ts'

/** The parts of a request that do not come from the price. */
export type RequestTerms = Readonly<{
  request: Partial<
    Pick<
      QuoteInput,
      | 'referrer'
      | 'referrerAddress'
      | 'gasLimitForDepositSpecifiedTxs'
      | 'includeComputeUnitLimit'
      | 'depositFeePayer'
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
export type QuotedAddress = Readonly<{ depositAddress: Account; depositor: Account }>

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
  const { txsGasLimit, hasTokenAccount } = price.order
  return {
    payoutCurrency: currency.address,
    payoutAmount: amount,
    maxPayout: toAmount(amount + (margin > 0n ? margin : 0n)),
    ...(txsGasLimit !== undefined && { txsGasLimit }),
    ...(hasTokenAccount && { hasTokenAccount }),
    ...optionsOf(price),
  }
}

/** The options of the order that its fill needs. Multi-input orders have none, and their recipient gets the surplus. */
function optionsOf(
  price: QuotedPrice,
): Omit<
  FillTerms,
  'payoutCurrency' | 'payoutAmount' | 'maxPayout' | 'txsGasLimit' | 'hasTokenAccount'
> {
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
    ...(order.fixedRate !== undefined && { hasFixedRate: true }),
    enableTrueExactOutput,
  }
}

/** The part of a price that the history of a request shows. */
function quoteSummary(price: QuotedPrice): QuoteSummary {
  const { currencyIn, currencyOut, fees } = price
  const { chainId, address } = fees.relayer.currency
  const topup = topupOf(price)
  return {
    ...(currencyIn.usd !== undefined && { inUsd: currencyIn.usd }),
    ...(currencyOut.usd !== undefined && { outUsd: currencyOut.usd }),
    rate: price.rate,
    slippageBps: price.slippageBps,
    timeEstimate: price.timeEstimate,
    gas: { ...quoted(fees.gas), chainId: fees.gas.currency.chainId },
    feeCurrency: { chainId, address },
    relayerGas: quoted(fees.relayerGas),
    relayerService: quoted(fees.relayerService),
    app: quoted(fees.app),
    appFees: appFeesOf(price).map(({ recipient, amount }, at) => ({
      ...quoted(partOf(fees.app, amount)),
      recipient,
      bps: isMulti(price) ? toBps(0n) : (price.order.appFees[at]?.fee ?? toBps(0n)),
    })),
    ...(topup !== undefined && { topup: quoted(topup) }),
  }
}

type Valued = Pick<CurrencyAmount, 'amount' | 'usd'>

const quoted = ({ amount, usd }: Valued): QuotedAmount => ({
  amount,
  ...(usd !== undefined && { usd }),
})

/** A part of an amount, with its share of the value. Rounded down. */
const partOf = ({ amount: whole, usd }: Valued, amount: Amount): Valued => ({
  amount: toAmount(amount),
  usd: usd === undefined || whole === 0n ? usd : toUsd((usd * amount) / whole),
})
