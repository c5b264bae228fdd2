import { inSpan, type Span } from '#src/config/tracing/tracer.ts'
import { once } from '#src/core/once.ts'
import type { Market } from '#src/core/pricing/market.ts'
import { marketOf } from '#src/core/pricing/market.ts'
import type { MultiPrice, PricedOrigin } from '#src/core/pricing/price.ts'
import { priceMulti } from '#src/core/pricing/priceMulti.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { type Bps, wholeBps } from '#src/core/units/bps.ts'
import { isSameCurrency } from '#src/core/units/currency.ts'
import type { Loaders, MultiInputAnswer } from '#src/service/answers.ts'
import { type Client, timeName } from '#src/service/callers.ts'
import type { MultiQuoteInput } from '#src/service/input/multiInput.ts'
import type { PricingQueue } from '#src/service/limits/pricingQueue.ts'
import { priceAsked } from '#src/service/order/askedPools.ts'
import { checkPayout, checkSwapImpact } from '#src/service/order/priceChecks.ts'
import { readMultiOrder } from '#src/service/order/readMultiOrder.ts'
import { tokenAccountOf } from '#src/service/svm/svmPayees.ts'
import { balanceInTime, gasIssueOf, originIssuesOf } from './issues.ts'
import { prepareQuote } from './prepareQuote.ts'
import { type QuoteDeps, recipientWarnings } from './quote.ts'
import { type Warning, warningsOf } from './warnings.ts'

export type MultiInputDeps = QuoteDeps &
  Readonly<{
    /** Time that users have to deposit. */
    multiInputSeconds: number
    pricing: Pick<PricingQueue, 'run'>
    /** Traces the pricing. */
    span?: Span | undefined
  }>

/**
 * Quotes an order with several deposits. The first call of `requestId`, `steps` or `depositDeadline` prepares the
 * steps and stores the request. The time to deposit starts then.
 * @throws AppError that names the field, origin or leg at fault.
 */
export async function multiInputQuote(
  deps: MultiInputDeps,
  request: MultiQuoteInput,
  loaders: Loaders,
  client: Client,
): Promise<MultiInputAnswer> {
  await deps.beginOrder(client)
  const caller = deps.identify(client.apiKey)
  const { destinationChainId, referrer } = request
  deps.log.debug({ destinationChainId, referrer }, 'Multi-input quote requested')
  const { order: plain, market, payees } = await readMultiOrder(deps, request, loaders)
  const order = { ...plain, ...(await tokenAccountOf(deps, plain)) }
  const currencies = [...order.origins.map(({ currency }) => currency), order.destination]
  const priced = await priceAsked(deps.askPools, currencies, () =>
    inSpan(deps.span, 'pricing', {}, () =>
      deps.pricing.run(timeName(deps.identify, client), () => priceMulti(order, market)),
    ),
  )
  checkPayout(priced, deps.maxPayoutUsd)
  checkOriginImpacts(priced, deps.maxSwapImpact)

  const prepared = once(async () => {
    const createdAt = deps.now()
    const depositDeadline = Math.floor(createdAt / 1000) + deps.multiInputSeconds
    const funding = { depositDeadline, partial: request.partial ?? false }
    const terms = { request, caller, client, funding, createdAt }
    const quote = await prepareQuote(deps, { priced, market, payees, ...terms }, loaders)
    return { ...quote, depositDeadline }
  })
  return {
    ...priced,
    userBalance: () => balanceInTime(totalBalance(priced, market, loaders)),
    warnings: async () => [...(await payeeWarnings(deps, order)), ...warningsOf(priced, deps)],
    issues: {
      origins: originIssuesOf(deps, priced, loaders).map((issues, at) => {
        const origin = priced.pricedOrigins[at] ?? priced.pricedOrigins[0]
        return { ...issues, user: origin.user, at: indexOf(priced, origin) }
      }),
      gas: async () => gasIssueOf((await prepared()).steps),
    },
    requestId: async () => (await prepared()).requestId,
    quoteId: async () => (await prepared()).quoteId,
    steps: async () => (await prepared()).steps,
    depositDeadline: async () => (await prepared()).depositDeadline,
  }
}

/** Compares the recipient with its own payment if it makes one, else with the first payer. */
function payeeWarnings(
  deps: MultiInputDeps,
  { origins, recipient, destination }: MultiPrice['order'],
): Promise<readonly Warning[]> {
  const payer = origins.find(({ user }) => user === recipient) ?? origins[0]
  if (payer === undefined) return Promise.resolve([])
  const { user, currency: origin } = payer
  return recipientWarnings(deps, { user, origin, recipient, destination })
}

/**
 * Refuses an order whose swaps lose too much value. The error names the origins whose own swaps lose more than allowed.
 */
function checkOriginImpacts(price: MultiPrice, maxLoss: Bps): void {
  const indexes = price.pricedOrigins
    .filter(({ leg }) => losesMore(leg, maxLoss))
    .map((origin) => indexOf(price, origin))
    .sort((one, other) => one - other)
  const named = indexes.map((index) => `origins.${index}`).join(', ')
  const advice = `Swap a smaller amount${named === '' ? '' : `, above all of ${named}`}.`
  checkSwapImpact(price, maxLoss, advice, { origins: indexes })
}

const losesMore = ({ input, output }: PricedOrigin['leg'], maxLoss: Bps): boolean =>
  input.usd !== undefined &&
  output.usd !== undefined &&
  (input.usd - output.usd) * wholeBps > maxLoss * input.usd

const indexOf = ({ order }: MultiPrice, { user, leg }: PricedOrigin): number =>
  order.origins.findIndex(
    (origin) => origin.user === user && isSameCurrency(origin.currency, leg.input.currency),
  )

/** Value of the users' balances of their origin currencies, in smallest units of the destination currency. */
async function totalBalance(
  { order, originValueOf }: MultiPrice,
  market: Market,
  loaders: Loaders,
): Promise<Amount> {
  const values = await Promise.all(
    order.origins.map(async (origin) => {
      const { currency, user } = origin
      const { hash } = marketOf(market, currency).block
      return originValueOf(origin, await loaders.balance(currency, user, hash))
    }),
  )
  return toAmount(values.reduce((sum, value) => sum + value, 0n))
}
