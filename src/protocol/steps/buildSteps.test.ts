import fc from 'fast-check'
import { decodeFunctionData, erc20Abi } from 'viem'
import { expect, test } from 'vitest'
import { isNative } from '#src/core/units/currency.ts'
import type { Step } from '#src/protocol/step.ts'
import { contexts, contracts, prices } from '#test/support/arbitraries/executionArbitrary.ts'
import { depositoryAbi, readRun } from '#test/support/models/routerModel.ts'
import { runs } from '#test/support/runs.ts'
import { requiredAllowance } from './allowance.ts'
import { buildSteps } from './buildSteps.ts'

const mainOf = (steps: readonly Step[]): Step => {
  const main = steps.at(-1)
  if (main === undefined) throw new Error('No steps')
  return main
}

test('one main step with one item follows an optional approval, and only the last item has a check', () => {
  fc.assert(
    fc.property(prices, contexts, (price, context) => {
      const steps = buildSteps(price, context)
      const main = mainOf(steps)
      const endpoint = `/intents/status/v3?requestId=${context.requestId}`
      expect(main.items.map(({ check }) => check)).toEqual([{ endpoint, method: 'GET' }])
      const approvals = steps.slice(0, -1)
      expect(approvals.map(({ id }) => id)).toEqual(approvals.length === 0 ? [] : ['approve'])
      expect(approvals.flatMap(({ items }) => items).some((item) => 'check' in item)).toBe(false)
      const items = steps.flatMap((step) => step.items)
      expect(items.map(({ data }) => data.isFirst)).toEqual(items.map((_, place) => place === 0))
      expect(steps.every(({ requestId }) => requestId === context.requestId)).toBe(true)
      const id = price.operation === 'send' ? 'send' : 'swap'
      expect(main.id).toBe(price.execution === 'solver' ? 'deposit' : id)
      expect(main.depositAddress).toBe(price.execution === 'solver' ? '' : undefined)
    }),
  )
})

test('transactions come from the user, on the origin chain, at the gas price of the market', () => {
  fc.assert(
    fc.property(prices, contexts, (price, context) => {
      const { baseFeePerGas, priorityFeePerGas } = context.gas
      const items = buildSteps(price, context).flatMap((step) => step.items)
      for (const { data } of items)
        expect(data).toMatchObject({
          from: price.order.user,
          chainId: price.currencyIn.currency.chainId,
          maxFeePerGas: 2n * baseFeePerGas + priorityFeePerGas,
          maxPriorityFeePerGas: priorityFeePerGas,
        })
      const { currency, amount } = price.currencyIn
      const values = items.map(({ data }) => data.value)
      expect(values.slice(0, -1).every((value) => value === 0n)).toBe(true)
      expect(values.at(-1)).toBe(isNative(currency.address) ? amount : 0n)
    }),
  )
})

/** Current minus required allowance; undefined for a random allowance. */
const around = fc.constantFrom(-1n, 0n, 1n, undefined)

test('an approval appears if the allowance is too small, for the exact amount that the main step spends', () => {
  const met = { approved: 0, reset: 0, enough: 0 }
  fc.assert(
    fc.property(prices, contexts, around, (price, drawn, offset) => {
      const needed = requiredAllowance(price, contracts)
      const near = (needed?.amount ?? 0n) + (offset ?? 0n)
      const context = { ...drawn, allowance: offset === undefined ? drawn.allowance : near }
      const steps = buildSteps(price, context)
      const taken = takenBy(mainOf(steps))
      expect(needed && { spender: needed.spender, amount: needed.amount }).toEqual(taken)
      if (needed !== undefined) expect(needed.currency).toBe(price.currencyIn.currency)
      const approvals = steps.slice(0, -1).flatMap(({ items }) =>
        items.map(({ data }) => {
          expect(data.to).toBe(price.currencyIn.currency.address)
          const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: data.data })
          return { functionName, args: [`${args?.[0]}`.toLowerCase(), args?.[1]] }
        }),
      )
      const approve = (amount?: bigint) => ({
        functionName: 'approve',
        args: [taken?.spender, amount],
      })
      if (taken === undefined || context.allowance >= taken.amount) {
        met.enough++
        expect(approvals).toEqual([])
      } else if (context.resetsAllowance && context.allowance > 0n) {
        met.reset++
        expect(approvals).toEqual([approve(0n), approve(taken.amount)])
      } else {
        met.approved++
        expect(approvals).toEqual([approve(taken.amount)])
      }
    }),
    { numRuns: runs(1_000, 400) },
  )
  expect(Math.min(met.approved, met.reset, met.enough)).toBeGreaterThan(3)
})

/** The amount that a step's transaction makes one of our contracts pull from the sender. */
function takenBy({ items }: Step) {
  const data = items.at(-1)?.data
  if (data?.to === contracts.approvalProxy) {
    const { tokens, amounts } = readRun(data.data)
    expect(tokens).toHaveLength(1)
    return { spender: contracts.approvalProxy, amount: amounts[0] ?? 0n }
  }
  if (data?.to !== contracts.depository || data.data.length === 66) return undefined
  const { functionName, args } = decodeFunctionData({
    abi: depositoryAbi,
    data: data.data,
  })
  return functionName === 'depositErc20'
    ? { spender: contracts.depository, amount: args[2] }
    : undefined
}
