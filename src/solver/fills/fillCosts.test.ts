import { expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { toBps } from '#src/core/units/bps.ts'
import { market } from '#test/support/fixtures/markets.ts'
import { depositFor, fillCaseOf, requestOf } from '#test/support/orders/fillCase.ts'
import { attempt, example } from '#test/support/orders/orders.ts'
import { planFill } from './planFill.ts'

it('charges the gas of a simulation if it exceeds the estimate', () => {
  const price = attempt({ ...example(), slippageTolerance: toBps(1000n) })
  if (price instanceof AppError) throw price
  const request = requestOf(price)
  const plan = (simulatedGas?: bigint) => {
    const planned = planFill(fillCaseOf(request, [depositFor(request)], market, { simulatedGas }))
    if (planned.kind !== 'fill') throw new Error(planned.kind)
    return planned
  }
  const usual = plan()
  expect(plan(usual.gas - 1n)).toEqual(usual)
  const { leg, gas, maxGas } = plan(usual.gas + 100_000n)
  expect([gas, maxGas]).toEqual([usual.gas + 100_000n, usual.maxGas])
  // 100,000 gas at 1.1 gwei, and 3,000 dollars for ether; the solver's fee of two cents bears its part.
  expect(usual.leg.amountIn - leg.amountIn).toBe(310_000n)
})
