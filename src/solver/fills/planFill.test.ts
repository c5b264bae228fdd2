import fc from 'fast-check'
import { decodeFunctionData } from 'viem'
import { describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { evmGas } from '#src/core/pricing/gas/gas.ts'
import { swapLeg, withoutLimits } from '#src/core/pricing/leg/leg.ts'
import { marketAfterSwaps } from '#src/core/pricing/leg/swapSequence.ts'
import type { Market } from '#src/core/pricing/market.ts'
import type { Price } from '#src/core/pricing/price.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import { toUsd } from '#src/core/units/usd.ts'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'
import { approvalProxy } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { minFunding } from '#src/requests/state/solverRequest.ts'
import {
  currencyOf,
  destinationChain,
  market,
  originChain,
} from '#test/support/fixtures/markets.ts'
import {
  callOf,
  depositFor,
  fillCaseOf,
  inputOf,
  requestOf,
  worthOfSavedGas,
} from '#test/support/orders/fillCase.ts'
import { anyOrders, attempt, example } from '#test/support/orders/orders.ts'
import { runs } from '#test/support/runs.ts'
import { budgetOf } from './payoutBudget.ts'
import { type FillPlan, planFill } from './planFill.ts'

const prices: fc.Arbitrary<Price> = anyOrders
  .map((order) => attempt(order))
  .filter((price): price is Price => !(price instanceof AppError) && price.execution === 'solver')

/** Markets after another trade on the destination chain, between quote and fill. */
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
    return leg === undefined ? market : marketAfterSwaps(market, destinationChain, [leg])
  })

const cases = fc.record({
  price: prices,
  current: markets,
  /** Share of the ordered deposit, in thousandths. */
  deposited: fc.oneof(fc.constant(1000n), fc.bigInt(900n, 1100n), fc.bigInt(1n, 3000n)),
})

