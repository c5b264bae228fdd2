import { createOrder, orderSeconds } from '#src/execution/createOrder.ts'
import { orderIdOf } from '#src/execution/orderId.ts'
import type { Market } from '#src/pricing/market.ts'
import type { Price } from '#src/pricing/price.ts'
import type { Deposit } from '#src/requests/deposit.ts'
import type { RequestInput } from '#src/requests/quotedRequest.ts'
import { initialState } from '#src/requests/requestState.ts'
import type { FillCase } from '#src/solver/fills/planFill.ts'
import type { SolverRequest } from '#src/solver/solverRequest.ts'
import { toAmount } from '#src/units/amount.ts'
import { toUsd } from '#src/units/usd.ts'
import { contracts, solver } from './executionArbitrary.ts'
import { currencyOf, destinationChain, originChain } from './fixtures/markets.ts'

const hash = (digit: string) => `0x${digit.repeat(64)}` as const
const createdAt = 1_800_000_000_000

/** The request that a quote of `price` stores, as soon as its deposit counts. */
export function requestOf({ order, destination, refundCurrency, fees, ...price }: Price) {
  const protocol = createOrder(
    { order, destination, refundCurrency, fees, ...price },
    {
      salt: 1n,
      chainNames: new Map([originChain, destinationChain].map((id) => [id, `chain-${id}`])),
      solver,
      destinationRouter: contracts.router,
      quotedAt: createdAt / 1000,
    },
  )
  const { included, excluded } = order.swapSources.destination
  const payoutAmount = destination.input.amount
  const margin =
    (fees.relayerService.amount * 10n ** BigInt(destination.input.currency.decimals)) /
    10n ** BigInt(refundCurrency.currency.decimals)
  const quoted = {
    requestId: hash('a'),
    execution: 'solver',
    orderId: orderIdOf(protocol),
    order: protocol,
    inputs: [
      {
        chainId: refundCurrency.currency.chainId,
        user: order.user,
        refundTo: order.refundTo,
        currency: price.currencyIn.currency.address,
        amount: price.currencyIn.amount,
        depositCurrency: refundCurrency.currency.address,
        depositAmount: refundCurrency.amount,
        leastDeposit: refundCurrency.minimumAmount,
        payoutAmount,
      },
    ],
    fill: {
      payoutCurrency: destination.input.currency.address,
      payoutAmount,
      mostPayout: toAmount(payoutAmount + margin),
      ...(included !== undefined && { includedSwapSources: [...included] }),
      excludedSwapSources: [...excluded],
      ...(order.maxRouteLength !== undefined && { maxRouteLength: order.maxRouteLength }),
      ...(order.txsGasLimit !== undefined && { txsGasLimit: order.txsGasLimit }),
      enableTrueExactOutput: order.enableTrueExactOutput,
    },
    user: order.user,
    recipient: order.recipient,
    refundTo: order.refundTo,
    originChainId: order.origin.chainId,
    destinationChainId: order.destination.chainId,
    originCurrency: order.origin.address,
    destinationCurrency: order.destination.address,
    tradeType: order.tradeType,
    amountIn: price.currencyIn.amount,
    amountOut: price.currencyOut.amount,
    minimumAmountOut: price.currencyOut.minimumAmount,
    steps: [],
    subsidizedUsd: fees.subsidized.usd ?? toUsd(0n),
    createdAt,
    deadline: createdAt / 1000 + orderSeconds,
  } as const
  return {
    ...quoted,
    state: {
      ...initialState(quoted),
      status: 'pending',
      fundings: [{ status: 'funded', depositId: 'deposit' }],
    },
    version: 1,
  } satisfies SolverRequest
}

export function inputOf({ inputs: [input] }: SolverRequest): RequestInput {
  if (input === undefined) throw new Error('No input')
  return input
}

/** What the first input of the request orders, or another than that. */
export const depositFor = (request: SolverRequest, change: Partial<Deposit> = {}): Deposit => ({
  depositId: 'deposit',
  chainId: request.originChainId,
  txHash: hash('b'),
  block: { number: 1n, hash: hash('c') },
  timestamp: createdAt / 1000 + 10,
  orderId: request.orderId,
  requestId: request.requestId,
  depositor: request.user,
  currency: inputOf(request).depositCurrency,
  amount: inputOf(request).depositAmount,
  status: 'credited',
  version: 1,
  ...change,
})

/** A solver that holds what the market says, all of it free. */
export function fillCaseOf(
  request: SolverRequest,
  deposits: readonly Deposit[],
  market: Market,
  change: Partial<FillCase> = {},
): FillCase {
  const balances = market.chains.get(request.destinationChainId)?.solverBalances
  const held = (currency: Parameters<FillCase['currencyOf']>[0]) => balances?.get(currency) ?? 0n
  const currencies = (['ETH', 'WETH', 'USDC', 'USDT', 'WBTC', 'LONG', 'DUST'] as const).map(
    (symbol) => currencyOf(request.destinationChainId, symbol),
  )
  return {
    request,
    deposits,
    market,
    currencyOf: (address) => {
      const found = currencies.find((each) => each.address === address)
      if (found === undefined) throw new Error(`No currency ${address}`)
      return found
    },
    contracts,
    solver,
    holdings: { held, free: held },
    limits: { forcesRefunds: false },
    now: createdAt / 1000 + 20,
    ...change,
  }
}
