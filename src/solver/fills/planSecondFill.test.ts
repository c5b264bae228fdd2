import fc from 'fast-check'
import { decodeFunctionData, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { gasPriceOf } from '#src/core/pricing/gas/gas.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import { toUsd, usdValueDown } from '#src/core/units/usd.ts'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'
import { approvalProxy } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import { router } from '#src/protocol/contracts/artifacts/router.ts'
import { account, currencyOf, destinationChain, market } from '#test/support/fixtures/markets.ts'
import {
  callOf,
  depositFor,
  fillCaseOf,
  inputOf,
  requestOf,
} from '#test/support/orders/fillCase.ts'
import { anyOrders, attempt, example, priceOf } from '#test/support/orders/orders.ts'
import { runs } from '#test/support/runs.ts'
import { coversWei, topupOf } from './fillCosts.ts'
import { budgetOf } from './payoutBudget.ts'
import { planFill } from './planFill.ts'

const txs = [{ to: account('3'), data: '0x12', value: toAmount(0n) }] as const

const requestFor = (order: Order) => {
  const price = attempt(order)
  return price instanceof AppError || price.execution !== 'solver' ? undefined : requestOf(price)
}

const destination = market.chains.get(destinationChain)
if (destination === undefined) throw new Error('No destination')

const usdOf = (wei: Amount) => {
  const { native } = destination.chain
  return usdValueDown(wei, native.decimals, priceOf(destination, native.address))
}

/** The router’s functions that a fill calls, in order. */
function functionsOf(call: TransactionCall): readonly string[] {
  const { functionName, args } = decodeFunctionData({ abi: approvalProxy.abi, data: call.data })
  if (functionName !== 'fill') throw new Error(`A fill calls ${functionName}`)
  const [, , , calls] = args
  return calls.map(
    (each: { callData: Hex }) =>
      decodeFunctionData({ abi: router.abi, data: each.callData }).functionName,
  )
}

describe('a second fill, without the order’s calls', () => {
  it('pays at least the minimum, and the deposits bear the gas of both', () => {
    const kinds = new Map<string, number>()
    const cases = fc.record({
      order: anyOrders.map((order) => ({ ...order, txs })),
      /** Share of the ordered deposit, in thousandths. */
      deposited: fc.oneof(fc.constant(1000n), fc.bigInt(900n, 3000n)),
      revertedWei: fc.bigInt(0n, 10n ** 16n).map(toAmount),
    })
    fc.assert(
      fc.property(cases, ({ order, deposited, revertedWei }) => {
        const request = requestFor(order)
        if (request === undefined || request.destinationChainId !== destinationChain) return
        const amount = toAmount((inputOf(request).depositAmount * deposited) / 1000n)
        const deposits = [depositFor(request, { amount })]
        const plan = planFill(fillCaseOf(request, deposits, market, { revertedWei }))
        kinds.set(plan.kind, (kinds.get(plan.kind) ?? 0) + 1)
        if (plan.kind !== 'fill') return
        expect(functionsOf(callOf(plan, request, revertedWei))).not.toContain('execute')
        expect(plan.leg.amountOut).toBeGreaterThanOrEqual(request.minimumAmountOut)
        const budget = budgetOf(request, deposits, market)
        if (budget === undefined) throw new Error('There is no fill without a budget')
        const wei = toAmount(
          plan.gas * gasPriceOf(destination.gas) + topupOf(request, destination) + revertedWei,
        )
        const borne = budget.maxNetInput + budget.reserved - plan.leg.amountIn
        if (request.subsidizedUsd > 0n)
          expect(usdOf(wei)).toBeLessThanOrEqual(request.subsidizedUsd)
        else
          expect(coversWei(budget.payout, destination, { amount: toAmount(borne), wei })).toBe(true)
      }),
      { numRuns: runs(400, 200) },
    )
    expect([...kinds.keys()]).toEqual(expect.arrayContaining(['fill', 'refund']))
  })

  const order = { ...example(), txs, slippageTolerance: toBps(1000n) }
  const planOf = (change: Partial<Order>, revertedWei?: bigint) => {
    const request = requestFor({ ...order, ...change })
    if (request === undefined) throw new Error('No price')
    const reverted = revertedWei === undefined ? {} : { revertedWei: toAmount(revertedWei) }
    return planFill(fillCaseOf(request, [depositFor(request)], market, reverted))
  }
  const filled = (...args: Parameters<typeof planOf>) => {
    const plan = planOf(...args)
    if (plan.kind !== 'fill') throw new Error(plan.kind)
    return plan
  }
  /** The router’s functions of the same fill. */
  const calledBy = (...[change, revertedWei]: Parameters<typeof planOf>) => {
    const request = requestFor({ ...order, ...change })
    if (request === undefined) throw new Error('No price')
    const reverted = revertedWei === undefined ? undefined : toAmount(revertedWei)
    return functionsOf(callOf(filled(change, revertedWei), request, reverted))
  }
  /** A dollar of ether, at its price of 3,000 dollars. */
  const dollarOfWei = 10n ** 18n / 3000n

  it('lowers the output by the cost of the first one, rounded up', () => {
    expect(calledBy({})).toEqual(['execute'])
    const free = filled({}, 0n)
    expect(calledBy({}, 0n)).toEqual(['pay'])
    const { leg } = filled({}, 5n * dollarOfWei + 3000n)
    expect(free.leg.amountOut - leg.amountOut).toBe(5_000_001n)
  })

  it('needs the minimum output', () => {
    expect(planOf({}, 9n * dollarOfWei).kind).toBe('fill')
    expect(planOf({}, 11n * dollarOfWei)).toMatchObject({ kind: 'refund' })
  })

  it('takes the cost of an exact output from the gas that the quote reserved, never from the solver’s fee', () => {
    const exact = { tradeType: 'EXACT_OUTPUT', amount: toAmount(100_000_000n) } as const
    const request = requestFor({ ...order, ...exact })
    const spare = request === undefined ? 0n : filled(exact, 0n).leg.amountOut - request.amountOut
    expect(spare).toBeGreaterThan(0n)
    // Micro-dollars into wei, rounded down: the fill rounds the cost up.
    const weiOf = (micros: bigint) => (micros * dollarOfWei) / 10n ** 6n
    expect(filled(exact, weiOf(spare)).leg.amountOut).toBe(request?.amountOut)
    expect(planOf(exact, weiOf(spare + 1n))).toMatchObject({ kind: 'refund' })
  })

  it('is not sent for an output that is worth less than it can burn', () => {
    const amountOf = (cents: bigint) => ({ amount: toAmount(cents * 10_000n) })
    expect(planOf(amountOf(1000n), 0n).kind).toBe('fill')
    expect(planOf(amountOf(150n)).kind).toBe('fill')
    expect(planOf(amountOf(150n), 0n)).toMatchObject({ kind: 'refund' })
  })

  it('is borne by the sponsor’s fees, if they are enough', () => {
    const sponsored = { sponsorship: { maxUsd: toUsd(100_000_000n) } }
    const request = requestFor({ ...order, ...sponsored })
    const { leg } = filled(sponsored, 0n)
    expect(leg.amountOut).toBe(request?.amountOut)
    expect(filled(sponsored, dollarOfWei / 100n).leg).toEqual(leg)
    expect(planOf(sponsored, 100n * dollarOfWei)).toMatchObject({ kind: 'refund' })
  })

  it('pays in the currency of the order', () => {
    const swapped = { destination: currencyOf(destinationChain, 'LONG') }
    expect(calledBy(swapped, dollarOfWei)).toContain('swap')
  })
})
