import type { Hash } from 'viem'
import type { AppError } from '#src/core/errors.ts'
import type { MultiPrice, Price, PricedBlock } from '#src/core/pricing/price.ts'
import type { Account } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import type {
  ObservedTransaction,
  RequestState,
  StoredRequest,
} from '#src/requests/state/requestState.ts'
import type { DepositWithRefund } from './depositRefunds.ts'
import type { Warning } from './quote/warnings.ts'
import type { GasReason, QuotedProtocol, QuotedStep } from './quotedSteps.ts'

/** Batched and cached look-ups of one request. All prices of the request share them. */
export type Loaders = Readonly<{
  /** `undefined` if there is no ERC-20 at the address. */
  currency: (chainId: ChainId, address: Account) => Promise<Currency | undefined>
  /** Balance of `account` at a block. */
  balance: (currency: Currency, account: Account, blockHash: PricedBlock['hash']) => Promise<Amount>
  /** Allowance of `spender` at a block. Read in one call with balances. */
  allowance: (
    of: Readonly<{ currency: Currency; account: Account; spender: Account }>,
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

/** What the user's account has of a currency, where that is less than the quote needs. */
export type Shortfall = Readonly<{ currency: Currency; expected: Amount; actual: Amount }>

export type AllowanceShortfall = Shortfall & Readonly<{ spender: Account }>

/** What the user's account lacks. Each is `undefined` if it lacks nothing, or if no node tells within 250 ms. */
export type PriceIssues = Readonly<{
  balance: () => Promise<Shortfall | undefined>
  allowance: () => Promise<AllowanceShortfall | undefined>
}>

/** What the user's account lacks for a quote, and what is unknown of its transactions. */
export type QuoteIssues = PriceIssues &
  Readonly<{
    /** Why a transaction has no gas limit; `undefined` if each has one. Stores the request. */
    gas: () => Promise<Readonly<{ reason: GasReason }> | undefined>
  }>

/** What the users' accounts lack for a multi-input quote: one for each deposit. */
export type MultiInputIssues = Pick<QuoteIssues, 'gas'> &
  Readonly<{
    origins: readonly (PriceIssues & Readonly<{ user: Account; at: number }>)[]
  }>

/** A price, with what is computed or read on demand. Only `userBalance` and `issues` of a price need an RPC call. */
export type PriceAnswer = ShownPrice &
  Readonly<{
    /** The user's balance of the origin currency; `undefined` without a user, or if no node reports it within 250 ms. */
    userBalance: () => Promise<Amount | undefined>
    warnings: () => Promise<readonly Warning[]>
    /** `undefined` without a user. */
    issues: PriceIssues | undefined
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
export type QuoteAnswer = Omit<PriceAnswer, 'issues'> &
  Executable &
  Readonly<{
    /** `undefined` for a user's own swap. Stores the request. */
    protocol: () => Promise<QuotedProtocol | undefined>
    /** Latest block time of the payment, in seconds since 1970, as the request stores it. */
    deadline: number
    issues: QuoteIssues
    /** The time from which on the price should be asked for again, in seconds since 1970. */
    refreshAfter: number
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
    warnings: () => Promise<readonly Warning[]>
    issues: MultiInputIssues
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
  address?: Account
  addresses?: readonly Account[]
  verified?: boolean
}>

/** Number of requests that a count reads. */
export const maxCountedRequests = 1_000
