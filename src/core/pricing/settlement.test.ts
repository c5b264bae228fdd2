import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { currencyOf, originChain } from '#test/support/fixtures/markets.ts'
import { withChain } from '#test/support/orders/orders.ts'
import type { SettlementState } from './market.ts'
import { checkSettlement, settlementFault } from './settlement.ts'

const usdc = currencyOf(originChain, 'USDC')
const units = (whole: bigint) => toAmount(whole * 10n ** BigInt(usdc.decimals))

const stateOf = (limit: bigint, unsettled: bigint): SettlementState => ({
  outflowLimits: new Map([[usdc.address, toAmount(limit)]]),
  unsettled: new Map([[usdc.address, toAmount(unsettled)]]),
})

it('takes a deposit if and only if it is within the limit, and a day of settlements pays it with the others', () => {
  const amount = fc.bigInt(0n, 10n ** 12n)
  fc.assert(
    fc.property(amount, amount, amount, amount, (limit, unsettled, deposit, added) => {
      const fault = settlementFault(stateOf(limit, unsettled), usdc.address, deposit, added)
      const isWithin = deposit <= limit && unsettled + added + deposit <= 24n * limit
      expect(fault === undefined).toBe(isWithin)
    }),
  )
})

it('takes nothing of a currency without a limit, or of a depository that does not pay', () => {
  const without: SettlementState = { outflowLimits: new Map(), unsettled: new Map() }
  expect(settlementFault(without, usdc.address, 1n)).toEqual({ kind: 'aboveLimit', limit: 0n })
  const paused: SettlementState = { ...stateOf(100n, 0n), stopped: 'paused' }
  expect(settlementFault(paused, usdc.address, 1n)).toEqual({ kind: 'stopped', cause: 'paused' })
})

it('names the numbers of a refusal', () => {
  const refusal = (settlement: SettlementState, deposit: bigint) => {
    const market = withChain(originChain, { settlement }).chains.get(originChain)
    if (market === undefined) throw new Error('No market')
    try {
      checkSettlement(market, usdc, units(deposit))
    } catch (error) {
      return error instanceof AppError ? `${error.code}: ${error.message}` : error
    }
    return undefined
  }
  const state = stateOf(units(250_000n), units(5_900_000n))
  expect([
    refusal(state, 100_000n),
    refusal(state, 260_000n),
    refusal(state, 150_000n),
    refusal({ ...state, stopped: 'notAPayee' }, 1n),
  ]).toMatchInlineSnapshot(`
    [
      undefined,
      "SOLVER_CAPACITY_EXCEEDED: The solver cannot take the deposit of 260000.0 USDC on chain 990001: the largest one is 250000.0 USDC.",
      "SOLVER_CAPACITY_EXCEEDED: The solver cannot take the deposit of 150000.0 USDC on chain 990001 at the moment: 5900000.0 USDC of at most 6000000.0 USDC wait for their settlement.",
      "SERVICE_UNAVAILABLE: The deposit of 1.0 USDC on chain 990001 cannot be settled at the moment: the solver is no payee of the depository.",
    ]
  `)
})
