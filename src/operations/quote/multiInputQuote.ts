import type { MultiInputRequest } from '#src/operations/input/multiInput.ts'
import type { Loaders, MultiInputAnswer } from '#src/operations/operations.ts'
import { checkImpact } from '#src/operations/order/checkSwapImpact.ts'
import { readMultiOrder } from '#src/operations/order/readMultiOrder.ts'
import type { Market } from '#src/pricing/market.ts'
import { marketOf } from '#src/pricing/marketOf.ts'
import type { MultiPrice } from '#src/pricing/multiPrice.ts'
import type { Funding } from '#src/pricing/price.ts'
import { priceMulti } from '#src/pricing/priceMulti.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { type Bps, wholeBps } from '#src/units/bps.ts'
import { isSameCurrency } from '#src/units/currency.ts'
import { prepareQuote } from './prepareQuote.ts'
import type { QuoteDeps } from './quote.ts'

export type MultiInputDeps = QuoteDeps &
  Readonly<{
    /** How long deposits are gathered. */
    multiInputSeconds: number
  }>

/**
 * A price that several accounts pay for and that can be executed. What it takes to execute it is worked out, and the
 * request stored, once any of `requestId`, `steps` and `depositDeadline` is asked for: from then on deposits are
 * gathered.
 * @throws AppError with the code, and the field, the origin or the leg, of what stands in the way.
 */
export async function multiInputQuote(
  deps: MultiInputDeps,
  request: MultiInputRequest,
  loaders: Loaders,
  apiKey?: string,
): Promise<MultiInputAnswer> {
  const caller = deps.identify(apiKey)
  const { destinationChainId, referrer } = request
  deps.log.debug({ destinationChainId, referrer }, 'A multi-input quote is asked for')
  const { order, market } = await readMultiOrder(deps, request, loaders)
  const priced = priceMulti(order, market)
  refuseLoss(priced, deps.maxSwapImpact)

  const prepare = async () => {
    const createdAt = deps.now()
    const until = Math.floor(createdAt / 1000) + deps.multiInputSeconds
    const gathering = { until, partial: request.partial ?? false }
    const terms = { request, caller, gathering, createdAt }
    return { ...(await prepareQuote(deps, { priced, market, ...terms }, loaders)), until }
  }
  let preparing: ReturnType<typeof prepare> | undefined
  const prepared = () => {
    preparing ??= prepare()
    return preparing
  }
  return {
    ...priced,
    userBalance: () => heldByAll(priced, market, loaders),
    requestId: async () => (await prepared()).requestId,
    steps: async () => (await prepared()).steps,
    depositDeadline: async () => (await prepared()).until,
  }
}

/** Names the origins whose own swaps lose more than that: the others are not to blame. */
function refuseLoss(price: MultiPrice, most: Bps): void {
  const places = price.fundings
    .filter(({ leg }) => losesMore(leg, most))
    .map((funding) => placeOf(price, funding))
    .sort((one, other) => one - other)
  const named = places.map((place) => `origins.${place}`).join(', ')
  const advice = `Swap less at once${named === '' ? '' : `, above all of ${named}`}.`
  checkImpact(price, most, advice, { origins: places })
}

const losesMore = ({ input, output }: Funding['leg'], most: Bps): boolean =>
  input.usd !== undefined &&
  output.usd !== undefined &&
  (input.usd - output.usd) * wholeBps > most * input.usd

const placeOf = ({ order }: MultiPrice, { user, leg }: Funding): number =>
  order.origins.findIndex(
    (origin) => origin.user === user && isSameCurrency(origin.currency, leg.input.currency),
  )

/** What the accounts hold of the currencies that they are to pay in, in the destination currency. */
async function heldByAll(
  { order, worthOf }: MultiPrice,
  market: Market,
  loaders: Loaders,
): Promise<Amount> {
  const worths = await Promise.all(
    order.origins.map(async (origin) => {
      const { currency, user } = origin
      const { hash } = marketOf(market, currency).block
      return worthOf(origin, await loaders.balance(currency, user, hash))
    }),
  )
  return toAmount(worths.reduce((sum, worth) => sum + worth, 0n))
}
