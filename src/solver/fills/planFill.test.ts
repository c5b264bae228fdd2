import fc from 'fast-check'
import { decodeFunctionData } from 'viem'
import { describe, expect, it } from 'vitest'
import { approvalProxy } from '#src/contracts/artifacts/approvalProxy.ts'
import { AppError } from '#src/errors.ts'
import { swapLeg } from '#src/pricing/leg/leg.ts'
import { marketAhead } from '#src/pricing/leg/marketAfterSwaps.ts'
import { withoutLimits } from '#src/pricing/leg/routeLimits.ts'
import type { Market } from '#src/pricing/market.ts'
import type { Price } from '#src/pricing/price.ts'
import { nativeAddress } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import { toBps } from '#src/units/bps.ts'
import { toUsd } from '#src/units/usd.ts'
import { depositFor, fillCaseOf, inputOf, requestOf } from '#test/support/fixtures/fillCase.ts'
import {
  currencyOf,
  destinationChain,
  market,
  originChain,
} from '#test/support/fixtures/markets.ts'
import { anyOrders, attempt, example } from '#test/support/fixtures/orders.ts'
import { budgetOf } from './payoutBudget.ts'
import { type FillPlan, planFill } from './planFill.ts'

const prices: fc.Arbitrary<Price> = anyOrders
  .map((order) => attempt(order))
  .filter((price): price is Price => !(price instanceof AppError) && price.execution === 'solver')

/** Somebody trades on the destination chain between the quote and the fill. */
const markets: fc.Arbitrary<Market> = fc
  .record({
    pair: fc.constantFrom(...(['USDC', 'ETH', 'WBTC', 'LONG', 'USDT'] as const)),
    to: fc.constantFrom(...(['USDC', 'ETH', 'WBTC', 'LONG', 'USDT'] as const)),
    share: fc.bigInt(0n, 2n * 10n ** 5n),
  })
  .map(({ pair, to, share }) => {
    const chain = market.chains.get(destinationChain)
    const [input, output] = [pair, to].map((symbol) => currencyOf(destinationChain, symbol))
    if (chain === undefined || input === undefined || output === undefined || pair === to)
      return market
    const held = chain.solverBalances.get(input.address) ?? 0n
    const amount = toAmount((held * share) / 10n ** 6n)
    const task = { market: chain, input, output, limits: withoutLimits }
    const leg = amount === 0n ? undefined : swapLeg(task, 'exactInput', amount)
    return leg === undefined ? market : marketAhead(market, destinationChain, [leg])
  })

const cases = fc.record({
  price: prices,
  seen: markets,
  /** Of what was ordered, in thousandths. */
  deposited: fc.oneof(fc.constant(1000n), fc.bigInt(900n, 1100n), fc.bigInt(1n, 3000n)),
})

