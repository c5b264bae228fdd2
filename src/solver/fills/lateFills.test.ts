import { decodeFunctionData } from 'viem'
import { describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { evmGas, gasPriceOf } from '#src/core/pricing/gas/gas.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { toBps } from '#src/core/units/bps.ts'
import { approvalProxy } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import { destinationChain, market } from '#test/support/fixtures/markets.ts'
import { callOf, depositFor, fillCaseOf, requestOf } from '#test/support/orders/fillCase.ts'
import { attempt, example, withChain } from '#test/support/orders/orders.ts'
import { depositFault } from './payoutBudget.ts'
import { type FillPlan, planFill } from './planFill.ts'

const week = 7 * 86_400

const requestWith = (change: Partial<Order>) => {
  const price = attempt({ ...example(), ...change })
  if (price instanceof AppError) throw price
  return requestOf(price)
}

const tolerating = (bps: bigint, change: Partial<Order> = {}) =>
  requestWith({ latePaymentBps: toBps(bps), ...change })

const { gas } = market.chains.get(destinationChain) ?? {}
if (gas === undefined) throw new Error('The fixture has no destination chain')

/** The market after gas has risen by this share of its price. */
const withHigherGas = (bps: bigint) => {
  const more = (gasPriceOf(gas) * bps) / 10_000n
  return withChain(destinationChain, {
    gas: { ...evmGas(gas), priorityFeePerGas: evmGas(gas).priorityFeePerGas + more },
  })
}

/** The plan of a fill whose deposit came this long after the deadline. */
function planOf(request: ReturnType<typeof requestOf>, on = market, lateSeconds = 60): FillPlan {
  const timestamp = request.deadline + lateSeconds
  return planFill(
    fillCaseOf(request, [depositFor(request, { timestamp })], on, { now: timestamp + 10 }),
  )
}

const fillOf = (plan: FillPlan) => {
  if (plan.kind !== 'fill') throw new Error(`No fill: ${JSON.stringify(plan)}`)
  return plan
}

/** The minimum that the fill pays the recipient, from its calldata. */
const minimumOf = (plan: FillPlan, request: ReturnType<typeof requestOf>): bigint => {
  const { data } = callOf(fillOf(plan), request)
  const { args } = decodeFunctionData({ abi: approvalProxy.abi, data })
  const text = JSON.stringify(args, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
  const [, minimum] = /"callData":"0x[0-9a-f]{8}[0-9a-f]{128}([0-9a-f]{64})/.exec(text) ?? []
  if (minimum === undefined) throw new Error('The fill pays nobody')
  return BigInt(`0x${minimum}`)
}

describe('a deposit after the deadline', () => {
  const faultAt = (request: ReturnType<typeof requestOf>, late: number, waited = 10) => {
    const timestamp = request.deadline + late
    const deposit = depositFor(request, { timestamp })
    return depositFault(request, [deposit], { forcesRefunds: false, now: timestamp + waited })
  }

  it('is refunded unless the quote has a tolerance', () => {
    expect(faultAt(requestWith({}), 1)).toBe('ORDER_EXPIRED')
    expect(faultAt(tolerating(0n), 1)).toBeUndefined()
  })

  it('is a late payment for a week, and is filled within a week', () => {
    const request = tolerating(100n)
    expect(faultAt(request, week)).toBeUndefined()
    expect(faultAt(request, week + 1)).toBe('ORDER_EXPIRED')
    expect(faultAt(request, 60, week)).toBeUndefined()
    expect(faultAt(request, 60, week + 1)).toBe('ORDER_EXPIRED')
  })

  it('does not change the time at which a deposit in time is filled', () => {
    const request = tolerating(100n)
    const now = request.deadline + 1
    const inTime = [depositFor(request)]
    expect(depositFault(request, inTime, { forcesRefunds: false, now })).toBe('ORDER_EXPIRED')
  })

  it('is filled like one in time if gas costs no more', () => {
    const request = tolerating(0n)
    const inTime = planFill(fillCaseOf(request, [depositFor(request)], market))
    expect(fillOf(planOf(request))).toEqual(fillOf(inTime))
  })
})

describe('gas of a late fill', () => {
  it('is refused above the tolerance', () => {
    expect(planOf(tolerating(0n), withHigherGas(500n))).toEqual({
      kind: 'refund',
      reason: 'ORDER_EXPIRED',
    })
    expect(planOf(tolerating(400n), withHigherGas(500n)).kind).toBe('refund')
    expect(planOf(tolerating(600n), withHigherGas(500n)).kind).toBe('fill')
  })

  it.each<[string, Partial<Order>]>([
    ['an exact input', {}],
    ['an expected output', { tradeType: 'EXPECTED_OUTPUT' }],
  ])('comes out of the output of %s, and not out of the fee of the solver', (_, change) => {
    const request = tolerating(10_000n, change)
    const onTime = fillOf(planOf(request)).leg.amountIn
    const higher = withHigherGas(5_000n)
    const late = fillOf(planOf(request, higher))
    // USDC on both chains; ether costs 3,000 dollars.
    const costOf = (on: typeof market) =>
      (late.gas * gasPriceOf(on.chains.get(destinationChain)?.gas ?? gas) * 3000n) / 10n ** 12n
    const rise = costOf(higher) - costOf(market)
    expect(rise).toBeGreaterThan(100n)
    expect(Number(onTime - late.leg.amountIn - rise)).toBeCloseTo(0, -1)
    expect(onTime - late.leg.amountIn).toBeGreaterThanOrEqual(rise)
  })

  it('lowers an exact output by the same share, and no more', () => {
    const request = tolerating(10_000n, { tradeType: 'EXACT_OUTPUT' })
    // The quote of a promised output reserves half more.
    const plan = fillOf(planOf(request, withHigherGas(6_000n)))
    expect(plan.leg.amountOut).toBeLessThan(request.amountOut)
    expect(plan.leg.amountOut).toBeGreaterThan((request.amountOut * 999n) / 1000n)
    expect(minimumOf(plan, request)).toBeLessThanOrEqual(plan.leg.amountOut)
    expect(fillOf(planOf(request, withHigherGas(4_000n))).leg.amountOut).toBeGreaterThanOrEqual(
      request.amountOut,
    )
  })

  it('is paid by the sponsor up to the amount that the sponsor has agreed to', () => {
    const request = tolerating(0n, { sponsorship: {} })
    expect(fillOf(planOf(request, withHigherGas(2_000n))).leg).toEqual(fillOf(planOf(request)).leg)
    expect(planOf(request, withHigherGas(90_000n)).kind).toBe('refund')
  })
})
