import type { Hash } from 'viem'
import type { Config } from '#src/config/config.ts'
import { inSpan, type Span } from '#src/config/tracing/tracer.ts'
import type { AppError } from '#src/core/errors.ts'
import type { PricedBlock } from '#src/core/pricing/price.ts'
import { priceSwap } from '#src/core/pricing/priceSwap.ts'
import { isSameVm } from '#src/core/units/account.ts'
import { type Account, evmAddress } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { UsdPrice } from '#src/core/units/usd.ts'
import { vmTypeOf } from '#src/core/units/vmType.ts'
import type { ServedMarkets } from '#src/market/markets.ts'
import type { SvmReads } from '#src/market/svm/svmReads.ts'
import type { AddressStore } from '#src/requests/addressStore.ts'
import type { Hub } from '#src/requests/events/hub.ts'
import type { PermitStore } from '#src/requests/permitStore.ts'
import type { RelayedCallStore } from '#src/requests/relayedCall.ts'
import type { BatchStore, CallerReads, QuoteStore } from '#src/requests/requestStore.ts'
import type { HintStore } from '#src/requests/trackingStore.ts'
import type {
  CurrencyFilter,
  Loaders,
  MultiInputAnswer,
  PriceAnswer,
  PriceEvent,
  QuoteAnswer,
  StoredQuote,
} from './answers.ts'
import { type BookService, createBookService } from './books/solverBooks.ts'
import type { Client } from './callers.ts'
import { createCallers } from './callers.ts'
import { bridge } from './catalogue/bridge.ts'
import type { BridgeAnswer, BridgeQuestion, CatalogueService } from './catalogue/catalogue.ts'
import { createTrendingCurrencies } from './catalogue/catalogue.ts'
import type { ChainSummary, HeadOfChain } from './chains.ts'
import {
  assetCurrencies,
  type ChainsDeps,
  findChain,
  isCurrent,
  listChains,
  sweepableOn,
} from './chains.ts'
import { searchCurrencies, usdPriceOf, withoutRefused } from './currencies.ts'
import type { Fallback, Upstream } from './fallback.ts'
import { UnsupportedChainError } from './input/fieldError.ts'
import type { MultiQuoteInput } from './input/multiInput.ts'
import type { PermitInput } from './input/permitInput.ts'
import type { PriceInput } from './input/priceInput.ts'
import type { QuoteInput } from './input/quoteInput.ts'
import { createAddressLimits } from './limits/addressLimits.ts'
import { createOpenQuotes } from './limits/openQuotes.ts'
import type { HoldMemory } from './limits/subscriptionMemory.ts'
import type { Work } from './limits/work.ts'
import { listedChains } from './listedChains.ts'
import { createChainHeads } from './live/chainHeads.ts'
import { createLivePrices } from './live/livePrices.ts'
import { createLoaders } from './loaders.ts'
import { machineOf } from './order/accountForms.ts'
import { priceAsked } from './order/askedPools.ts'
import { createPricedOrders } from './order/pricedOrders.ts'
import { createKnownContracts } from './payees/checkPayees.ts'
import { executePermit } from './permits/executePermit.ts'
import { balanceInTime } from './quote/issues.ts'
import { type MultiInputDeps, multiInputQuote } from './quote/multiInputQuote.ts'
import type { QuoteStorage } from './quote/prepareQuote.ts'
import { type PriceDeps, price, prices } from './quote/price.ts'
import { type QuoteDeps, quote } from './quote/quote.ts'
import { storedQuote } from './quote/storedQuote.ts'
import type { PermitAnswer } from './quotedSteps.ts'
import type { RelayedCallService } from './relayedCalls/relayedCalls.ts'
import { createRelayedCallService } from './relayedCalls/relayedCalls.ts'
import type { AddressService } from './requests/indexDepositAddress.ts'
import { createIndexDepositAddress } from './requests/indexDepositAddress.ts'
import type { RequestService } from './requests/requestService.ts'
import { createRequestService } from './requests/requestService.ts'
import { createKnownSvmAccounts } from './svm/svmPayees.ts'

