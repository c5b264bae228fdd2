import { encodeFunctionData, erc20Abi } from 'viem'
import type { ProtocolContracts } from '#src/contracts/protocolContracts.ts'
import { AppError } from '#src/errors.ts'
import { allowanceNeeded } from '#src/execution/allowance.ts'
import { buildSteps } from '#src/execution/buildSteps.ts'
import { orderSeconds } from '#src/execution/createOrder.ts'
import { toOrderData } from '#src/execution/orderData.ts'
import { type Protocol, protocolOf } from '#src/execution/protocol.ts'
import type { Step } from '#src/execution/step.ts'
import type { Trials } from '#src/market/trials.ts'
import type { ChainMarket, Market } from '#src/pricing/market.ts'
import type { Funding, Price } from '#src/pricing/price.ts'
import type { FillTerms, QuotedRequest, RequestInput } from '#src/requests/quotedRequest.ts'
import type { Address } from '#src/units/address.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { toUsd } from '#src/units/usd.ts'
import type { Caller } from './callers.ts'
import { checkPayees } from './checkPayees.ts'
import type { Loaders, QuotedProtocol, QuotedStep } from './operations.ts'
import type { QuoteRequest } from './quoteInput.ts'
import type { OrderDeps } from './readOrder.ts'
import { simulateTxs } from './simulateTxs.ts'

type Hash = `0x${string}`

export type PrepareDeps = Pick<OrderDeps, 'contracts'> &
  Readonly<{
    solver: Address
    trials: Trials
    /** Resolves once the request outlives a crash. @throws AppError SERVICE_UNAVAILABLE */
    store: (request: QuotedRequest) => Promise<void>
    /** Milliseconds since 1970. */
    now: () => number
    /** 32 bytes that nobody can guess. */
    randomHash: () => Hash
  }>

type Priced = Readonly<{
  priced: Price
  market: Market
  request: QuoteRequest
  caller: Caller | undefined
}>

type Prepared = Readonly<{
  requestId: Hash
  steps: readonly QuotedStep[]
  protocol: QuotedProtocol | undefined
}>

/**
 * What it takes to execute a price, stored as a request.
 * @throws AppError where a chain has no contracts, and where allowances or the store cannot be reached.
 */
export async function prepareQuote(
  deps: PrepareDeps,
  { priced, market, request, caller }: Priced,
  loaders: Loaders,
): Promise<Prepared> {
  const origin = chainOf(market, priced.currencyIn.currency.chainId)
  const destination = chainOf(market, priced.currencyOut.currency.chainId)
  const contracts = contractsOn(deps, origin)
  const createdAt = deps.now()
  const requestId = deps.randomHash()
  const ends = { origin, destination, createdAt }
  const protocol = priced.execution === 'user' ? undefined : fillOf(deps, priced, ends)
  await checkPayees(deps, priced, { origin, destination })
  await simulateTxs(deps, priced, {
    contracts: contractsOn(deps, destination),
    wrappedNative: destination.chain.wrappedNative,
    solver: deps.solver,
  })
  const steps = buildSteps(priced, {
    requestId,
    orderId: protocol?.orderId,
    contracts,
    wrappedNative: origin.chain.wrappedNative,
    gas: origin.gas,
    solver: deps.solver,
    ...(await approvalState(deps, priced, contracts, loaders)),
  })
  const quoted = { priced, request, caller, requestId, protocol, steps, createdAt }
  await deps.store(toRequest(quoted))
  return {
    requestId,
    steps: steps.map((step) => withGas(deps, step)),
    protocol: protocol && {
      orderId: protocol.orderId,
      payment: protocol.payment,
      orderData: toOrderData(protocol.order),
    },
  }
}

/** The order that the solver fills. */
function fillOf(
  deps: PrepareDeps,
  priced: Price,
  ends: Readonly<{ origin: ChainMarket; destination: ChainMarket; createdAt: number }>,
): Protocol {
  const { origin, destination, createdAt } = ends
  return protocolOf(priced, {
    salt: BigInt(deps.randomHash()),
    solver: deps.solver,
    depository: contractsOn(deps, origin).depository,
    destinationRouter: contractsOn(deps, destination).router,
    chainNames: new Map([origin, destination].map(({ chain }) => [chain.id, chain.name])),
    quotedAt: Math.floor(createdAt / 1000),
  })
}

function chainOf(market: Market, chainId: ChainId): ChainMarket {
  const chain = market.chains.get(chainId)
  if (chain === undefined) throw new Error(`The market lacks chain ${chainId}`)
  return chain
}

