import type { Config } from '#src/config/config.ts'
import { AppError } from '#src/core/errors.ts'
import { type ChainMarket, type Market, marketOf } from '#src/core/pricing/market.ts'
import type { Order, SwapSourceFilter } from '#src/core/pricing/order.ts'
import type { Price } from '#src/core/pricing/price.ts'
import { priceSwap } from '#src/core/pricing/priceSwap.ts'
import type { Account } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { vmTypeOf } from '#src/core/units/vmType.ts'
import type { MarketHistory } from '#src/market/marketHistory.ts'
import type { KnownCurrencies, MarketSnapshots, PoolDemand } from '#src/market/markets.ts'
import { paymentIdsOf } from '#src/protocol/calls/depositAddress.ts'
import { orderSeconds, toProtocol } from '#src/protocol/order/order.ts'
import type { OpenTerms, QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { PricingQueue } from '#src/service/limits/pricingQueue.ts'
import { priceAsked } from '#src/service/order/askedPools.ts'
import { checkSwapImpact, checkUnsignedSwap } from '#src/service/order/priceChecks.ts'
import { contractsOn } from './prepareQuote.ts'
import { toQuotedRequest } from './toQuotedRequest.ts'

type Parent = SolverRequest & Readonly<{ open: OpenTerms }>

type Requote = (
  parent: Parent,
  payment: Pick<Deposit, 'amount' | 'depositId'>,
  at: number,
) => Promise<QuotedRequest>

type Deps = Readonly<{
  market: MarketSnapshots & KnownCurrencies & PoolDemand
  config: Pick<Config, 'chains' | 'maxSwapImpact' | 'solver' | 'apiKeys'>
  history: MarketHistory
  pricing: Pick<PricingQueue, 'runInBackground'>
}>

/**
 * Quotes payments to open deposit addresses at current market prices, as `quote` would, but without any RPC call and
 * for the amount that has arrived. The minimum output comes from the last minutes. The ids depend only on the payment.
 * Payments are priced in the background, each address as a client of its own: large ones take long on so many markets.
 * @throws AppError as `quote` does, and if the current output is below that minimum
 */
export function createRequote({ market, config, history, pricing }: Deps): Requote {
  const { chains, solver } = config
  const contracts = new Map(
    chains.flatMap(({ id, contracts }) => (contracts === undefined ? [] : [[id, contracts]])),
  )

  function currencyOf(chainId: ChainId, address: Account): Currency {
    const known = market.currencies.known({ chainId, address })
    if (known !== undefined) return known
    market.ask({ chainId, address })
    throw new AppError('SERVICE_UNAVAILABLE', `The currency ${address} is not loaded.`, { chainId })
  }

  /** Empty once the operator has removed the sponsor's key, or its right to sponsor. */
  function sponsorshipOf({ open, apiKey }: Parent): Pick<Order, 'sponsorship'> {
    const { sponsoredUsd: maxUsd } = open
    const isSponsor = config.apiKeys.some(({ name, sponsors }) => sponsors && name === apiKey)
    return maxUsd === undefined || !isSponsor ? {} : { sponsorship: { maxUsd } }
  }

  return async (parent, { amount, depositId }, at) => {
    const { originChainId, destinationChainId, originCurrency, destinationCurrency } = parent
    const snapshot = market.snapshot([originChainId, destinationChainId])
    const ends = {
      origin: currencyOf(originChainId, originCurrency),
      destination: currencyOf(destinationChainId, destinationCurrency),
    }
    const order = { ...orderOf(parent, amount, ends), ...sponsorshipOf(parent) }
    const past = history.before(marketOf(snapshot, ends.destination))
    const steadyPrice = (): Price => {
      const current = priceSwap(order, snapshot)
      if (parent.open.overridePriceImpact !== true) {
        const terms = { maxLoss: config.maxSwapImpact, advice: 'The payment is not filled.' }
        checkSwapImpact(current, terms.maxLoss, terms.advice)
        checkUnsignedSwap(current, snapshot, {
          ...terms,
          currencyOf: (chainId, address) => market.currencies.known({ chainId, address }),
        })
      }
      return withSteadyMinimum(order, snapshot, { current, past })
    }
    const priced = await priceAsked(market.ask, [ends.origin, ends.destination], () =>
      pricing.runInBackground(parent.requestId, steadyPrice),
    )
    const ids = paymentIdsOf(parent, depositId)
    const quotedAt = Math.floor(at / 1000)
    const protocol = toProtocol(priced, {
      salt: BigInt(ids.orderId),
      solver: solver.identity ?? solver.address,
      destinationRouter:
        vmTypeOf(destinationCurrency) === 'svm'
          ? undefined
          : contractsOn(contracts, destinationChainId).router,
      chainNames: new Map(Array.from(snapshot.chains, ([id, { chain }]) => [id, chain.name])),
      quotedAt,
    })
    const { referrer, referrerAddress, apiKey, quota = '', depositAddress, depositor } = parent
    const terms = { request: {}, caller: undefined, quota, createdAt: at }
    const steps = parent.steps.map((step) => ({ ...step, requestId: ids.requestId }))
    const quoted = toQuotedRequest(priced, terms, {
      requestId: ids.requestId,
      protocol: { orderId: ids.orderId, order: protocol.order },
      steps,
      ...(depositAddress && depositor && { address: { depositAddress, depositor } }),
    })
    if (quoted.execution !== 'solver') throw new Error('A payment to an address needs the solver')
    return {
      ...quoted,
      parentId: parent.requestId,
      ...(referrer !== undefined && { referrer }),
      ...(referrerAddress !== undefined && { referrerAddress }),
      ...(apiKey !== undefined && { apiKey }),
      // The address accepts payments for half a year. Each is filled or refunded within the usual time of an order.
      deadline: quotedAt + orderSeconds,
    }
  }
}

const anySource: SwapSourceFilter = { excluded: new Set() }

/** The order of the address for this payment, without the options that open addresses do not support. */
function orderOf(
  { user, recipient, refundTo, open, fill }: Parent,
  amount: Amount,
  ends: Pick<Order, 'origin' | 'destination'>,
): Order {
  const { includedSwapSources: included, excludedSwapSources, maxRouteLength, topupUsd } = fill
  return {
    user,
    recipient,
    refundTo,
    amount,
    ...ends,
    tradeType: 'EXACT_INPUT',
    ...(open.slippageTolerance !== undefined && { slippageTolerance: open.slippageTolerance }),
    appFees: open.appFees ?? [],
    explicitDeposit: true,
    useDepositAddress: true,
    swapSources: {
      origin: anySource,
      destination: {
        ...(included !== undefined && { included: new Set(included) }),
        excluded: new Set(excludedSwapSources),
      },
    },
    ...(maxRouteLength !== undefined && { maxRouteLength }),
    ...(topupUsd !== undefined && { topup: topupUsd }),
    disableOriginSwaps: true,
    forceSolverExecution: true,
    originGasOverhead: 0n,
    enableTrueExactOutput: false,
    txs: [],
  }
}

/**
 * The price of an order with a minimum output that nobody signs. The minimum is the median of the minimums on the
 * current market and on those of the last minutes. To lower it, an attacker has to move the pools in more than half of
 * these markets. A price without a swap depends on no pool and stays as it is.
 * @param current the price on `market`.
 * @param past the destination chain in the last minutes. Undefined: not known for long enough.
 * @throws AppError SERVICE_UNAVAILABLE until there are enough markets; SWAP_IMPACT_TOO_HIGH if the output is below the
 * minimum
 */
function withSteadyMinimum(
  order: Order,
  market: Market,
  { current, past }: Readonly<{ current: Price; past: readonly ChainMarket[] | undefined }>,
): Price {
  if (current.destination.route === undefined) return current
  const { solverBalances } = marketOf(market, order.destination)
  if (past === undefined) throw new NoHistoryError(order)
  const { currencyOut } = current
  const minimum = median([
    currencyOut.minimumAmount,
    ...past.map((each) => minimumOn(order, market, { ...each, solverBalances })),
  ])
  if (minimum === 0n) throw new NoHistoryError(order)
  if (minimum > currencyOut.amount) throw new MovedPriceError(currencyOut.amount, minimum)
  return { ...current, currencyOut: { ...currencyOut, minimumAmount: minimum } }
}

/** 0 where the order has no price: it counts as the worst one. */
function minimumOn(order: Order, { chains, ...market }: Market, past: ChainMarket): Amount {
  try {
    const then = { ...market, chains: new Map(chains).set(past.chain.id, past) }
    return priceSwap(order, then).currencyOut.minimumAmount
  } catch (error) {
    if (error instanceof AppError) return toAmount(0n)
    throw error
  }
}

/** The middle value; of an even number the lower one in the middle. */
function median(amounts: readonly Amount[]): Amount {
  const sorted = amounts.toSorted((one, other) => Number(one > other) - Number(one < other))
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? toAmount(0n)
}

class NoHistoryError extends AppError {
  constructor({ destination: { chainId, symbol } }: Order) {
    super(
      'SERVICE_UNAVAILABLE',
      `${symbol} on chain ${chainId} has not had a price for long enough yet.`,
      { chainId },
    )
  }
}

class MovedPriceError extends AppError {
  constructor(amount: Amount, minimum: Amount) {
    const percent = ((Number(amount) / Number(minimum) - 1) * 100).toFixed(2)
    super(
      'SWAP_IMPACT_TOO_HIGH',
      `The output is ${percent}% below the minimum of the last minutes.`,
      { swapImpact: { percent } },
    )
  }
}
