import type { Hash } from 'viem'
import { AppError, type ErrorCode } from '#src/core/errors.ts'
import { once } from '#src/core/once.ts'
import type { CurrencyAmount } from '#src/core/pricing/price.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import { type Bps, wholeBps } from '#src/core/units/bps.ts'
import { toUsd } from '#src/core/units/usd.ts'
import type { Step } from '#src/protocol/step.ts'
import type { QuotedAmount, QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { PriceAnswer, PriceIssues, QuoteAnswer, ShownPrice } from '#src/service/answers.ts'
import { type Caller, type Client, quotaOf } from '#src/service/callers.ts'
import type { Fallback, FallbackDeps } from '#src/service/fallback.ts'
import { FieldError, throwTogether } from '#src/service/input/fieldError.ts'
import type { QuoteInput, SwapInput } from '#src/service/input/quoteInput.ts'
import type { KnownContract } from '#src/service/payees/checkPayees.ts'
import { gasIssueOf, shortfallOf } from '#src/service/quote/issues.ts'
import { shownAccounts } from '#src/service/quote/priceAnswer.ts'
import { warningsOf } from '#src/service/quote/warnings.ts'
import type { QuotedStep } from '#src/service/quotedSteps.ts'
import { parsePriceAnswer, parseQuoteAnswer } from './answerSchemas.ts'
import {
  type Asked,
  askBody,
  endsOf,
  hasEvmAccounts,
  ownOptionsOf,
  toAsked,
  type UpstreamTerms,
} from './asked.ts'
import { shownPrice } from './shownPrice.ts'
import type { UpstreamClient } from './upstreamClient.ts'
import { type CheckedQuote, checkQuote } from './upstreamQuote.ts'

type Deps = FallbackDeps &
  Readonly<{
    client: UpstreamClient
    terms: UpstreamTerms
    /** Whether this gateway has no chains of its own. `useFallbacks` is then true by default. */
    isOnly: boolean
  }>

/** Errors of our own pricing that allow a fallback: no route, no inventory, or an unsupported chain or currency. */
const insufficient: ReadonlySet<ErrorCode> = new Set([
  'INSUFFICIENT_LIQUIDITY',
  'NO_SWAP_ROUTES_FOUND',
  'SOLVER_CAPACITY_EXCEEDED',
  'UNSUPPORTED_CHAIN',
  'UNSUPPORTED_CURRENCY',
  'UNSUPPORTED_ROUTE',
])

export function createFallback(deps: Deps): Fallback {
  const { client, terms, isOnly } = deps

  const mayAsk = (request: SwapInput): boolean =>
    (request.useFallbacks ?? isOnly) &&
    hasEvmAccounts(request) &&
    ownOptionsOf(request).length === 0 &&
    endsOf(terms, request) !== undefined

  /**
   * Our own answer if it does not wait for liquidity; else that of the service. If the service fails, our own answer
   * that waits.
   */
  async function askAfter<Answer extends Pick<PriceAnswer, 'awaitsLiquidity'>>(
    request: SwapInput,
    own: () => Promise<Answer>,
    ask: () => Promise<Answer>,
  ): Promise<Answer> {
    if (!mayAsk(request)) return own()
    const ours = await own().catch((error: unknown) => {
      if (error instanceof AppError && insufficient.has(error.code)) return undefined
      throw error
    })
    if (ours === undefined) return ask()
    if (!ours.awaitsLiquidity) return ours
    return ask().catch((error: unknown) => {
      if (error instanceof AppError) return ours
      throw error
    })
  }

  async function priceOf(request: SwapInput): Promise<PriceAnswer> {
    const asked = toAsked(request)
    checkPayees(deps, terms, asked)
    const answer = parsePriceAnswer(await client.ask({ path: '/price', body: askBody(asked) }))
    const price = shownPrice(deps, answer, { asked, ...terms })
    return { ...price, ...shownAccounts(request), ...readByService(deps, price, answer) }
  }

  return {
    price: (request, own) => askAfter(request, own, () => priceOf(request)),
    quote: (request, from, own) =>
      askAfter(request, own, async () => {
        const caller = deps.identify(from.apiKey)
        return quoteOf(deps, request, { caller, from })
      }),
  }
}

type Origin = Readonly<{ caller: Caller | undefined; from: Client }>

async function quoteOf(
  deps: Deps,
  request: QuoteInput,
  { caller, from }: Origin,
): Promise<QuoteAnswer> {
  const { client, terms } = deps
  const asked = toAsked(request)
  checkPayees(deps, terms, asked)
  const answer = parseQuoteAnswer(await client.ask({ path: '/quote/v2', body: askBody(asked) }))
  const price = shownPrice(deps, answer, { asked, ...terms })
  const quotedAt = deps.now()
  const checked = checkQuote(answer, price, { asked, terms, quotedAt })
  if (request.overridePriceImpact !== true) checkLoss(price, deps.maxSwapImpact)

  const stored = once(async () => {
    const quota = quotaOf(caller, from)
    await deps.openQuotes.admit(quota, caller?.maxOpenQuotes ?? deps.maxOpenQuotes)
    const requestId = deps.randomHash()
    const steps = checked.steps(requestId)
    const { service } = client
    await deps.store(
      toUpstreamRequest(price, checked, {
        requestId,
        steps,
        asked,
        caller,
        quota,
        quotedAt,
        service,
      }),
    )
    return { requestId, steps }
  })
  const steps = async (): Promise<readonly QuotedStep[]> =>
    (await stored()).steps.map(({ signature: _none, svmItem: _, ...step }, at) => ({
      ...step,
      items: step.items.map(({ data: { isFirst: _, ...data }, ...item }, place) => ({
        ...item,
        data: {
          ...data,
          gas: async () => checked.gas[at]?.[place],
        },
      })),
    }))
  const told = readByService(deps, price, answer)
  return {
    ...price,
    ...told,
    issues: { ...told.issues, gas: async () => gasIssueOf(await steps()) },
    deadline: checked.deadline,
    refreshAfter: Math.floor(quotedAt / 1000) + shownSeconds,
    requestId: async () => (await stored()).requestId,
    quoteId: async () => (await stored()).requestId,
    steps,
    // The order is the service's: its depository and its chain names are not ours.
    protocol: async () => undefined,
  }
}

/** The time for which the price of another service, whose blocks are unknown, is shown. */
const shownSeconds = 20

/** What another service tells: it reads no allowance. */
const readByService = (
  { maxSwapImpact }: Pick<Deps, 'maxSwapImpact'>,
  price: ShownPrice,
  {
    details: { userBalance: balance },
  }: Readonly<{
    details: Readonly<{ userBalance?: Amount | null | undefined }>
  }>,
): Pick<QuoteAnswer, 'userBalance' | 'warnings'> & Readonly<{ issues: PriceIssues }> => ({
  userBalance: async () => balance ?? undefined,
  warnings: async () => warningsOf(price, { maxSwapImpact }),
  issues: {
    balance: async () => (balance == null ? undefined : shortfallOf(price.currencyIn, balance)),
    allowance: async () => undefined,
  },
})

/** Millionths of a US dollar. Flat fees make small amounts lose a large share. */
const minLoss = 1_000_000n

/**
 * Refuses a quote whose promised minimum loses too much value. Fees are no excuse, because the service states them
 * itself.
 * @param maxLoss largest accepted loss, as a share of the input's value
 * @throws AppError SWAP_IMPACT_TOO_HIGH
 */
function checkLoss(
  { currencyIn, currencyOut }: Pick<ShownPrice, 'currencyIn' | 'currencyOut'>,
  maxLoss: Bps,
): void {
  if (currencyIn.usd === undefined || currencyOut.usd === undefined) return
  const minUsd = (currencyOut.usd * currencyOut.minimumAmount) / currencyOut.amount
  const loss = currencyIn.usd - minUsd
  if (loss <= minLoss || loss * wholeBps <= maxLoss * currencyIn.usd) return
  const percent = ((Number(-loss) / Number(currencyIn.usd)) * 100).toFixed(2)
  throw new AppError(
    'SWAP_IMPACT_TOO_HIGH',
    `The upstream service’s quote loses too much: ${percent}%. Swap another amount, or set overridePriceImpact.`,
    { swapImpact: { percent }, maxPercent: (Number(-maxLoss) / 100).toFixed(2) },
  )
}

/**
 * Refuses payees that would lose the funds: the zero address, the currencies of the order, the service's contracts, and
 * contracts of our own chains that are no wallets.
 * @throws AppError INVALID_RECIPIENT that names every bad field
 */
function checkPayees(
  { knownContract }: Readonly<{ knownContract: KnownContract }>,
  terms: UpstreamTerms,
  asked: Asked,
): void {
  const chains = endsOf(terms, asked)
  const lossy = new Set<string>([
    ...[nativeAddress, asked.originCurrency, asked.destinationCurrency],
    ...(chains?.origin.contracts ?? []),
    ...(chains?.destination.contracts ?? []),
  ])
  throwTogether(
    (
      [
        ['recipient', asked.destinationChainId],
        ['refundTo', asked.originChainId],
      ] as const
    )
      .filter(
        ([field, chainId]) =>
          lossy.has(asked[field]) || knownContract(chainId, asked[field]) !== undefined,
      )
      .map(
        ([field]) =>
          new FieldError(
            'INVALID_RECIPIENT',
            [field],
            `funds paid to ${asked[field]} would be lost`,
          ),
      ),
  )
}

type Parts = Readonly<{
  requestId: Hash
  steps: readonly Step[]
  asked: Asked
  caller: Caller | undefined
  quota: string
  /** Unix time in milliseconds. */
  quotedAt: number
  /** Base URL of the service. */
  service: string
}>

/** The stored form of a quote that another service executes. */
function toUpstreamRequest(
  price: ShownPrice,
  { upstreamId, deadline }: CheckedQuote,
  { requestId, steps, asked, caller, quota, quotedAt, service }: Parts,
): QuotedRequest {
  const { currencyIn, currencyOut, fees } = price
  const { chainId, address } = fees.relayer.currency
  const [origin, destination] = [currencyIn.currency, currencyOut.currency]
  return {
    requestId,
    user: asked.user,
    recipient: asked.recipient,
    refundTo: asked.refundTo,
    originChainId: origin.chainId,
    destinationChainId: destination.chainId,
    originCurrency: origin.address,
    destinationCurrency: destination.address,
    tradeType: asked.tradeType,
    amountIn: currencyIn.amount,
    amountOut: currencyOut.amount,
    minimumAmountOut: currencyOut.minimumAmount,
    steps,
    ...(asked.referrer != null && { referrer: asked.referrer }),
    ...(asked.referrerAddress != null && { referrerAddress: asked.referrerAddress }),
    ...(caller !== undefined && { apiKey: caller.name }),
    quota,
    // No sponsor of ours pays for another service.
    subsidizedUsd: toUsd(0n),
    summary: {
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
      appFees: [],
      ...(price.currencyGasTopup !== undefined && { topup: quoted(price.currencyGasTopup) }),
    },
    createdAt: quotedAt,
    deadline,
    execution: 'upstream',
    upstream: { service, requestId: upstreamId, currencies: { origin, destination } },
  }
}

const quoted = ({ amount, usd }: CurrencyAmount): QuotedAmount => ({
  amount,
  ...(usd !== undefined && { usd }),
})
