import type { Account } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { UsdPrice } from '#src/core/units/usd.ts'
import type { PriceAnswer, QuoteAnswer } from './answers.ts'
import type { Client } from './callers.ts'
import type { QuoteInput, SwapInput } from './input/quoteInput.ts'
import type { QuoteLimits, QuoteStorage } from './quote/prepareQuote.ts'
import type { QuoteCallers, QuoteDeps } from './quote/quote.ts'
import type { IndexTransaction } from './requests/requestService.ts'

/** Another service, asked if our own pricing fails and the caller allows it. */
export type Fallback = Readonly<{
  /**
   * Our own price, or that of the service. @throws AppError of our own pricing, or for a refused answer of the service
   */
  price: (request: SwapInput, own: () => Promise<PriceAnswer>) => Promise<PriceAnswer>
  /** The same for quotes. */
  quote: (
    request: QuoteInput,
    client: Client,
    own: () => Promise<QuoteAnswer>,
  ) => Promise<QuoteAnswer>
}>

/** What a fallback needs of the service to check the answers of the other one, and to store its quotes. */
export type FallbackDeps = Readonly<{
  knownCurrency: (chainId: ChainId, address: Account) => Currency | undefined
  /** By the newest market of the chain; `undefined` if the chain is not followed. */
  knownUsdPrice: (chainId: ChainId, address: Account) => UsdPrice | undefined
}> &
  QuoteStorage &
  QuoteLimits &
  QuoteCallers &
  Pick<QuoteDeps, 'maxSwapImpact' | 'knownContract'>

/** The other service, as the system hands it to this one. */
export type Upstream = Readonly<{
  fallbackFor: (deps: FallbackDeps) => Fallback
  /** Announces the transactions of requests that the other service executes. `own` handles all others. */
  announcing: (own: IndexTransaction) => IndexTransaction
}>
