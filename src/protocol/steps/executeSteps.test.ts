import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Pool, swapExactInput } from '#src/core/pools/pool.ts'
import type { Price } from '#src/core/pricing/price.ts'
import { type Address, evmAddress, nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { isSameCurrency } from '#src/core/units/currency.ts'
import type { StepContext } from '#src/protocol/step.ts'
import {
  callee,
  contexts,
  contracts,
  feeRecipients,
  prices,
  solver,
  wrappedOn,
} from '#test/support/arbitraries/executionArbitrary.ts'
import { market } from '#test/support/fixtures/markets.ts'
import { createRouterModel, RevertError } from '#test/support/models/routerModel.ts'
import { runs } from '#test/support/runs.ts'
import { buildSteps } from './buildSteps.ts'

const poolsOf = ({ currencyIn }: Price): Map<Address, Pool> => {
  const pools = market.chains.get(currencyIn.currency.chainId)?.graph.pools ?? []
  return new Map(pools.map((pool) => [pool.address, pool]))
}

/** Executes all steps for a user who holds exactly the input. */
function execute(price: Price, context: StepContext, pools = poolsOf(price)) {
  const wrappedNative = wrappedOn(price)
  const model = createRouterModel(pools, contracts)
  const { currency, amount } = price.currencyIn
  model.give(evmAddress(price.order.user), evmAddress(currency.address), amount)
  for (const step of buildSteps(price, { ...context, wrappedNative }))
    for (const { data } of step.items) model.execute(data)
  return model
}

type Model = ReturnType<typeof execute>

const holders = (model: Model) =>
  [...model.held].filter(([, amount]) => amount > 0n).map(([key]) => key.split(' ')[0])

const outputOf = (model: Model, { order, currencyOut }: Price): bigint =>
  [order.recipient, callee]
    .map((account) => model.balance(evmAddress(account), evmAddress(currencyOut.currency.address)))
    .reduce((sum, amount) => sum + amount, 0n)

function checkFees(model: Model, { order, fees, currencyIn }: Price): void {
  const paid = feeRecipients.map((recipient) =>
    model.balance(recipient, evmAddress(currencyIn.currency.address)),
  )
  expect(paid.reduce((sum, amount) => sum + amount)).toBe(fees.app.amount)
  for (const [at, { fee }] of order.appFees.entries()) {
    const fair = (currencyIn.amount * fee) / 10_000n
    expect(Math.abs(Number((paid[at] ?? 0n) - fair))).toBeLessThanOrEqual(order.appFees.length)
  }
}

const bySolver = prices.filter(({ execution }) => execution === 'solver')
const byUser = prices.filter(({ execution }) => execution === 'user')

test('on an unchanged market, the recipient gets the exact output, and app fees are paid', () => {
  fc.assert(
    fc.property(byUser, contexts, (price, context) => {
      const model = execute(price, context)
      expect(outputOf(model, price)).toBe(price.currencyOut.amount)
      checkFees(model, price)
      expect(model.ownCalls).toEqual(price.order.txs)
      const { user, recipient, origin, destination } = price.order
      if (user !== recipient || !isSameCurrency(origin, destination))
        expect(model.balance(evmAddress(user), evmAddress(origin.address))).toBe(0n)
      expect(model.metadata.every((metadata) => metadata === context.requestId)).toBe(true)
      expect(model.deadlines).toEqual(model.metadata.map(() => BigInt(context.deadline)))
    }),
    { numRuns: runs(500, 100) },
  )
})

test('on an unchanged market, the depository gets the exact deposit, with the order id', () => {
  fc.assert(
    fc.property(bySolver, contexts, (price, context) => {
      const model = execute(price, context)
      const { currency, amount } = price.refundCurrency
      expect(model.deposits).toEqual([
        { depositor: price.order.user, currency: currency.address, amount, id: context.orderId },
      ])
      expect(model.balance(contracts.depository, evmAddress(currency.address))).toBe(amount)
      expect(
        model.balance(evmAddress(price.order.user), evmAddress(price.currencyIn.currency.address)),
      ).toBe(0n)
    }),
    { numRuns: runs(500, 100) },
  )
})

test('the router and the approval proxy end up empty', () => {
  fc.assert(
    fc.property(prices, contexts, (price, context) => {
      const holding = holders(execute(price, context))
      expect(holding).not.toContain(contracts.router)
      expect(holding).not.toContain(contracts.approvalProxy)
    }),
    { numRuns: runs(500, 100) },
  )
})

/** Every pool after one trade in the same direction, of `1 / worth` of its liquidity. */
const movedPools = (price: Price, zeroForOne: boolean, worth: bigint): Map<Address, Pool> =>
  new Map(
    [...poolsOf(price)].map(([address, pool]) => {
      const held = 'liquidity' in pool ? pool.liquidity : pool.reserve0
      const amount = toAmount(held / worth + 1n)
      return [address, swapExactInput(pool, zeroForOne, amount)?.next ?? pool]
    }),
  )

test('after other trades, either the minimum arrives and leftovers go to their recipient, or all reverts', () => {
  const met = { executed: 0, reverted: 0, leftover: 0 }
  const moved = fc.tuple(prices, fc.boolean(), fc.bigInt(3n, 100_000n))
  fc.assert(
    fc.property(moved, contexts, ([price, zeroForOne, worth], context) => {
      const { order, origin, currencyIn, currencyOut } = price
      let model: Model
      try {
        model = execute(price, context, movedPools(price, zeroForOne, worth))
      } catch (error) {
        if (!(error instanceof RevertError)) throw error
        met.reverted++
        return
      }
      met.executed++
      const arrived =
        price.execution === 'user' ? outputOf(model, price) : (model.deposits[0]?.amount ?? 0n)
      const promised = price.execution === 'user' ? currencyOut : origin.output
      expect(arrived).toBeGreaterThanOrEqual(promised.minimumAmount)
      if (order.tradeType !== 'EXACT_INPUT') expect(arrived).toBeLessThanOrEqual(promised.amount)
      const holding = new Set(holders(model))
      expect(holding).not.toContain(contracts.router)
      if (order.tradeType !== 'EXACT_INPUT' && origin.route !== undefined) {
        const givesToSolver =
          price.execution === 'user' &&
          order.tradeType === 'EXACT_OUTPUT' &&
          order.enableTrueExactOutput
        expect(holding.has(solver) && !givesToSolver).toBe(false)
        const isForRecipient =
          price.execution === 'user' && order.tradeType === 'EXACT_OUTPUT' && !givesToSolver
        expect(holding.has(order.refundTo) && (givesToSolver || isForRecipient)).toBe(false)
        const input = currencyIn.currency.address
        const swept = input === nativeAddress ? wrappedOn(price) : input
        if (
          [solver, order.refundTo, order.recipient].some(
            (who) => model.balance(evmAddress(who), evmAddress(swept)) > 0n,
          )
        )
          met.leftover++
      }
    }),
    { numRuns: runs(1_000, 150) },
  )
  expect(Math.min(met.executed, met.reverted, met.leftover)).toBeGreaterThan(3)
})