describe('planFill', () => {
  it('never pays less than the minimum, nor spends more than the rule allows; the same for the same', () => {
    const met = new Map<string, number>()
    fc.assert(
      fc.property(cases, ({ price, seen, deposited }) => {
        const request = requestOf(price)
        const amount = toAmount((inputOf(request).depositAmount * deposited) / 1000n)
        if (amount === 0n) return
        const deposit = depositFor(request, { amount })
        const plan = planFill(fillCaseOf(request, [deposit], seen))
        expect(planFill(fillCaseOf(request, [deposit], seen))).toEqual(plan)
        met.set(plan.kind, (met.get(plan.kind) ?? 0) + 1)
        if (plan.kind !== 'fill') return
        const budget = budgetOf(request, [deposit], seen)
        if (budget === undefined) throw new Error('There is no fill without a budget')
        const isExact = request.minimumAmountOut === request.amountOut
        const { leg } = plan
        expect(leg.amountOut).toBeGreaterThanOrEqual(request.minimumAmountOut)
        expect(leg.amountIn).toBeLessThanOrEqual(isExact ? budget.most : budget.spend)
        // What the recipient does not get of an input that became the output as it is stays with the solver.
        if (leg.route === undefined) expect(leg.amountOut).toBe(leg.amountIn)
        const topup = request.order.output.payments[1]?.minimumAmount ?? 0n
        expect(sums(plan.spends)).toEqual(
          sums([
            { currency: request.fill.payoutCurrency, amount: leg.amountIn },
            { currency: nativeAddress, amount: topup },
          ]),
        )
        expect(moved(plan)).toEqual(sums(plan.spends))
        expect(plan.call.data.endsWith(request.orderId.slice(2))).toBe(true)
      }),
      { numRuns: 400 },
    )
    expect([...met.keys()]).toEqual(expect.arrayContaining(['fill', 'refund']))
  })

  it('fills on the market of the quote just what was quoted', () => {
    fc.assert(
      fc.property(prices, (price) => {
        const request = requestOf(price)
        const plan = planFill(fillCaseOf(request, [depositFor(request)], market))
        if (plan.kind === 'fill') {
          const isExact = request.minimumAmountOut === request.amountOut
          const { payoutAmount, mostPayout } = request.fill
          expect(plan.leg.amountIn).toBeLessThanOrEqual(isExact ? mostPayout : payoutAmount)
          // What an output was priced at may be found to give a trifle less of it.
          const trifle =
            price.order.tradeType === 'EXACT_INPUT' ? 0n : request.amountOut / 10n ** 6n
          expect(plan.leg.amountOut).toBeGreaterThanOrEqual(request.amountOut - trifle - 1n)
          return
        }
        // Gas comes on top of what is paid out, and the quote leaves it out of account.
        expect(plan).toEqual({ kind: 'refund', reason: 'SOLVER_BALANCE_TOO_LOW' })
      }),
      { numRuns: 200 },
    )
  })
})

type Amounts = readonly Readonly<{ currency: string; amount: bigint }>[]

const sums = (amounts: Amounts): Record<string, bigint> => {
  const totals: Record<string, bigint> = {}
  for (const { currency, amount } of amounts)
    if (amount > 0n) totals[currency] = (totals[currency] ?? 0n) + amount
  return totals
}

/** What the transaction takes from the solver. */
function moved({ call, isErc20 }: Extract<FillPlan, { kind: 'fill' }>): Record<string, bigint> {
  const native = { currency: nativeAddress, amount: call.value }
  if (!isErc20) return sums([native])
  const { args } = decodeFunctionData({ abi: approvalProxy.abi, data: call.data })
  const [currencies = [], amounts = []] = args ?? []
  return sums([
    native,
    ...currencies.map((currency, at) => ({
      currency: currency.toLowerCase(),
      amount: amounts[at] ?? 0n,
    })),
  ])
}

const priceOf = (change: Parameters<typeof attempt>[0]): Price => {
  const price = attempt(change)
  if (price instanceof AppError) throw price
  return price
}

