import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { swapLeg, withoutLimits } from '#src/core/pricing/leg/leg.ts'
import { marketAfterSwaps } from '#src/core/pricing/leg/swapSequence.ts'
import type { Market } from '#src/core/pricing/market.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { type FillPlan, planFill } from '#src/solver/fills/planFill.ts'
import {
  account,
  currencyOf,
  destinationChain,
  market,
  originChain,
} from '#test/support/fixtures/markets.ts'
import { depositFor, fillCaseOf, requestOf } from '#test/support/orders/fillCase.ts'
import { attempt, plain } from '#test/support/orders/orders.ts'

const usdc = currencyOf(originChain, 'USDC')
const long = currencyOf(destinationChain, 'LONG')

const order = (change: Partial<Order> = {}): Order => ({
  ...plain,
  user: account('1'),
  refundTo: account('1'),
  recipient: account('2'),
  origin: usdc,
  destination: long,
  tradeType: 'EXACT_INPUT',
  amount: toAmount(1_000n * 10n ** 6n),
  ...change,
})

function quoted(change: Partial<Order> = {}) {
  const price = attempt(order(change))
  if (price instanceof AppError) throw price
  return requestOf(price)
}

/** The market after the attacker has bought the output for `dollars`. */
function skewedBy(dollars: bigint): Market {
  const chain = market.chains.get(destinationChain)
  if (chain === undefined || dollars === 0n) return market
  const task = { market: chain, input: currencyOf(destinationChain, 'USDC'), output: long }
  const leg = swapLeg(
    { ...task, limits: withoutLimits },
    'exactInput',
    toAmount(dollars * 10n ** 6n),
  )
  return leg === undefined ? market : marketAfterSwaps(market, destinationChain, [leg])
}

function filled(request: ReturnType<typeof quoted>, times: bigint, current: Market): FillPlan {
  const deposit = depositFor(request)
  const amount = toAmount((deposit.amount * times) / 100n)
  return planFill(fillCaseOf(request, [{ ...deposit, amount }], current))
}

it('a pool that is skewed before the fill takes nothing from the surplus of an overpaid deposit', () => {
  const request = quoted()
  const honest = filled(request, 800n, market)
  const skewed = filled(request, 800n, skewedBy(5_000_000n))
  const fair = honest.kind === 'fill' ? honest.leg.amountOut : 0n
  const got = skewed.kind === 'fill' ? skewed.leg.amountOut : fair
  expect(
    (100n * got) / fair,
    `8,000 USDC to an order of 1,000 got ${(100n * got) / fair} % of their fair value`,
  ).toBeGreaterThanOrEqual(98n)
})

it('the output of any surplus is at least the quoted minimum in proportion, or the deposit is refunded', () => {
  const requests = [
    quoted(),
    quoted({ tradeType: 'EXPECTED_OUTPUT', amount: toAmount(4_000n * 10n ** 18n) }),
    quoted({ tradeType: 'EXACT_OUTPUT', amount: toAmount(4_000n * 10n ** 18n) }),
    quoted({ destination: currencyOf(destinationChain, 'USDC') }),
  ] as const
  const kinds = new Set<string>()
  fc.assert(
    fc.property(
      fc.constantFrom(...requests),
      fc.bigInt(100n, 3_000n),
      fc.bigInt(0n, 3_000_000n),
      (request, times, dollars) => {
        const plan = filled(request, times, skewedBy(dollars))
        kinds.add(plan.kind)
        if (plan.kind !== 'fill') return
        // A promised output has no tolerance. Its surplus has 1 %. The surplus pays its own fees.
        const least = (request.minimumAmountOut * (times - 100n) * 98n) / 10_000n
        expect(plan.leg.amountOut).toBeGreaterThanOrEqual(request.minimumAmountOut + least)
      },
    ),
  )
  expect([...kinds].sort()).toEqual(['fill', 'refund'])
})

it('a moderate surplus is filled on an honest market', () => {
  const request = quoted()
  for (const times of [101n, 200n, 800n]) expect(filled(request, times, market).kind).toBe('fill')
  const exact = quoted({ tradeType: 'EXACT_OUTPUT', amount: toAmount(4_000n * 10n ** 18n) })
  for (const times of [101n, 200n]) expect(filled(exact, times, market).kind).toBe('fill')
})

it('the solver keeps the surplus of a true exact output', () => {
  const exact = { tradeType: 'EXACT_OUTPUT', amount: toAmount(4_000n * 10n ** 18n) } as const
  const request = quoted({ ...exact, enableTrueExactOutput: true })
  const plan = filled(request, 800n, market)
  expect(plan.kind === 'fill' && plan.leg.amountOut).toBe(request.amountOut)
})
