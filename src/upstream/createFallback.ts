import { AppError, type ErrorCode } from '#src/core/errors.ts'
import { type Caller, type Client, quotaOf } from '#src/service/callers.ts'
import type { Fallback, FallbackDeps } from '#src/service/fallback.ts'
import type { OrderRequest, QuoteRequest } from '#src/service/input/quoteInput.ts'
import type { PriceAnswer, QuoteAnswer } from '#src/service/operations.ts'
import { once } from '#src/service/quote/once.ts'
import { parsePriceAnswer, parseQuoteAnswer } from './answerSchemas.ts'
import { askBody, ownOptionsOf, toAsked } from './asked.ts'
import { checkLoss } from './checkLoss.ts'
import { checkPayees } from './checkPayees.ts'
import { shownPrice } from './shownPrice.ts'
import { toUpstreamRequest } from './toUpstreamRequest.ts'
import type { UpstreamClient } from './upstreamClient.ts'
import { checkQuote } from './upstreamQuote.ts'
import { endsOf, type UpstreamTerms } from './upstreamTerms.ts'

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

  const mayAsk = (request: OrderRequest): boolean =>
    (request.useFallbacks ?? isOnly) &&
    ownOptionsOf(request).length === 0 &&
    endsOf(terms, request) !== undefined

  /**
   * Our own answer if it does not wait for liquidity; else that of the service. If the service fails, our own answer
   * that waits.
   */
  async function askAfter<Answer extends Pick<PriceAnswer, 'awaitsLiquidity'>>(
    request: OrderRequest,
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

  async function priceOf(request: OrderRequest): Promise<PriceAnswer> {
    const asked = toAsked(request)
    checkPayees(deps, terms, asked)
    const answer = parsePriceAnswer(await client.ask({ path: '/price', body: askBody(asked) }))
    const price = shownPrice(deps, answer, { asked, ...terms })
    return { ...price, userBalance: async () => answer.details.userBalance ?? undefined }
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
  request: QuoteRequest,
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
  return {
    ...price,
    userBalance: async () => answer.details.userBalance ?? undefined,
    requestId: async () => (await stored()).requestId,
    quoteId: async () => (await stored()).requestId,
    steps: async () =>
      (await stored()).steps.map(({ signature: _none, ...step }, at) => ({
        ...step,
        items: step.items.map(({ data: { isFirst: _, ...data }, ...item }, place) => ({
          ...item,
          data: { ...data, gas: async () => checked.gas[at]?.[place] },
        })),
      })),
    // The order is the service's: its depository and its chain names are not ours.
    protocol: async () => undefined,
  }
}
