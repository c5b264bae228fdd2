import type { Hash } from 'viem'
import type { AppError } from '#src/core/errors.ts'
import type { MultiPrice, Price, PricedBlock } from '#src/core/pricing/price.ts'

import type { Address } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { UsdPrice } from '#src/core/units/usd.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { RequestFilter } from '#src/requests/requestList.ts'
import type {
  ObservedTransaction,
  RequestState,
  StoredRequest,
} from '#src/requests/state/requestState.ts'
import type { Client } from './callers.ts'
import type {
  BridgeAnswer,
  BridgeQuestion,
  CatalogueOperations,
} from './catalogue/catalogueOperations.ts'
import type { ChainSummary, HeadOfChain } from './chainSummary.ts'
import type { MultiInputRequest } from './input/multiInput.ts'
import type { PermitRequest } from './input/permitInput.ts'
import type { PriceRequest } from './input/priceInput.ts'
import type { QuoteRequest } from './input/quoteInput.ts'
import type { PermitAnswer, QuotedProtocol, QuotedStep } from './quotedSteps.ts'
import type { RelayedCallOperations } from './relayedCalls/relayedCallOperations.ts'
import type { AddressOperations } from './requests/addressOperations.ts'
import type { DepositWithRefund } from './requests/depositRefunds.ts'

/** Batched and cached look-ups of one request. All prices of the request share them. */
export type Loaders = Readonly<{
  /** `undefined` if there is no ERC-20 at the address. */
  currency: (chainId: ChainId, address: Address) => Promise<Currency | undefined>
  /** Balance of `account` at a block. */
  balance: (currency: Currency, account: Address, blockHash: PricedBlock['hash']) => Promise<Amount>
  /** Allowance of `spender` at a block. Read in one call with balances. */
  allowance: (
    of: Readonly<{ currency: Currency; account: Address; spender: Address }>,
    blockHash: PricedBlock['hash'],
  ) => Promise<Amount>
  /** `undefined` for an unknown id. */
  request: (requestId: Hash) => Promise<StoredRequest | undefined>
  /** The request of a quote, by its `quoteId`; `undefined` for an unknown one. */
  quotedRequest: (quoteId: Hash) => Promise<StoredRequest | undefined>
}>

/** The public part of a price or quote, our own or another service's. */
export type ShownPrice = Omit<
  Price,
  'blocks' | 'order' | 'execution' | 'pricedOrigins' | 'transactionGas'
> &
  Readonly<{
    /** Empty for the price of another service. */
    blocks: readonly PricedBlock[]
    /** Set if another service priced the order because this one could not. */
    fallbackType?: 'upstream'
  }>

/** A price, with a balance that is read on demand. */
export type PriceAnswer = ShownPrice &
  Readonly<{
    /**
     * The user's balance of the origin currency; `undefined` if no node reports it within 250 ms. The only part of a
     * price that needs an RPC call.
     */
    userBalance: () => Promise<Amount | undefined>
  }>

/** The price of an input after a block, or the reason why there is none. */
export type PriceEvent = Readonly<{
  /** `undefined` if the input cannot be priced at these blocks. */
  price: PriceAnswer | undefined
  failure: AppError | undefined
  /** The newest known blocks of the order's chains, the origin chain first. */
  blocks: readonly PricedBlock[]
}>

/**
 * The part of a quote that executes it. The first call of any of its functions, or of another function of the answer
 * that needs the request, prepares the steps and stores the request. Later calls share the result.
 */
export type Executable = Readonly<{
  /** @throws AppError if the quote cannot be executed or stored. All functions then fail with the same error. */
  requestId: () => Promise<Hash>
  /**
   * The id of the order; for a user's own swap the id of the request. Only the quote reveals it: anyone who knows it
   * can read the steps.
   */
  quoteId: () => Promise<Hash>
  steps: () => Promise<readonly QuotedStep[]>
}>

