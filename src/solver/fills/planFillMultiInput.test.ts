import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { payoutFor } from '#src/core/pricing/conversion.ts'
import type { MultiOrder } from '#src/core/pricing/order.ts'
import type { MultiPrice } from '#src/core/pricing/price.ts'
import { priceMulti } from '#src/core/pricing/priceMulti.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
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
import { type Budget, budgetOf } from './payoutBudget.ts'
import { planFill } from './planFill.ts'

const createdAt = 1_800_000_000
const until = createdAt + 1_800

const requestOf = (price: MultiPrice, partial: boolean): SolverRequest =>
  multiInputRequest(price, { partial, createdAt, until })

const prices = multiPrices(4)

/** Share of an input's ordered deposit, in thousandths. 0: no deposit. */
const share = fc.oneof(
  fc.constant(1000n),
  fc.constant(0n),
  fc.bigInt(900n, 1100n),
  fc.bigInt(1n, 3000n),
)

const cases = fc.record({
  price: prices,
  partial: fc.boolean(),
  shares: fc.array(share, { minLength: 4, maxLength: 4 }),
})

/** A request for `price` with its deposits. */
function fund({
  price,
  partial,
  shares,
}: typeof cases extends fc.Arbitrary<infer Case> ? Case : never) {
  const quoted = requestOf(price, partial)
  const found = quoted.inputs.map(({ depositAmount }, at): Deposit | undefined => {
    const amount = toAmount((depositAmount * (shares[at] ?? 0n)) / 1000n)
    return amount === 0n ? undefined : depositOf(quoted, at, { amount })
  })
  const deposits = found.filter((each) => each !== undefined)
  return { request: decided(quoted, found), deposits }
}

const planOf = (request: SolverRequest, deposits: readonly Deposit[]) =>
  planFill(fillCaseOf(request, deposits, wideMarket))

function budgetIn(request: SolverRequest, deposits: readonly Deposit[]): Budget {
  const budget = budgetOf(request, deposits, wideMarket)
  if (budget === undefined) throw new Error('No budget')
  return budget
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, each) => total + each, 0n)

/** Sum of the deposits, in the payout currency. */
const paidIn = (price: MultiPrice, deposits: readonly Deposit[]): bigint =>
  sum(
    deposits.map(({ chainId, currency, amount }) => {
      const deposit = price.pricedOrigins
        .map(({ leg }) => leg.output.currency)
        .find((each) => each.chainId === chainId && each.address === currency)
      if (deposit === undefined) throw new Error('No input has this currency')
      return payoutFor({ deposit, payout: price.destination.input.currency }, amount)
    }),
  )

/** ETH on two chains for USDC. */
const ether = priceMulti(
  {
    user: account('1'),
    recipient: account('4'),
    origins: (
      [
        [thirdChain, '1'],
        [originChain, '1'],
        [originChain, '3'],
      ] as const
    ).map(([chainId, digit]) => ({
      user: account(digit),
      refundTo: account(digit),
      currency: currencyOf(chainId, 'ETH'),
      amount: toAmount(10n ** 16n / 3n),
    })),
    destination: currencyOf(destinationChain, 'USDC'),
    originGasOverhead: 0n,
    txs: [],
  },
  wideMarket,
)