describe('planFill refunds', () => {
  const request = requestOf(priceOf({ ...example(), slippageTolerance: toBps(10n) }))
  const deposit = depositFor(request)
  const { deadline, fill } = request
  const plan = (
    ...[own, change, seen = market, other = request]: readonly [
      Partial<typeof deposit>?,
      Parameters<typeof fillCaseOf>[3]?,
      Market?,
      typeof request?,
    ]
  ) => {
    const made = planFill(fillCaseOf(other, [{ ...deposit, ...own }], seen, change))
    if (made.kind === 'wait') return made.for
    return made.kind === 'refund' ? made.reason : made.kind
  }
  const poor = (left: bigint) => () => left
  const other = currencyOf(originChain, 'WBTC').address
  const destinationMarket = market.chains.get(destinationChain)
  if (destinationMarket === undefined) throw new Error('No destination')
  const changed = (change: Partial<typeof destinationMarket>): Market => ({
    ...market,
    chains: new Map(market.chains).set(destinationChain, { ...destinationMarket, ...change }),
  })

  const dearer = (times: bigint) => {
    const { baseFeePerGas, ...gas } = destinationMarket.gas
    return changed({ gas: { ...gas, baseFeePerGas: times * (baseFeePerGas + 1n) } })
  }

  it.each([
    ['nothing that is as it should be', 'fill', plan()],
    ['another currency', 'INCORRECT_DEPOSIT_CURRENCY', plan({ currency: other })],
    ['a late deposit', 'ORDER_EXPIRED', plan({ timestamp: deadline + 1 })],
    ['a late solver', 'ORDER_EXPIRED', plan({}, { now: deadline + 1 })],
    ['not at the last moment', 'fill', plan({ timestamp: deadline }, { now: deadline })],
    [
      'a short deposit',
      'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL',
      plan({ amount: toAmount(deposit.amount / 2n) }),
    ],
    ['next to nothing', 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL', plan({ amount: toAmount(1n) })],
    [
      'not what the slippage bears',
      'fill',
      plan({ amount: toAmount((deposit.amount * 9_995n) / 10_000n) }),
    ],
    [
      'a poor solver',
      'SOLVER_BALANCE_TOO_LOW',
      plan({}, { holdings: { held: poor(fill.payoutAmount - 1n), free: poor(0n) } }),
    ],
    [
      'no solver whose money is on its way',
      'inventory',
      plan({}, { holdings: { held: poor(10n ** 30n), free: poor(fill.payoutAmount - 1n) } }),
    ],
    [
      'more than is paid out at once',
      'SOLVER_CAPACITY_EXCEEDED',
      plan({}, { limits: { forcesRefunds: false, mostPayoutUsd: toUsd(1_000_000n) } }),
    ],
    [
      'what has no price at the moment it does not',
      'price',
      plan(
        {},
        { limits: { forcesRefunds: false, mostPayoutUsd: toUsd(1_000_000_000n) } },
        changed({ usdPrices: new Map() }),
      ),
    ],
    ['gas that is twice as dear it does not', 'fill', plan({}, {}, dearer(2n))],
    [
      'gas that is a thousand times as dear',
      'SOLVER_CAPACITY_EXCEEDED',
      plan({}, {}, dearer(1000n)),
    ],
    [
      'a currency that was found to be rotten',
      'NO_QUOTES',
      plan(
        {},
        {},
        changed({ refusedCurrencies: new Map([[request.destinationCurrency, 'rotten']]) }),
      ),
    ],
    ['what belongs together no more', 'NO_QUOTES', plan({}, {}, { ...market, assets: [] })],
    [
      'what a devnet is told to',
      'UNKNOWN',
      plan({}, { limits: { forcesRefunds: true } }, market, {
        ...request,
        referrer: 'debug-force-refund',
      } as typeof request),
    ],
    [
      'and nothing else because of its name',
      'fill',
      plan({}, {}, market, { ...request, referrer: 'debug-force-refund' } as typeof request),
    ],
  ])('%s: %s', (_, expected, made) => {
    expect(made).toBe(expected)
  })

  it('what pools give too little for, and what they join no more', () => {
    const order = { ...example(), destination: currencyOf(destinationChain, 'LONG') }
    const swap = requestOf(priceOf({ ...order, slippageTolerance: toBps(10n) }))
    const task = {
      market: destinationMarket,
      input: currencyOf(destinationChain, 'USDC'),
      output: currencyOf(destinationChain, 'LONG'),
      limits: withoutLimits,
    }
    const trade = swapLeg(task, 'exactInput', toAmount(10n ** 12n))
    if (trade === undefined) throw new Error('No trade')
    const reasonOn = (seen: Market) => planFill(fillCaseOf(swap, [depositFor(swap)], seen))
    expect(reasonOn(marketAhead(market, destinationChain, [trade]))).toEqual({
      kind: 'refund',
      reason: 'SLIPPAGE',
    })
    const noPools = { ...swap, fill: { ...swap.fill, includedSwapSources: ['nobody'] } }
    expect(planFill(fillCaseOf(noPools, [depositFor(swap)], market))).toEqual({
      kind: 'refund',
      reason: 'NO_QUOTES',
    })
  })
})