function contractsOn({ contracts }: PrepareDeps, { chain }: ChainMarket): ProtocolContracts {
  const found = contracts.get(chain.id)
  if (found === undefined)
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      `Chain ${chain.id} is priced, but not quoted: its operator has not configured the contracts that execute quotes.`,
      { chainId: chain.id },
    )
  return found
}

/** What the spender may take already, and, where that is too little but not nothing, whether it can be raised. */
async function approvalState(
  { trials }: PrepareDeps,
  priced: Price,
  contracts: ProtocolContracts,
  loaders: Loaders,
): Promise<Readonly<{ allowance: Amount; resetsAllowance: boolean }>> {
  const needed = allowanceNeeded(priced, contracts)
  if (needed === undefined) return { allowance: toAmount(0n), resetsAllowance: false }
  const { currency, spender, amount } = needed
  const { user } = priced.order
  const [{ hash }] = priced.blocks
  const allowance = await loaders.allowance({ currency, account: user, spender }, hash)
  if (allowance === 0n || allowance >= amount) return { allowance, resetsAllowance: false }
  const raise = { abi: erc20Abi, functionName: 'approve', args: [spender, amount] } as const
  const resetsAllowance = await trials.fails({
    chainId: currency.chainId,
    from: user,
    to: currency.address,
    data: encodeFunctionData(raise),
    value: 0n,
  })
  return { allowance, resetsAllowance }
}

/** Simulated once, when first asked for. */
function withGas({ trials }: PrepareDeps, step: Step): QuotedStep {
  const items = step.items.map((item) => {
    const { isFirst, ...data } = item.data
    let gas: Promise<bigint | undefined> | undefined
    const simulate = () => {
      gas ??= isFirst ? trials.gasOf(data) : Promise.resolve(undefined)
      return gas
    }
    return { ...item, data: { ...data, gas: simulate } }
  })
  return { ...step, items }
}

type Quoted = Omit<Priced, 'market'> &
  Readonly<{
    requestId: Hash
    protocol: Protocol | undefined
    steps: readonly Step[]
    createdAt: number
  }>

function toRequest(quoted: Quoted): QuotedRequest {
  const { priced, request, caller, protocol, createdAt } = quoted
  const { order, currencyIn, currencyOut } = priced
  const execution =
    protocol === undefined
      ? ({ execution: 'user' } as const)
      : ({
          execution: 'solver',
          orderId: protocol.orderId,
          order: protocol.order,
          inputs: priced.fundings.map(inputOf),
          fill: fillTermsOf(priced),
        } as const)
  return {
    requestId: quoted.requestId,
    user: order.user,
    recipient: order.recipient,
    refundTo: order.refundTo,
    originChainId: currencyIn.currency.chainId,
    destinationChainId: currencyOut.currency.chainId,
    originCurrency: currencyIn.currency.address,
    destinationCurrency: currencyOut.currency.address,
    tradeType: order.tradeType,
    amountIn: currencyIn.amount,
    amountOut: currencyOut.amount,
    minimumAmountOut: currencyOut.minimumAmount,
    steps: quoted.steps,
    ...(request.referrer != null && { referrer: request.referrer }),
    ...(request.referrerAddress != null && { referrerAddress: request.referrerAddress }),
    ...(caller !== undefined && { apiKey: caller.name }),
    subsidizedUsd: priced.fees.subsidized.usd ?? toUsd(0n),
    createdAt,
    deadline: Math.floor(createdAt / 1000) + orderSeconds,
    ...execution,
  }
}

function inputOf({ user, refundTo, leg, payoutAmount }: Funding): RequestInput {
  const { input, output } = leg
  return {
    chainId: input.currency.chainId,
    user,
    refundTo,
    currency: input.currency.address,
    amount: input.amount,
    depositCurrency: output.currency.address,
    depositAmount: output.amount,
    leastDeposit: output.minimumAmount,
    payoutAmount,
  }
}

/** The solver's own fee is its margin for an exact output. */
function fillTermsOf({ order, destination, refundCurrency, fees }: Price): FillTerms {
  const { currency, amount } = destination.input
  const { included, excluded } = order.swapSources.destination
  const payoutScale = 10n ** BigInt(currency.decimals)
  const depositScale = 10n ** BigInt(refundCurrency.currency.decimals)
  const margin = (fees.relayerService.amount * payoutScale) / depositScale
  return {
    payoutCurrency: currency.address,
    payoutAmount: amount,
    mostPayout: toAmount(amount + margin),
    ...(included !== undefined && { includedSwapSources: [...included] }),
    excludedSwapSources: [...excluded],
    ...(order.maxRouteLength !== undefined && { maxRouteLength: order.maxRouteLength }),
    ...(order.txsGasLimit !== undefined && { txsGasLimit: order.txsGasLimit }),
    enableTrueExactOutput: order.enableTrueExactOutput,
  }
}
