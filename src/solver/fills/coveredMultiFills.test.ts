import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { evmGas, gasPriceOf, transactionCost } from '#src/core/pricing/gas/gas.ts'
import { sizesOf } from '#src/core/pricing/gas/transactionSizes.ts'
import type { ChainMarket, Market } from '#src/core/pricing/market.ts'
import type { MultiOrder } from '#src/core/pricing/order.ts'
import type { MultiPrice } from '#src/core/pricing/price.ts'
import { priceMulti } from '#src/core/pricing/priceMulti.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { toUsd } from '#src/core/units/usd.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { callee } from '#test/support/arbitraries/executionArbitrary.ts'
import {
  account,
  currencyOf,
  destinationChain,
  originChain,
  thirdChain,
  wideMarket,
} from '#test/support/fixtures/markets.ts'
import { fillCaseOf } from '#test/support/orders/fillCase.ts'
import { multiPrices } from '#test/support/orders/multiExecution.ts'
import { decided, depositOf, multiInputRequest } from '#test/support/orders/multiInputCase.ts'
import { runs } from '#test/support/runs.ts'
import { planFill } from './planFill.ts'

const createdAt = 1_800_000_000
const chainIds = [originChain, thirdChain, destinationChain] as const

const decimals = fc.constantFrom(0, 2, 6, 8, 18, 24)

/** Of a dollar. */
const thousandths = fc.oneof(fc.bigInt(1n, 10_000n), fc.bigInt(10_000n, 10n ** 9n))

/** Shares of the ordered deposits, in thousandths. 0: no deposit. */
const shares = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(0n, 1000n, 1000n) },
    { weight: 2, arbitrary: fc.bigInt(900n, 1100n) },
    { weight: 1, arbitrary: fc.bigInt(1n, 300_000n) },
  ),
  { minLength: 4, maxLength: 4 },
)

/** What happens between the quote and the fill. */
const later = {
  partial: fc.boolean(),
  /** Gas price of the fill, in tenths of the quoted one. */
  gasTenths: fc.bigInt(1n, 40n),
  /** Gas of an earlier simulation. */
  simulatedGas: fc.option(fc.bigInt(0n, 2_000_000n), { nil: undefined }),
  shares,
  /** Whether the deposits are plain transfers, although the quotes ask for calls of the depository. */
  isPlain: fc.boolean(),
}

const cases = fc.record({
  ...later,
  /** Of the asset, on each of the chains. */
  decimals: fc.tuple(decimals, decimals, decimals),
  /** Each of another account. */
  inputs: fc.array(fc.record({ chain: fc.nat(1), thousandths }), { minLength: 1, maxLength: 4 }),
  /** Share of the whole output that an exact output asks for, in percent. Undefined: exact inputs. */
  output: fc.option(fc.bigInt(1n, 100n), { nil: undefined }),
  slippage: fc.constantFrom(undefined, 0n, 50n, 1000n),
  callCount: fc.nat(2),
  /** The flat fee, in millionths of a dollar. Without it no fee hides a unit that is lost to rounding. */
  flat: fc.constantFrom(0n, 20_000n),
})
type Case = typeof cases extends fc.Arbitrary<infer Each> ? Each : never

/** The market with USDC of these decimals on each chain, and a solver that holds enough. */
function marketOf(given: Case): Market {
  const currencies = new Map(
    chainIds.map((chainId, at) => [
      chainId,
      { ...currencyOf(chainId, 'USDC'), decimals: given.decimals[at] ?? 0 },
    ]),
  )
  const assets = wideMarket.assets
    .filter(({ symbol }) => symbol === 'USDC')
    .map((asset) => ({ ...asset, currencies }))
  const destination = chainOf(wideMarket, destinationChain)
  const payout = currencyOf(destinationChain, 'USDC').address
  const held = new Map(destination.solverBalances).set(payout, toAmount(10n ** 40n))
  const chains = new Map(wideMarket.chains)
  chains.set(destinationChain, { ...destination, solverBalances: held })
  const feeSchedule = { ...wideMarket.feeSchedule, flat: toUsd(given.flat) }
  return { ...wideMarket, assets, chains, feeSchedule }
}

function chainOf({ chains }: Market, id: Currency['chainId']): ChainMarket {
  const chain = chains.get(id)
  if (chain === undefined) throw new Error(`No chain ${id}`)
  return chain
}

function usdcOn({ assets }: Market, chainId: Currency['chainId']): Currency {
  const currency = assets[0]?.currencies.get(chainId)
  if (currency === undefined) throw new Error(`No USDC on ${chainId}`)
  return currency
}

function orderOf({ inputs, slippage, callCount }: Case, market: Market): MultiOrder {
  const destination = usdcOn(market, destinationChain)
  return {
    user: account('1'),
    recipient: account('4'),
    origins: inputs.map(({ chain, thousandths }, at) => {
      const currency = usdcOn(market, chainIds[chain] ?? originChain)
      const user = account(`${at + 1}`)
      const amount = toAmount((thousandths * 10n ** BigInt(currency.decimals)) / 1000n + 1n)
      return { user, refundTo: user, currency, amount }
    }),
    destination,
    ...(slippage !== undefined && { slippageTolerance: toBps(slippage) }),
    originGasOverhead: 0n,
    txs: Array.from({ length: callCount }, () => ({ to: callee, value: toAmount(0n), data: '0x' })),
  }
}