/** What GraphQL, REST and the WebSockets offer. */
export type Service = Readonly<{
  loaders: () => Loaders
  /** @throws AppError if the order is invalid or cannot be priced. */
  price: (request: PriceInput, loaders: Loaders, client: Client) => Promise<PriceAnswer>
  /** The result of a short computation, in the client's turn of the time that requests leave. */
  inBackground: <Result>(client: Client, compute: () => Result | Promise<Result>) => Promise<Result>
  /** See `HoldMemory`. */
  holdMemory: HoldMemory<Client>
  /** See `Turns.begin`. */
  beginTurn: (client: Client) => Promise<void>
  /** About the milliseconds that a new request of this client would wait: see `Turns.waitMs`, `PricingQueue.waitMs`. */
  waitMs: (client: Client) => number
  /** The price of each order, or the error of `price`. All orders are priced on the same market. */
  prices: (
    requests: readonly PriceInput[],
    loaders: Loaders,
    client: Client,
  ) => Promise<readonly (PriceAnswer | AppError)[]>
  /**
   * Yields the price at once, then the newest price whenever a block of its chains changes it: never the same twice. A
   * temporary failure is an event too. `minIntervalMs` is the shortest time between two events.
   * @throws AppError as `price`, before the first event, if the input is at fault; SERVICE_UNAVAILABLE.
   */
  watchPrice: (
    request: PriceInput,
    minIntervalMs: number,
    client: Client,
  ) => AsyncIterableIterator<PriceEvent>
  /**
   * `client.apiKey` is the `x-api-key` header.
   * @throws AppError as `price`; UNAUTHORIZED for an unknown key; TOO_MANY_OPEN_QUOTES when the request is stored.
   */
  quote: (request: QuoteInput, loaders: Loaders, client: Client) => Promise<QuoteAnswer>
  /** @throws AppError as `quote`. */
  multiInputQuote: (
    request: MultiQuoteInput,
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
  currency: (chainId: number, address: Account, loaders: Loaders) => Promise<Currency | undefined>
  /**
   * US dollars for one whole unit; `undefined` if it has no price.
   * @throws AppError UNSUPPORTED_CHAIN; SERVICE_UNAVAILABLE before the first snapshot of the market
   */
  usdPrice: (chainId: number, address: Account) => UsdPrice | undefined
  /** As `usdPrice`; also `undefined` if the market is not loaded yet, or the chain is no longer configured. */
  knownUsdPrice: (chainId: ChainId, address: Account) => UsdPrice | undefined
  /** Reason why orders with the currency are always refused, for people; `undefined` if they are not. */
  refusal: (chainId: ChainId, address: Account) => string | undefined
  /**
   * Balance at the newest block; `undefined` if no node reports it within 250 ms, or the account has the form of
   * another chain.
   */
  balance: (currency: Currency, user: Account, loaders: Loaders) => Promise<Amount | undefined>
  /**
   * Accepts the signature of a quote's step. The same signature again gets the same answer.
   * @throws AppError UNKNOWN_REQUEST; PERMIT_FAILED; INSUFFICIENT_FUNDS; RPC_HTTP_ERROR; OVERLOADED;
   * SERVICE_UNAVAILABLE
   */
  executePermit: (input: PermitInput) => Promise<PermitAnswer>
  /**
   * Whether a user can pay the currency by signatures alone, without a transaction: by EIP-3009 or EIP-2612.
   * `undefined` before the first read, which then starts in the background.
   */
  supportsPermit: (chainId: ChainId, address: Account) => boolean | undefined
  /**
   * Answers what a transfer of one asset costs, and how much the solver can pay out.
   * @throws AppError UNSUPPORTED_CHAIN; UNSUPPORTED_CURRENCY if the solver has no asset of that name on both chains;
   * those of `price` for a market that is not current.
   */
  bridge: (question: BridgeQuestion, loaders: Loaders, client: Client) => Promise<BridgeAnswer>
}> &
  RequestService &
  AddressService &
  RelayedCallService &
  CatalogueService &
  BookService

type LiveDeps = Parameters<typeof createLivePrices>[0]

type Deps = Readonly<{
  /** Traces the pricing of an order. */
  span?: Span | undefined
  log: PriceDeps['log'] & LiveDeps['log']
  config: Config
  /** The service that `config.upstream` names. */
  upstream?: Upstream | undefined
  market: ServedMarkets
  /** Of the process: its workers price too. */
  work: Work
  svmReads: SvmReads
  /** Milliseconds since 1970. */
  now: () => number
}> &
  QuoteStorage &
  Stored &
  Readonly<{
    /** Ends all live prices with SERVICE_UNAVAILABLE. */
    ending: AbortSignal
  }>

type Stored = Readonly<{
  hub: Hub
  requests: BatchStore &
    QuoteStore &
    CallerReads &
    HintStore &
    AddressStore &
    PermitStore &
    RelayedCallStore
}>

export function createService(deps: Deps): Service {
  const { config, market, work } = deps
  const { known, list } = market.currencies
  const quoteDeps = quoteDepsOf(deps, work)
  const loaders = () => createLoaders(market, deps.requests, deps.svmReads)
  const live = createLivePrices({ ...quoteDeps, ...deps, pricing: work.pricing, loaders })
  const watchHead = createChainHeads(deps)
  const { latest, status, waitsFor } = market
  const chainsDeps: ChainsDeps = { config, latest, status, known, waitsFor }
  const chainIdOf = (id: number): ChainId => {
    const all = listedChains(config)
    const chain = all.find((each) => each.id === id)
    if (chain === undefined) throw new UnsupportedChainError(['chainId'], id, all)
    return chain.id
  }
  const priceOrder: Service['price'] = (request, loaders, client) =>
    price(quoteDeps, request, loaders, client)
  const fallback = fallbackOf(deps, quoteDeps)
  const refusal = (chainId: ChainId, address: Account) =>
    market.latest(chainId)?.refusedCurrencies.get(address)
  const stored = createRequestService({
    ...deps,
    latest: market.latest,
    identify: quoteDeps.identify,
    depositoryOn: (chainId) => quoteDeps.contracts.get(chainId)?.depository,
    chainIdOf,
  })
  return {
    ...stored,
    indexTransaction: deps.upstream?.announcing(stored.indexTransaction) ?? stored.indexTransaction,
    loaders,
    ageMs: market.ageMs,
    price: (request, loaders, client) =>
      fallback.price(request, () => priceOrder(request, loaders, client)),
    watchPrice: live.watch,
    quote: (request, loaders, client) =>
      fallback.quote(request, client, () => quote(quoteDeps, request, loaders, client)),
    multiInputQuote: (request, loaders, client) =>
      multiInputQuote(quoteDeps, request, loaders, client),
    inBackground: work.inBackground,
    holdMemory: work.holdMemory,
    beginTurn: work.beginTurn,
    waitMs: work.waitMs,
    prices: (requests, loaders, client) => prices(quoteDeps, requests, loaders, client),
    ...createRelayedCallService({ ...deps, identify: quoteDeps.identify }),
    ...createBookService({ ...deps, identify: quoteDeps.identify }),
    executePermit: (input) => executePermit(deps, input),
    supportsPermit: (chainId, address) => {
      if (vmTypeOf(address) === 'svm') return false
      const known = market.permits.known(chainId, evmAddress(address))
      if (known === undefined) return undefined
      return known.permit2 && (known.eip3009 !== undefined || known.eip2612 !== undefined)
    },
    storedQuote: (quoteId, loaders) => storedQuote(quoteDeps, quoteId, loaders),
    chains: () => listChains(chainsDeps),
    chain: (id) => findChain(chainsDeps, id),
    watchChainHead: (id) => watchHead(chainIdOf(id)),
    currencies: (filter) => searchCurrencies(list(), filter, refusal),
    currency: async (id, address, loaders) => {
      const chainId = chainIdOf(id)
      const isOther = machineOf(quoteDeps, chainId) !== vmTypeOf(address)
      const currency =
        known({ chainId, address }) ??
        (isOther ? undefined : await loaders.currency(chainId, address))
      return currency && withoutRefused(currency, refusal)
    },
    knownUsdPrice: (chainId, address) => market.latest(chainId)?.usdPrices.get(address),
    refusal,
    balance: async (currency, user, loaders) => {
      if (!isSameVm(currency.address, user)) return undefined
      const blockHash = market.latest(currency.chainId)?.block.hash
      return blockHash && balanceInTime(loaders.balance(currency, user, blockHash))
    },
    usdPrice: (id, address) => usdPriceOf(market.latest(chainIdOf(id)), address),
    indexDepositAddress: createIndexDepositAddress({
      ...deps,
      ...quoteDeps,
      latest: market.latest,
      sweepable: (chainId) => sweepableOn(chainsDeps, chainId),
      chainIdOf,
    }),
    trendingCurrencies: createTrendingCurrencies({ ...deps, known }),
    assetCurrencies: (currency) => assetCurrencies(chainsDeps, currency),
    isHealthy: (id) => isCurrent(market, chainIdOf(id)),
    bridge: (question, loaders, client) => {
      const priceFor = (request: PriceInput) => priceOrder(request, loaders, client)
      return bridge(
        { config, known, snapshot: market.snapshot, price: priceFor },
        question,
        loaders,
      )
    },
  }
}

function quoteDepsOf(
  { log, config, market, store, requests, now, randomHash, span, svmReads }: Deps,
  { pricing, beginOrder }: Work,
): MultiInputDeps & Pick<LiveDeps, 'orders'> {
  const { chains } = config
  const programs = new Map(
    config.svmChains.flatMap(({ id, program }) => (program === undefined ? [] : [[id, program]])),
  )
  const knownContract = createKnownContracts(chains, market.latest)
  const knownSvmAccount = createKnownSvmAccounts(programs)
  return {
    log,
    orders: createPricedOrders((order, current, { client, isInBackground }) => {
      const price = () => priceSwap(order, current)
      return priceAsked(market.ask, [order.origin, order.destination], () =>
        inSpan(span, 'pricing', {}, () =>
          isInBackground ? pricing.runInBackground(client, price) : pricing.run(client, price),
        ),
      )
    }),
    pricing,
    beginOrder,
    span,
    store,
    now,
    randomHash,
    chains: new Map(
      listedChains(config).map(({ id, disabled, vmType }) => [id, { id, disabled, vmType }]),
    ),
    programs,
    swapSources: new Map(
      chains.map(({ id, factories }) => [id, new Set(factories.map(({ source }) => source))]),
    ),
    contracts: new Map(
      chains.flatMap(({ id, contracts }) => (contracts === undefined ? [] : [[id, contracts]])),
    ),
    solver: config.solver.address,
    identity: config.solver.identity ?? config.solver.address,
    snapshot: market.snapshot,
    askPools: market.ask,
    knownCurrency: (chainId, address) => market.currencies.known({ chainId, address }),
    knownContract: (chainId, account) =>
      vmTypeOf(account) === 'svm'
        ? knownSvmAccount(chainId, account)
        : knownContract(chainId, account),
    contractKinds: market.contractKinds,
    simulator: market.simulator,
    svm: svmReads,
    permits: market.permits,
    identify: createCallers(config.apiKeys),
    openQuotes: createOpenQuotes({ count: requests.countOpenQuotes, now }),
    addressLimits: createAddressLimits({ requests, now }),
    maxOpenQuotes: config.maxOpenQuotes,
    maxTopupUsd: config.solver.maxTopupUsd,
    externalLiquiditySeconds: config.solver.externalLiquiditySeconds,
    maxSwapImpact: config.maxSwapImpact,
    maxPayoutUsd: config.solver.mostPayoutUsd,
    multiInputSeconds: config.multiInputSeconds,
  }
}

/** Without an upstream service, our own answer is the only one. */
const fallbackOf = ({ market, upstream }: Deps, quoteDeps: QuoteDeps): Fallback =>
  upstream?.fallbackFor({
    ...quoteDeps,
    knownUsdPrice: (chainId, address) => market.latest(chainId)?.usdPrices.get(address),
  }) ?? { price: (_, own) => own(), quote: (_, __, own) => own() }
