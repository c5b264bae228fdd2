import { vi } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { toBps } from '#src/core/units/bps.ts'
import { toUsdPrice } from '#src/core/units/usd.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { PriceAnswer } from '#src/service/answers.ts'
import { toUpstreamTerms } from '#src/upstream/asked.ts'
import { createFallback } from '#src/upstream/fallback.ts'
import { destination, origin, parties, requestOf } from '#test/support/fixtures/upstreamAnswer.ts'

const contracts = [parties.depository, parties.router, parties.proxy]
const dollar = toUsdPrice(10n ** 18n)
const client = { apiKey: undefined, network: '127.0.0.1' }

/** A gateway without a route. Its upstream gives this answer. */
export function fallbackTo(
  answer: unknown,
  { knowsPrices = false, ownCode = 'UNSUPPORTED_CHAIN', isOnly = false } = {},
) {
  const stored: QuotedRequest[] = []
  const ask = vi.fn(async (_: Readonly<{ path: string; body?: unknown }>) => answer)
  const fallback = createFallback({
    client: { service: 'https://other.example', ask },
    terms: toUpstreamTerms({
      url: 'https://other.example',
      timeoutSeconds: 5,
      maxUsdDifference: toBps(1_000n),
      chains: [
        { id: origin, name: 'near', contracts },
        { id: destination, name: 'far', contracts },
      ],
    }),
    isOnly,
    knownCurrency: () => undefined,
    knownContract: () => undefined,
    knownUsdPrice: () => (knowsPrices ? dollar : undefined),
    identify: () => undefined,
    openQuotes: { admit: async () => {} },
    maxOpenQuotes: 10,
    maxSwapImpact: toBps(1_500n),
    store: async (request) => void stored.push(request),
    randomHash: () => `0x${'7'.repeat(64)}`,
    now: () => 1_700_000_000_000,
  })
  const own = () => Promise.reject(new AppError(ownCode as 'UNSUPPORTED_CHAIN', 'Our own error'))
  const waiting = { awaitsLiquidity: true } as PriceAnswer
  return {
    ask,
    stored,
    price: (change: object = {}) => fallback.price(requestOf(change), own),
    /** The price if our own price has to wait for liquidity. */
    priceBeforeWaiting: (change: object = {}) =>
      fallback.price(requestOf(change), async () => waiting),
    quote: (change: object = {}) => fallback.quote(requestOf(change), client, own),
  }
}

/** Error code, with the upstream's problem or the message. */
export const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'passed on',
    (error: AppError) => `${error.code}: ${error.data?.['upstreamProblem'] ?? error.message}`,
  )