describe('planFill with several deposits', () => {
  it('spends at most the deposits minus the gas, and scales the minimum with the spending', () => {
    const kinds = new Map<string, number>()
    fc.assert(
      fc.property(cases, (each) => {
        const { request, deposits } = fund(each)
        if (deposits.length === 0) return
        const plan = planOf(request, deposits)
        const isPart = deposits.length < request.inputs.length
        const name = `${plan.kind}${isPart ? ' of a part' : ''} for ${request.tradeType}`
        kinds.set(name, (kinds.get(name) ?? 0) + 1)
        expect(planOf(request, deposits.toReversed())).toEqual(plan)
        if (isPart && !each.partial)
          expect(plan).toEqual({ kind: 'refund', reason: 'ORDER_EXPIRED' })
        if (plan.kind !== 'fill') return
        const { leg } = plan
        const { fill, tradeType } = request
        const { netInput, maxNetInput, minOutput, reserved } = budgetIn(request, deposits)
        const paid = paidIn(each.price, deposits)
        const left = paid - each.price.fees.relayerGas.amount
        expect(netInput).toBeLessThanOrEqual(left)
        expect(maxNetInput).toBeLessThanOrEqual(left)
        const maxAmount = (tradeType === 'EXACT_OUTPUT' ? maxNetInput : netInput) + reserved
        expect(leg.amountIn).toBeLessThanOrEqual(maxAmount)
        expect(leg.amountIn).toBeLessThanOrEqual(paid)
        expect(leg.amountOut).toBeGreaterThanOrEqual(minOutput)
        const { minimumAmountOut: whole } = request
        const share = (whole * netInput) / fill.payoutAmount
        if (share > whole) {
          expect(minOutput).toBeLessThanOrEqual(share)
          expect(minOutput).toBeGreaterThanOrEqual(whole + ((share - whole) * 99n) / 100n - 1n)
        } else expect([whole, ...(each.partial ? [share] : [])]).toContain(minOutput)
      }),
      {
        numRuns: runs(300, 100),
        examples: [
          [{ price: ether, partial: true, shares: [0n, 1n, 2583n, 1n] }],
          // Random cases are seldom of this kind.
          [{ price: ether, partial: false, shares: [0n, 1000n, 1000n, 1000n] }],
        ],
      },
    )
    expect([...kinds.keys()]).toEqual(
      expect.arrayContaining([
        'fill for EXACT_INPUT',
        'fill for EXACT_OUTPUT',
        'fill of a part for EXACT_INPUT',
        'fill of a part for EXACT_OUTPUT',
        'refund of a part for EXACT_INPUT',
      ]),
    )
  })

  it('budget and minimum do not fall when deposits grow', () => {
    fc.assert(
      fc.property(cases, fc.nat(3), ({ price, shares }, place) => {
        const at = place % price.pricedOrigins.length
        const budget = (own: bigint) => {
          const { request, deposits } = fund({
            price,
            partial: true,
            shares: shares.with(at, own),
          })
          return budgetIn(request, deposits)
        }
        const budgets = [0n, 1n, 300n, 1000n, 2000n].map(budget)
        for (const [more, each] of budgets.slice(1).entries())
          for (const key of ['netInput', 'maxNetInput', 'minOutput'] as const)
            expect(each[key]).toBeGreaterThanOrEqual(budgets[more]?.[key] ?? 0n)
      }),
      { numRuns: runs(200, 80) },
    )
  })

  it('complete deposits have the quoted budget', () => {
    fc.assert(
      fc.property(prices, fc.boolean(), (price, partial) => {
        const { request, deposits } = fund({
          price,
          partial,
          shares: [1000n, 1000n, 1000n, 1000n],
        })
        const { payoutAmount, maxPayout } = request.fill
        expect(budgetOf(request, deposits, wideMarket)).toMatchObject({
          netInput: payoutAmount,
          maxNetInput: maxPayout,
          minOutput: request.minimumAmountOut,
          isShort: false,
        })
        const plan = planOf(request, deposits)
        if (plan.kind === 'fill') return
        // The route of a fill may use more gas than that of its quote: a tiny output does not pay for that.
        const isTiny = (price.currencyOut.usd ?? 0n) < 20_000_000n
        if (isTiny && plan.kind === 'refund' && plan.reason === 'SOLVER_CAPACITY_EXCEEDED') return
        expect(plan).toEqual({ kind: 'refund', reason: 'SOLVER_BALANCE_TOO_LOW' })
      }),
      { numRuns: runs(200, 80) },
    )
  })
})

describe('planFill refunds with several deposits', () => {
  const user = account('1')
  const origin = (chainId: typeof originChain, symbol: 'USDC', amount: bigint) => ({
    user,
    refundTo: user,
    currency: currencyOf(chainId, symbol),
    amount: toAmount(amount),
  })
  const order: MultiOrder = {
    user,
    recipient: account('4'),
    origins: [origin(originChain, 'USDC', 100_000_000n), origin(thirdChain, 'USDC', 50_000_000n)],
    destination: currencyOf(destinationChain, 'USDC'),
    originGasOverhead: 0n,
    txs: [],
  }
  const price = priceMulti(order, wideMarket)

  const outcome = (
    partial: boolean,
    changes: readonly (Partial<Deposit> | 'missed')[],
    current = wideMarket,
  ) => {
    const quoted = requestOf(price, partial)
    const found = changes.map((each, at) =>
      each === 'missed' ? undefined : depositOf(quoted, at, each),
    )
    const deposits = found.filter((each) => each !== undefined)
    const plan = planFill(fillCaseOf(decided(quoted, found), deposits, current))
    if (plan.kind !== 'fill') return plan.kind === 'refund' ? plan.reason : plan.kind
    return plan.leg.amountOut
  }
  const half = { amount: toAmount(25_000_000n) }
  const late = { timestamp: until + 1 }
  const other = { currency: currencyOf(originChain, 'WBTC').address }
  const { amount: whole } = price.currencyOut
  const [first, second] = price.pricedOrigins.map(({ payoutAmount }) => payoutAmount)

  it.each([
    ['complete deposits', whole, outcome(false, [{}, {}])],
    ['the first missing', 'ORDER_EXPIRED', outcome(false, ['missed', {}])],
    ['the first missing, partial fill', whole - (first ?? 0n), outcome(true, ['missed', {}])],
    ['the second missing, partial fill', whole - (second ?? 0n), outcome(true, [{}, 'missed'])],
    ['one short', 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL', outcome(false, [{}, half])],
    ['one short, partial fill', whole - half.amount, outcome(true, [{}, half])],
    [
      'one short, another as much over',
      whole,
      outcome(false, [{ amount: toAmount(125_000_000n) }, half]),
    ],
    [
      'a tiny deposit, partial fill',
      'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL',
      outcome(true, ['missed', { amount: toAmount(1n) }]),
    ],
    ['at the deadline', whole, outcome(true, [{}, { timestamp: until }])],
    ['late, all others missing', 'ORDER_EXPIRED', outcome(true, [late, 'missed'])],
    [
      'in another currency, all others missing',
      'INCORRECT_DEPOSIT_CURRENCY',
      outcome(true, [other, 'missed']),
    ],
    [
      'currencies that are no longer of one asset',
      'NO_QUOTES',
      outcome(true, [{}, {}], {
        ...wideMarket,
        assets: wideMarket.assets.map(({ currencies, ...asset }) => ({
          ...asset,
          currencies: new Map([...currencies].filter(([chainId]) => chainId !== thirdChain)),
        })),
      }),
    ],
  ])('%s: %s', (_, expected, made) => {
    expect(made).toBe(expected)
  })
})