function priced(order: MultiOrder, market: Market): MultiPrice | undefined {
  try {
    return priceMulti(order, market)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

function quoted(given: Case, market: Market): MultiPrice | undefined {
  const order = orderOf(given, market)
  const whole = priced(order, market)
  if (whole === undefined || given.output === undefined) return whole
  const output = toAmount((whole.currencyOut.amount * given.output) / 100n)
  return output === 0n ? undefined : priced({ ...order, output }, market)
}

/** The request of a quote with the deposits that fund it. The others are missed. */
function funded(price: MultiPrice, { partial, shares, isPlain }: Later) {
  const request = multiInputRequest(price, { partial, createdAt, until: createdAt + 1_800 })
  const found = request.inputs.map(({ depositAmount }, at): Deposit | undefined => {
    const amount = toAmount((depositAmount * (shares[at] ?? 0n)) / 1000n)
    const { record, ...plain } = depositOf(request, at, { amount })
    if (amount === 0n) return undefined
    return isPlain || record === undefined ? plain : { ...plain, record }
  })
  const deposits = found.filter((each) => each !== undefined)
  return { request: decided(request, found), deposits }
}

/** The value of an amount on its chain, in 10^-42 dollars. */
function worthOf(market: Market, { chainId, address, decimals }: Currency, amount: bigint) {
  const price = chainOf(market, chainId).usdPrices.get(address)
  if (price === undefined) throw new Error('The fixture prices every currency')
  return amount * price * 10n ** BigInt(24 - decimals)
}

const worthOfWei = (market: Market, id: Currency['chainId'], wei: bigint): bigint =>
  worthOf(market, chainOf(market, id).chain.native, wei)

type Later = Pick<Case, keyof typeof later>

/**
 * The fill of a quote and what it costs more than the solver gets for its deposits: all of them, less the gas of their
 * settlements. Undefined if there is no fill.
 */
function fillOf(price: MultiPrice, given: Later, market: Market) {
  const { request, deposits } = funded(price, given)
  if (deposits.length === 0) return undefined
  const destination = chainOf(market, destinationChain)
  const usual = evmGas(destination.gas)
  const gas = { ...usual, baseFeePerGas: (usual.baseFeePerGas * given.gasTenths) / 10n }
  const chains = new Map(market.chains).set(destinationChain, { ...destination, gas })
  const current = { ...market, chains }
  const { simulatedGas } = given
  const known = [price.currencyOut.currency, price.destination.input.currency]
  const currencyOf = (address: Currency['address']) => {
    const found = known.find((each) => each.address === address)
    if (found === undefined) throw new Error(`No currency ${address}`)
    return found
  }
  const change = { currencyOf, simulatedGas }
  const plan = planFill(fillCaseOf(request, deposits, current, change))
  if (plan.kind !== 'fill') return undefined
  const received = deposits.map(({ chainId, currency, amount, record }) => {
    const costOf = ({ gas }: ChainMarket, explicitDeposit: boolean) =>
      transactionCost(gas, sizesOf(gas).settlement(currency, { explicitDeposit }))
    const now = chainOf(current, chainId)
    // The quote charges the settlement of a recorded deposit at its own time.
    const wei =
      costOf(chainOf(market, chainId), true) + costOf(now, record !== undefined) - costOf(now, true)
    const deposited = price.pricedOrigins
      .map(({ leg }) => leg.output.currency)
      .find((each) => each.chainId === chainId)
    if (deposited === undefined) throw new Error('Nobody ordered it')
    return worthOf(market, deposited, amount) - worthOfWei(market, chainId, wei)
  })
  const lost =
    worthOf(market, price.destination.input.currency, plan.leg.amountIn) +
    worthOfWei(market, destinationChain, plan.gas * gasPriceOf(gas)) -
    received.reduce((sum, each) => sum + each, 0n)
  const isPart = deposits.length < request.inputs.length
  return { request, plan, lost, isPart }
}

type Fill = NonNullable<ReturnType<typeof fillOf>>

function expectCovered({ request, plan, lost, isPart }: Fill, { partial }: Later): void {
  expect(lost).toBeLessThanOrEqual(0n)
  expect(plan.leg.amountOut).toBeGreaterThanOrEqual(plan.minOutput)
  if (!partial) expect(isPart).toBe(false)
  if (!partial) expect(plan.minOutput).toBeGreaterThanOrEqual(request.minimumAmountOut)
}

const kindOf = ({ request: { tradeType, inputs }, isPart }: Fill): string =>
  `${isPart ? 'a part of ' : ''}${tradeType}${inputs.length > 1 ? ' of several' : ''}`

const kinds = [
  'EXACT_INPUT of several',
  'EXACT_OUTPUT of several',
  'a part of EXACT_INPUT of several',
  'a part of EXACT_OUTPUT of several',
]

it('no fill costs more than its deposits pay, whatever their decimals, amounts and number', () => {
  const met = new Map<string, number>()
  const covered = fc.property(cases, (given) => {
    const market = marketOf(given)
    const price = quoted(given, market)
    const fill = price && fillOf(price, given, market)
    if (fill === undefined) return
    met.set(kindOf(fill), (met.get(kindOf(fill)) ?? 0) + 1)
    expectCovered(fill, given)
  })
  fc.assert(covered, { numRuns: runs(4000, 2000) })
  expect([...met.keys()]).toEqual(expect.arrayContaining(kinds))
})

it('no fill costs more than its deposits pay, with swaps on all chains and calls', () => {
  const met = new Map<string, number>()
  const covered = fc.property(multiPrices(4), fc.record(later), (price, given) => {
    if (price.currencyOut.currency.chainId !== destinationChain) return
    const fill = fillOf(price, given, wideMarket)
    if (fill === undefined) return
    met.set(kindOf(fill), (met.get(kindOf(fill)) ?? 0) + 1)
    expectCovered(fill, given)
  })
  fc.assert(covered, { numRuns: runs(2000, 1000) })
  expect([...met.keys()]).toEqual(expect.arrayContaining(kinds.slice(0, 2)))
})
