import type { ProtocolContracts } from '#src/contracts/protocolContracts.ts'
import type { OrderData } from '#src/execution/order/orderData.ts'
import type { Step, StepItem, TransactionData } from '#src/execution/steps/step.ts'
import type { MultiPrice } from '#src/pricing/multiPrice.ts'
import type { Price, PricedBlock } from '#src/pricing/price.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { RequestFilter } from '#src/requests/requestStore.ts'
import type { RequestState, TransactionSighting } from '#src/requests/state/requestState.ts'
import type { StoredRequest } from '#src/requests/storedRequest.ts'
import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Currency } from '#src/units/currency.ts'
import type { UsdPrice } from '#src/units/usd.ts'
import type { MultiInputRequest } from './input/multiInput.ts'
import type { PriceRequest } from './input/priceInput.ts'
import type { QuoteRequest } from './input/quoteInput.ts'
import type { RepaidDeposit } from './requests/depositRefunds.ts'

/** Batched look-ups that live as long as one request: all its prices share them. */
export type Loaders = Readonly<{
  /** `undefined` where no currency can be read at the address. */
  currency: (chainId: ChainId, address: Address) => Promise<Currency | undefined>
  /** What `account` holds of `currency` at a block. */
  balance: (currency: Currency, account: Address, blockHash: PricedBlock['hash']) => Promise<Amount>
  /** What `account` lets `spender` take of `currency` at a block: read along with balances. */
  allowance: (
    of: Readonly<{ currency: Currency; account: Address; spender: Address }>,
    blockHash: PricedBlock['hash'],
  ) => Promise<Amount>
  /** `undefined` where there is none. */
  request: (requestId: Hash) => Promise<StoredRequest | undefined>
}>

/** A price, with what is read only when somebody asks for it. */
export type PriceAnswer = Price &
  Readonly<{
    /** The user's balance of the origin currency: the one part of a price that costs an RPC call. */
    userBalance: () => Promise<Amount>
  }>

/** A price with what it takes to execute it: worked out, and the request stored, when first asked for. */
export type QuoteAnswer = PriceAnswer &
  Readonly<{
    /** @throws AppError where it cannot be executed or stored; every other part of it fails alike then. */
    requestId: () => Promise<`0x${string}`>
    steps: () => Promise<readonly QuotedStep[]>
    /** `undefined` where the user swaps alone. */
    protocol: () => Promise<QuotedProtocol | undefined>
  }>

/** A multi-input price with what it takes to execute it: worked out, and the request stored, when first asked for. */
export type MultiInputAnswer = MultiPrice &
  Readonly<{
    /** What the users hold of the origin currencies, in the destination currency’s unit. */
    userBalance: () => Promise<Amount>
    /** @throws AppError where it cannot be executed or stored; every other part of it fails alike then. */
    requestId: () => Promise<`0x${string}`>
    steps: () => Promise<readonly QuotedStep[]>
    /** Seconds since 1970: deposits in later blocks come too late. */
    depositDeadline: () => Promise<number>
  }>

/** An order with its hash, as JSON says it. */
export type QuotedProtocol = Readonly<{
  orderId: Hash
  orderData: OrderData
  /** What the depository must receive. */
  payment: Readonly<{
    /** Of the chain, as orders write it. */
    chainName: string
    depository: Address
    currency: Address
    amount: Amount
  }>
}>

export type QuotedStep = Omit<Step, 'items'> & Readonly<{ items: readonly QuotedItem[] }>

export type QuotedItem = Omit<StepItem, 'data'> &
  Readonly<{
    data: Omit<TransactionData, 'isFirst'> &
      Readonly<{
        /** Units, with room to spare; `undefined` where the transaction cannot be simulated yet. */
        gas: () => Promise<bigint | undefined>
      }>
  }>

