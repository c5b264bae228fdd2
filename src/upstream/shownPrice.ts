import type { CurrencyAmount, Leg, Slippage } from '#src/core/pricing/price.ts'
import { impactsOf, rateOf } from '#src/core/pricing/summary/summary.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { divNearest } from '#src/core/units/arithmetic.ts'
import { toBps, wholeBps } from '#src/core/units/bps.ts'
import { type Usd, usdValueDown } from '#src/core/units/usd.ts'
import type { ShownPrice } from '#src/service/answers.ts'
import type { FallbackDeps } from '#src/service/fallback.ts'
import type { AnsweredDetails, AnsweredFees } from './answerSchemas.ts'
import type { Asked, UpstreamTerms } from './asked.ts'
import { checkAmounts, checkValues } from './checkOrder.ts'
import { refuseAnswer } from './upstreamClient.ts'

type Known = Pick<FallbackDeps, 'knownCurrency' | 'knownUsdPrice'>

type Given = Readonly<{ fees: AnsweredFees; details: AnsweredDetails }>

/**
 * Converts another service's answer into a price. Known currencies and values are replaced by our own (values rounded
 * down); rate and impacts are computed here.
 * @throws UpstreamAnswerError if the amounts do not match the request, or their values differ from our prices
 */
export function shownPrice(
  known: Known,
  { fees: givenFees, details }: Given,
  { asked, maxUsdDifference }: Readonly<{ asked: Asked }> & UpstreamTerms,
): ShownPrice {
  checkAmounts(details, asked)
  if (details.sender !== asked.user) refuseAnswer('the sender is another account')
  if (details.recipient !== asked.recipient) refuseAnswer('the recipient is another account')
  const own = (given: CurrencyAmount) => ownAmount(known, given)
  const currencyIn = own(details.currencyIn)
  const currencyOut = own(details.currencyOut)
  checkValues(
    { in: details.currencyIn.usd, out: details.currencyOut.usd },
    { in: ownValue(known, currencyIn), out: ownValue(known, currencyOut) },
    maxUsdDifference,
  )
  const fees = mapValues(givenFees, own)
  const { refundCurrency, currencyGasTopup, route, expandedPriceImpact: parts } = details
  const shortfall = toAmount(currencyOut.amount - currencyOut.minimumAmount)
  return {
    operation: details.operation,
    sender: asked.user,
    recipient: asked.recipient,
    currencyIn: { ...currencyIn, minimumAmount: currencyIn.amount },
    currencyOut,
    fees,
    ...impactsOf(currencyIn, currencyOut, fees),
    rate: rateOf(rated(currencyIn), rated(currencyOut)),
    slippageBps: toBps((shortfall * wholeBps) / currencyOut.amount),
    slippageTolerance: {
      origin: slippageOf(currencyIn, details.slippageTolerance?.origin.value ?? toAmount(0n)),
      destination: slippageOf(currencyOut, shortfall),
    },
    timeEstimate: details.timeEstimate,
    origin: legOf(route?.origin, currencyIn, own),
    destination: legOf(route?.destination, currencyOut, own),
    blocks: [],
    refundCurrency: refundCurrency == null ? currencyIn : own(refundCurrency),
    currencyGasTopup: currencyGasTopup == null ? undefined : own(currencyGasTopup),
    expandedPriceImpact: {
      swap: parts?.swap,
      execution: parts?.execution,
      service: parts?.service ?? parts?.relay,
      app: parts?.app,
      sponsored: parts?.sponsored,
    },
    isFixedRate: details.isFixedRate ?? false,
    fixedRateFee: details.fixedRateFee,
    fallbackType: 'upstream',
    awaitsLiquidity: false,
  }
}

/** Replaces a known currency and its value by our own. @throws UpstreamAnswerError for other decimals */
function ownAmount({ knownCurrency, knownUsdPrice }: Known, given: CurrencyAmount): CurrencyAmount {
  const { chainId, address, decimals } = given.currency
  const currency = knownCurrency(chainId, address) ?? given.currency
  if (currency.decimals !== decimals) refuseAnswer('a currency has other decimals')
  const price = knownUsdPrice(chainId, address)
  return {
    ...given,
    currency,
    usd: price === undefined ? given.usd : usdValueDown(given.amount, decimals, price),
  }
}

function ownValue({ knownUsdPrice }: Known, { currency, amount }: CurrencyAmount): Usd | undefined {
  const price = knownUsdPrice(currency.chainId, currency.address)
  return price && usdValueDown(amount, currency.decimals, price)
}

const rated = ({ amount, currency: { decimals } }: CurrencyAmount) => ({ amount, decimals })

/** A part of an amount, with the same share of its value. Its value is rounded down. */
const slippageOf = ({ amount, usd }: CurrencyAmount, value: Amount): Slippage => ({
  value,
  usd: usd === undefined || amount === 0n ? usd : (((usd * value) / amount) as Usd),
  percentHundredths: amount === 0n ? 0n : divNearest(value * wholeBps, amount),
})

/** Without a route, both ends of the leg show the given amount. */
function legOf(
  given: NonNullable<AnsweredDetails['route']>['origin'] | undefined,
  end: CurrencyAmount,
  own: (amount: CurrencyAmount) => CurrencyAmount,
): Leg {
  return {
    input: given === undefined ? end : own(given.inputCurrency),
    output: given === undefined ? end : own(given.outputCurrency),
    route: undefined,
    router: given?.router ?? 'upstream',
    swapSources: given?.includedSwapSources ?? [],
  }
}

const mapValues = (
  { gas, relayer, relayerGas, relayerService, app, subsidized }: AnsweredFees,
  map: (amount: CurrencyAmount) => CurrencyAmount,
): AnsweredFees => ({
  gas: map(gas),
  relayer: map(relayer),
  relayerGas: map(relayerGas),
  relayerService: map(relayerService),
  app: map(app),
  subsidized: map(subsidized),
})
