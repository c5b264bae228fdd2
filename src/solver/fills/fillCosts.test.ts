import { expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { evmGas } from '#src/core/pricing/gas/gas.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { evmAddress } from '#src/core/units/address.ts'
import { toBps } from '#src/core/units/bps.ts'
import type { Step } from '#src/protocol/step.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { initialState } from '#src/requests/state/requestState.ts'
import { destinationChain, market } from '#test/support/fixtures/markets.ts'
import { depositFor, fillCaseOf, requestOf } from '#test/support/orders/fillCase.ts'
import { attempt, example, withChain } from '#test/support/orders/orders.ts'
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

it('charges the settlement of a plain transfer, which takes a transaction of its own, once', () => {
  const price = attempt({ ...example(), slippageTolerance: toBps(1000n) })
  if (price instanceof AppError) throw price
  const request = requestOf(price)
  const { record: _, ...transfer } = depositFor(request)
  const spent = (steps: readonly Step[], deposit: Deposit) => {
    const { status, inputStates } = request.state
    const state = { ...initialState({ ...request, steps }), status, inputStates }
    const plan = planFill(fillCaseOf({ ...request, steps, state }, [deposit], market))
    if (plan.kind !== 'fill') throw new Error(plan.kind)
    return plan.leg.amountIn
  }
  const recorded = spent([], depositFor(request))
  // 83,000 gas at 8.1 gwei, and 3,000 dollars for ether; the solver's fee of two cents bears its part.
  expect(recorded - spent([], transfer)).toBe(1_996_900n)
  // The quote has charged it.
  expect(spent([transferStep(transfer)], transfer)).toBe(recorded)
})

it('gives unused gas to recipients whose quotes charged more than the estimate: not for a tolerance of 0', () => {
  const usual = market.chains.get(destinationChain)
  if (usual === undefined) throw new Error('No destination')
  const gas = evmGas(usual.gas)
  const cheap = withChain(destinationChain, {
    gas: { ...gas, baseFeePerGas: gas.baseFeePerGas / 2n },
  })
  const gain = (change: Partial<Order>) => {
    const price = attempt({ ...example(), ...change })
    if (price instanceof AppError) throw price
    const request = requestOf(price)
    expect(request.minimumAmountOut).toBe(request.amountOut)
    const plan = planFill(fillCaseOf(request, [depositFor(request)], cheap))
    if (plan.kind !== 'fill') throw new Error(plan.kind)
    return plan.leg.amountOut - request.amountOut
  }
  expect(gain({ slippageTolerance: toBps(0n) })).toBe(0n)
  expect(gain({ tradeType: 'EXACT_OUTPUT' })).toBeGreaterThan(0n)
  expect(gain({ fixedRate: toBps(0n) })).toBeGreaterThan(0n)
})

/** The step of a quote that asks for a plain transfer. */
const transferStep = ({ depositor, currency, chainId }: Deposit): Step => ({
  id: 'deposit',
  action: '',
  description: '',
  kind: 'transaction',
  requestId: `0x${'a'.repeat(64)}`,
  items: [
    {
      status: 'incomplete',
      data: {
        from: evmAddress(depositor),
        to: evmAddress(currency),
        data: '0x',
        value: 0n,
        chainId,
        maxFeePerGas: 1n,
        maxPriorityFeePerGas: 1n,
        isFirst: true,
      },
    },
  ],
})
