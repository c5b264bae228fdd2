import { z } from 'zod'
import type { Leg } from '#src/core/pricing/price.ts'
import type { Amount } from '#src/core/units/amount.ts'
import { formatUsd, type Usd } from '#src/core/units/usd.ts'
import { fallbackTypeOf } from '#src/gateway/formatValues.ts'
import type { ShownPrice } from '#src/service/answers.ts'
import { component, usdText } from './bodySchema.ts'
import { currencyAmountBody, encodeCurrencyAmount } from './currencyBody.ts'
import { encodeDetails, swapDetails } from './priceBody.ts'

const usdPartBody = component('UsdPart', z.object({ usd: usdText.optional() }))

const expandedPriceImpactBody = component(
  'ExpandedPriceImpact',
  z.object({
    swap: usdPartBody,
    execution: usdPartBody,
    service: usdPartBody,
    relay: usdPartBody.describe('The older name of `service`.'),
    app: usdPartBody,
    sponsored: usdPartBody,
  }),
)

const routeLegBody = component(
  'RouteLeg',
  z.object({
    inputCurrency: currencyAmountBody,
    outputCurrency: currencyAmountBody,
    router: z.string(),
    includedSwapSources: z.array(z.string()),
  }),
)

const routeBody = component('Route', z.object({ origin: routeLegBody, destination: routeLegBody }))

export const quoteDetailsBody = component(
  'QuoteDetails',
  z.object({
    ...swapDetails,
    refundCurrency: currencyAmountBody,
    currencyGasTopup: currencyAmountBody.optional(),
    expandedPriceImpact: expandedPriceImpactBody,
    fallbackType: z
      .enum(['upstream', 'external-liquidity'])
      .optional()
      .describe(
        '`upstream` if another service quoted and executes the order, `external-liquidity` if the fill waits for missing inventory of the solver.',
      ),
    isFixedRate: z.boolean(),
    fixedRateFee: usdPartBody.optional(),
    route: routeBody,
  }),
)

export function encodeQuoteDetails(
  price: ShownPrice,
  userBalance: Amount | undefined,
): z.input<typeof quoteDetailsBody> {
  const { currencyGasTopup, expandedPriceImpact: parts, fixedRateFee } = price
  const service = encodePart(parts.service)
  return {
    ...encodeDetails(price, userBalance),
    refundCurrency: encodeCurrencyAmount(price.refundCurrency),
    currencyGasTopup: currencyGasTopup && encodeCurrencyAmount(currencyGasTopup),
    expandedPriceImpact: {
      swap: encodePart(parts.swap),
      execution: encodePart(parts.execution),
      service,
      relay: service,
      app: encodePart(parts.app),
      sponsored: encodePart(parts.sponsored),
    },
    fallbackType: fallbackTypeOf(price),
    isFixedRate: price.isFixedRate,
    fixedRateFee: fixedRateFee === undefined ? undefined : encodePart(fixedRateFee),
    route: { origin: encodeLeg(price.origin), destination: encodeLeg(price.destination) },
  }
}

const encodePart = (usd: Usd | undefined): z.input<typeof usdPartBody> => ({
  usd: usd === undefined ? undefined : formatUsd(usd),
})

const encodeLeg = ({ input, output, router, swapSources }: Leg): z.input<typeof routeLegBody> => ({
  inputCurrency: encodeCurrencyAmount(input),
  outputCurrency: encodeCurrencyAmount(output),
  router,
  includedSwapSources: [...swapSources],
})