describe('planFill', () => {
  it('never pays less than the minimum or spends more than the budget, and is deterministic', () => {
    const kinds = new Map<string, number>()
    fc.assert(
      fc.property(cases, ({ price, current, deposited }) => {
        const request = requestOf(price)
        const amount = toAmount((inputOf(request).depositAmount * deposited) / 1000n)
        if (amount === 0n) return
        const deposit = depositFor(request, { amount })
        const plan = planFill(fillCaseOf(request, [deposit], current))
        expect(planFill(fillCaseOf(request, [deposit], current))).toEqual(plan)
        kinds.set(plan.kind, (kinds.get(plan.kind) ?? 0) + 1)
        if (plan.kind !== 'fill') return
        const budget = budgetOf(request, [deposit], current)
        if (budget === undefined) throw new Error('There is no fill without a budget')
        const isExact = request.minimumAmountOut === request.amountOut
        const { leg } = plan
        expect(leg.amountOut).toBeGreaterThanOrEqual(request.minimumAmountOut)
        const maxAmount = (isExact ? budget.maxNetInput : budget.netInput) + budget.reserved
        expect(leg.amountIn).toBeLessThanOrEqual(maxAmount)
        // Without a swap, the solver keeps the part that the recipient does not get.
        if (leg.route === undefined) expect(leg.amountOut).toBe(leg.amountIn)
        const topup = request.order.output.payments[1]?.expectedAmount ?? 0n
        expect(sums(plan.spends)).toEqual(
          sums([
            { currency: request.fill.payoutCurrency, amount: leg.amountIn },
            { currency: nativeAddress, amount: topup },
          ]),
        )
        const call = callOf(plan, request)
        expect(moved(plan, call)).toEqual(sums(plan.spends))
        expect(call.data.endsWith(request.orderId.slice(2))).toBe(true)
      }),
      { numRuns: runs(400, 200) },
    )
    expect([...kinds.keys()]).toEqual(expect.arrayContaining(['fill', 'refund']))
  })

  it('fills the smallest deposit that funds a request, at the market of the quote', () => {
    let shorter = 0
    fc.assert(
      fc.property(prices, (price) => {
        const request = requestOf(price)
        const input = inputOf(request)
        const amount = minFunding(request, input)
        expect(amount).toBeLessThanOrEqual(input.leastDeposit)
        if (amount === input.leastDeposit) return
        const kindOf = (deposit: Deposit) => planFill(fillCaseOf(request, [deposit], market)).kind
        if (kindOf(depositFor(request)) !== 'fill') return
        shorter += 1
        expect(kindOf(depositFor(request, { amount }))).toBe('fill')
      }),
      { numRuns: runs(400, 200) },
    )
    expect(shorter).toBeGreaterThan(0)
  })

  it('fills exactly the quoted amount at the market of the quote', () => {
    fc.assert(
      fc.property(prices, (price) => {
        const request = requestOf(price)
        const plan = planFill(fillCaseOf(request, [depositFor(request)], market))
        if (plan.kind === 'fill') {
          const isExact = request.minimumAmountOut === request.amountOut
          const { payoutAmount, maxPayout } = request.fill
          const { reserved = 0n } = budgetOf(request, [depositFor(request)], market) ?? {}
          const maxAmount = (isExact ? maxPayout : payoutAmount) + reserved
          expect(plan.leg.amountIn).toBeLessThanOrEqual(maxAmount)
          // A quote's route may have been searched for an input up to 1/64 larger. The input of a priced exact output may also
          // give less by a route that saves more gas.
          const tolerance =
            request.amountOut / 10n ** 6n +
            (price.order.tradeType === 'EXACT_INPUT'
              ? 0n
              : worthOfSavedGas(price, plan.leg.route, market))
          expect(plan.leg.amountOut).toBeGreaterThanOrEqual(request.amountOut - tolerance - 1n)
          return
        }
        // The route of a fill may use more gas than that of its quote: a tiny output does not pay for that.
        const isTiny = (price.currencyOut.usd ?? 0n) < 20_000_000n
        if (isTiny && plan.kind === 'refund' && plan.reason === 'SOLVER_CAPACITY_EXCEEDED') return
        // The solver also pays gas, which the quote does not reserve in its balance.
        expect(plan).toEqual({ kind: 'refund', reason: 'SOLVER_BALANCE_TOO_LOW' })
      }),
      { numRuns: runs(200) },
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

/** The amounts that the transaction takes from the solver. */
function moved(
  { leg }: Extract<FillPlan, { kind: 'fill' }>,
  call: TransactionCall,
): Record<string, bigint> {
  const native = { currency: nativeAddress, amount: call.value }
  const { functionName, args } = decodeFunctionData({ abi: approvalProxy.abi, data: call.data })
  if (functionName !== 'fill') throw new Error(`A fill calls ${functionName}`)
  const [, currencies, amounts] = args
  expect(currencies).toHaveLength(leg.input === nativeAddress ? 0 : 1)
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
    ...[own, change, current = market, other = request]: readonly [
      Partial<typeof deposit>?,
      Parameters<typeof fillCaseOf>[3]?,
      Market?,
      typeof request?,
    ]
  ) => {
    const planned = planFill(fillCaseOf(other, [{ ...deposit, ...own }], current, change))
    if (planned.kind === 'wait') return planned.for
    return planned.kind === 'refund' ? planned.reason : planned.kind
  }
  const balanceOf = (left: bigint) => () => left
  const other = currencyOf(originChain, 'WBTC').address
  const destinationMarket = market.chains.get(destinationChain)
  if (destinationMarket === undefined) throw new Error('No destination')
  const changed = (change: Partial<typeof destinationMarket>): Market => ({
    ...market,
    chains: new Map(market.chains).set(destinationChain, { ...destinationMarket, ...change }),
  })

  const moreExpensive = (percent: bigint) => {
    const { baseFeePerGas, ...gas } = evmGas(destinationMarket.gas)
    return changed({ gas: { ...gas, baseFeePerGas: (percent * baseFeePerGas) / 100n } })
  }

  it.each([
    ['a correct deposit', 'fill', plan()],
    ['another currency', 'INCORRECT_DEPOSIT_CURRENCY', plan({ currency: other })],
    ['a late deposit', 'ORDER_EXPIRED', plan({ timestamp: deadline + 1 })],
    ['a late solver', 'ORDER_EXPIRED', plan({}, { now: deadline + 1 })],
    ['a deposit at the deadline', 'fill', plan({ timestamp: deadline }, { now: deadline })],
    [
      'a short deposit',
      'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL',
      plan({ amount: toAmount(deposit.amount / 2n) }),
    ],
    ['a tiny deposit', 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL', plan({ amount: toAmount(1n) })],
    [
      'a shortfall within the slippage',
      'fill',
      plan({ amount: toAmount((deposit.amount * 9_995n) / 10_000n) }),
    ],
    [
      'a solver with too small a balance',
      'SOLVER_BALANCE_TOO_LOW',
      plan({}, { inventory: { held: balanceOf(fill.payoutAmount - 1n), free: balanceOf(0n) } }),
    ],
    [
      'a solver whose balance is reserved by pending fills',
      'inventory',
      plan(
        {},
        { inventory: { held: balanceOf(10n ** 30n), free: balanceOf(fill.payoutAmount - 1n) } },
      ),
    ],
    [
      'a payout above the limit',
      'SOLVER_CAPACITY_EXCEEDED',
      plan({}, { limits: { forcesRefunds: false, mostPayoutUsd: toUsd(1_000_000n) } }),
    ],
    [
      'a payout currency without a price',
      'price',
      plan(
        {},
        { limits: { forcesRefunds: false, mostPayoutUsd: toUsd(1_000_000_000n) } },
        changed({ usdPrices: new Map() }),
      ),
    ],
    ['gas a tenth more expensive', 'fill', plan({}, {}, moreExpensive(110n))],
    ['gas twice as expensive', 'SOLVER_CAPACITY_EXCEEDED', plan({}, {}, moreExpensive(200n))],
    [
      'gas a thousand times as expensive',
      'SOLVER_CAPACITY_EXCEEDED',
      plan({}, {}, moreExpensive(100_000n)),
    ],
    [
      'a refused currency',
      'NO_QUOTES',
      plan(
        {},
        {},
        changed({ refusedCurrencies: new Map([[request.destinationCurrency, 'malicious']]) }),
      ),
    ],
    [
      'currencies that are no longer of one asset',
      'NO_QUOTES',
      plan({}, {}, { ...market, assets: [] }),
    ],
    [
      'a forced refund on a devnet',
      'UNKNOWN',
      plan({}, { limits: { forcesRefunds: true } }, market, {
        ...request,
        referrer: 'debug-force-refund',
      } as typeof request),
    ],
    [
      'the same referrer where refunds cannot be forced',
      'fill',
      plan({}, {}, market, { ...request, referrer: 'debug-force-refund' } as typeof request),
    ],
  ])('%s: %s', (_, expected, made) => {
    expect(made).toBe(expected)
  })

  it('refunds if pools give too little or have no route', () => {
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
    const reasonOn = (current: Market) => planFill(fillCaseOf(swap, [depositFor(swap)], current))
    expect(reasonOn(marketAfterSwaps(market, destinationChain, [trade]))).toEqual({
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