/** The stored part of a quote: its execution, without its price. */
export type StoredQuote = Executable &
  Readonly<{
    storedAs: 'Quote' | 'MultiInputQuote'
    /** `undefined` for a user's own swap. */
    protocol: () => Promise<QuotedProtocol | undefined>
    /** Latest block time of a deposit, in seconds since 1970. */
    depositDeadline: () => Promise<number>
  }>

/** An executable price. */
export type QuoteAnswer = PriceAnswer &
  Executable &
  Readonly<{
    /** `undefined` for a user's own swap. Stores the request. */
    protocol: () => Promise<QuotedProtocol | undefined>
  }>

/** An executable multi-input price. */
export type MultiInputAnswer = MultiPrice &
  Executable &
  Readonly<{
    /**
     * Value of the users' balances of the origin currencies, in smallest units of the destination currency; see
     * `PriceAnswer`.
     */
    userBalance: () => Promise<Amount | undefined>
    /** Latest block time of a deposit, in seconds since 1970. Stores the request. */
    depositDeadline: () => Promise<number>
  }>

/** A request with its state, now or after one of its changes. */
export type RequestAnswer = Readonly<{
  request: QuotedRequest
  state: RequestState
  /**
   * Number of blocks from that of the transaction to the head of its chain, both included. `undefined` before the
   * transaction is mined, or if the head is unknown.
   */
  confirmations: (transaction: ObservedTransaction) => number | undefined
  /** The deposits received for its order, oldest first. */
  deposits: () => Promise<readonly DepositWithRefund[]>
}>

export type CurrencyFilter = Readonly<{
  /** Default: all chains. */
  chainIds?: readonly ChainId[]
  /** Part of a symbol or name (any case), or a whole address. */
  term?: string
  address?: Address
  addresses?: readonly Address[]
  verified?: boolean
}>

/** Number of requests that a count reads. */
export const maxCountedRequests = 1_000