/** A chain as clients see it. */
export type ChainSummary = Readonly<{
  id: ChainId
  name: string
  displayName: string
  explorerUrl: string | undefined
  iconUrl: string | undefined
  /** Whether orders on this chain are refused for now. */
  disabled: boolean
  nativeCurrency: Currency
  wrappedNative: Address
  /** For wallets; absent where the operator names none. */
  publicRpcUrl: string | undefined
  publicWsUrl: string | undefined
  /** `undefined` where orders on this chain can be priced but not quoted. */
  contracts: ProtocolContracts | undefined
  multicall3: Address
  /** Mean seconds between blocks. */
  blockSeconds: number
  /** Names of the AMM deployments that routes on this chain may use. */
  swapSources: readonly string[]
  /** Currencies that the solver pays out on this chain, and how much it holds of each. */
  solverCurrencies: readonly Readonly<{ currency: Currency; balance: Amount }>[]
  /** The head of the market, absent until the first snapshot is in. */
  head:
    | Readonly<{
        number: bigint
        hash: `0x${string}`
        timestamp: bigint
        baseFeePerGas: bigint
        priorityFeePerGas: bigint
        /** Pools that routes may use. */
        pools: number
      }>
    | undefined
}>

/** A request as it stands, or stood at one of its changes. */
export type RequestAnswer = Readonly<{
  request: QuotedRequest
  state: RequestState
  /**
   * Blocks of the transaction's chain from its own to the head, both counted; `undefined` while no block
   * holds it, or where the chain's head is not known.
   */
  confirmations: (transaction: TransactionSighting) => number | undefined
  /** What arrived for its order, oldest first. */
  deposits: () => Promise<readonly RepaidDeposit[]>
}>

export type CurrencyFilter = Readonly<{
  /** Absent: every chain. */
  chainIds?: readonly ChainId[]
  /** Part of a symbol or a name in any case, or a whole address. */
  term?: string
  address?: Address
  verified?: boolean
}>

/** All that a face can ask for. */
export type Operations = Readonly<{
  loaders: () => Loaders
  /** @throws AppError with a code for whatever stands in the way. */
  price: (request: PriceRequest, loaders: Loaders) => Promise<PriceAnswer>
  /**
   * `apiKey` is what the client sent as `x-api-key`.
   * @throws AppError as `price` does, UNAUTHORIZED for a key that nobody has.
   */
  quote: (request: QuoteRequest, loaders: Loaders, apiKey?: string) => Promise<QuoteAnswer>
  /** @throws AppError as `quote` does. */
  multiInputQuote: (
    request: MultiInputRequest,
    loaders: Loaders,
    apiKey?: string,
  ) => Promise<MultiInputAnswer>
  chains: () => readonly ChainSummary[]
  chain: (id: number) => ChainSummary | undefined
  /** By chain, native first, then verified, then by symbol and address. */
  currencies: (filter: CurrencyFilter) => readonly Currency[]
  /** @throws AppError UNSUPPORTED_CHAIN for a chain that is not configured. */
  currency: (chainId: number, address: Address, loaders: Loaders) => Promise<Currency | undefined>
  /**
   * US dollars for one whole unit; `undefined` where nothing prices it.
   * @throws AppError UNSUPPORTED_CHAIN
   */
  usdPrice: (chainId: number, address: Address) => UsdPrice | undefined
  /** @throws AppError UNKNOWN_REQUEST, SERVICE_UNAVAILABLE */
  requestStatus: (requestId: Hash, loaders: Loaders) => Promise<RequestAnswer>
  /**
   * The request as it stands, at once, then after every change: each once, in order, until it is done. With
   * `after` the changes after that `seq` instead, those that have been included.
   * @throws AppError UNKNOWN_REQUEST, SERVICE_UNAVAILABLE; INVALID_REQUEST for a later `after`; SUBSCRIBER_TOO_SLOW for whoever lets too many wait.
   */
  watchRequest: (requestId: Hash, after?: number) => AsyncIterableIterator<RequestAnswer>
  /** Newest first. @throws AppError INVALID_REQUEST for an `after` that no page gave. */
  requests: (
    filter: RequestFilter,
  ) => Promise<Readonly<{ requests: readonly RequestAnswer[]; next: string | undefined }>>
  /** What gets the requests that were quoted before this one, as `after`. */
  requestCursor: (request: QuotedRequest) => string
  /** Has the tracker look at a transaction at once. @throws AppError UNSUPPORTED_CHAIN, SERVICE_UNAVAILABLE */
  indexTransaction: (
    hint: Readonly<{ chainId: number; txHash: Hash; requestId?: Hash }>,
  ) => Promise<void>
}>

type Hash = `0x${string}`