/** The operations behind GraphQL, REST and the WebSockets. */
export type Operations = Readonly<{
  loaders: () => Loaders
  /** @throws AppError if the order is invalid or cannot be priced. */
  price: (request: PriceRequest, loaders: Loaders) => Promise<PriceAnswer>
  /** The price of each order, or the error of `price`. All orders are priced on the same market. */
  prices: (
    requests: readonly PriceRequest[],
    loaders: Loaders,
  ) => Promise<readonly (PriceAnswer | AppError)[]>
  /**
   * Yields the price at once, then the newest price whenever a block of its chains changes it: never the same twice. A
   * temporary failure is an event too. `minIntervalMs` is the shortest time between two events.
   * @throws AppError as `price`, before the first event, if the input is at fault; SERVICE_UNAVAILABLE.
   */
  watchPrice: (request: PriceRequest, minIntervalMs: number) => AsyncIterableIterator<PriceEvent>
  /**
   * `client.apiKey` is the `x-api-key` header.
   * @throws AppError as `price`; UNAUTHORIZED for an unknown key; TOO_MANY_OPEN_QUOTES when the request is stored.
   */
  quote: (request: QuoteRequest, loaders: Loaders, client: Client) => Promise<QuoteAnswer>
  /** @throws AppError as `quote`. */
  multiInputQuote: (
    request: MultiInputRequest,
    loaders: Loaders,
    client: Client,
  ) => Promise<MultiInputAnswer>
  /** A stored quote, by its `quoteId`; `undefined` for an unknown one. @throws AppError SERVICE_UNAVAILABLE */
  storedQuote: (quoteId: Hash, loaders: Loaders) => Promise<StoredQuote | undefined>
  /** Milliseconds since the timestamp of a block, by the clock of its chain; 0 for a timestamp in the future. */
  ageMs: (block: Pick<PricedBlock, 'chainId' | 'timestamp'>) => number
  chains: () => readonly ChainSummary[]
  chain: (id: number) => ChainSummary | undefined
  /** Yields the newest head of a chain, then each newer one. @throws AppError UNSUPPORTED_CHAIN, SERVICE_UNAVAILABLE */
  watchChainHead: (chainId: number) => AsyncIterableIterator<HeadOfChain>
  /**
   * Ordered by chain id; within a chain refused ones last, native and then verified ones first; then by symbol and
   * address.
   */
  currencies: (filter: CurrencyFilter) => readonly Currency[]
  /** `undefined` if there is no ERC-20 at the address. @throws AppError UNSUPPORTED_CHAIN */
  currency: (chainId: number, address: Address, loaders: Loaders) => Promise<Currency | undefined>
  /**
   * US dollars for one whole unit; `undefined` if it has no price.
   * @throws AppError UNSUPPORTED_CHAIN; SERVICE_UNAVAILABLE before the first snapshot of the market
   */
  usdPrice: (chainId: number, address: Address) => UsdPrice | undefined
  /** As `usdPrice`; also `undefined` if the market is not loaded yet, or the chain is no longer configured. */
  knownUsdPrice: (chainId: ChainId, address: Address) => UsdPrice | undefined
  /** Reason why orders with the currency are always refused, for people; `undefined` if they are not. */
  refusal: (chainId: ChainId, address: Address) => string | undefined
  /** Balance at the newest block; `undefined` if no node reports it within 250 ms. */
  balance: (currency: Currency, user: Address, loaders: Loaders) => Promise<Amount | undefined>
  /** @throws AppError UNKNOWN_REQUEST, SERVICE_UNAVAILABLE */
  requestStatus: (requestId: Hash, loaders: Loaders) => Promise<RequestAnswer>
  /**
   * Yields the current state at once, then every change, once and in order, until a terminal status. With `after` it
   * yields the changes after that `seq` instead, including past ones.
   * @throws AppError UNKNOWN_REQUEST; SERVICE_UNAVAILABLE; INVALID_REQUEST if `after` is above the current `seq`;
   * SUBSCRIBER_TOO_SLOW if too many changes wait to be read.
   */
  watchRequest: (requestId: Hash, after?: number) => AsyncIterableIterator<RequestAnswer>
  /** Newest first. @throws AppError INVALID_REQUEST if `after` is not a cursor of this list. */
  requests: (
    filter: RequestFilter,
  ) => Promise<Readonly<{ requests: readonly RequestAnswer[]; next: string | undefined }>>
  /** Number of requests that match the filter on all pages, among the first `maxCountedRequests` that are read. */
  countRequests: (filter: RequestFilter) => Promise<number>
  /** Cursor of the page that follows this request. */
  requestCursor: (request: QuotedRequest) => string
  /**
   * Asks the tracker to inspect a transaction at once. Clients get fair shares of its time.
   * @throws AppError UNSUPPORTED_CHAIN, SERVICE_UNAVAILABLE
   */
  indexTransaction: (
    hint: Readonly<{ chainId: number; txHash: Hash; requestId?: Hash }>,
    client: Client,
  ) => Promise<void>
  /**
   * Accepts the signature of a quote's step. The same signature again gets the same answer.
   * @throws AppError UNKNOWN_REQUEST; PERMIT_FAILED; INSUFFICIENT_FUNDS; RPC_HTTP_ERROR; OVERLOADED;
   * SERVICE_UNAVAILABLE
   */
  executePermit: (input: PermitRequest) => Promise<PermitAnswer>
  /**
   * Whether a user can pay the currency by signatures alone, without a transaction: by EIP-3009 or EIP-2612.
   * `undefined` before the first read, which then starts in the background.
   */
  supportsPermit: (chainId: ChainId, address: Address) => boolean | undefined
  /**
   * Answers what a transfer of one asset costs, and how much the solver can pay out.
   * @throws AppError UNSUPPORTED_CHAIN; UNSUPPORTED_CURRENCY if the solver has no asset of that name on both chains;
   * those of `price` for a market that is not current.
   */
  bridge: (question: BridgeQuestion, loaders: Loaders) => Promise<BridgeAnswer>
}> &
  AddressOperations &
  RelayedCallOperations &
  CatalogueOperations
