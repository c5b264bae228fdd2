import fc from 'fast-check'
import type { Hex } from 'viem'
import { expect, it } from 'vitest'
import { buildSteps } from '#src/protocol/steps/buildSteps.ts'
import { contexts, prices } from '#test/support/arbitraries/executionArbitrary.ts'
import { bytes } from '#test/support/arbitraries/valueArbitrary.ts'
import { requestIdsIn } from './requestIds.ts'

const surroundings = fc.integer({ min: 0, max: 70 }).chain(bytes)

it('finds the request of every own swap with calldata, also inside a contract wallet’s', () => {
  fc.assert(
    fc.property(prices, contexts, surroundings, surroundings, (price, context, before, after) => {
      fc.pre(price.execution === 'user')
      const data = buildSteps(price, { ...context, orderId: undefined })
        .at(-1)
        ?.items.at(-1)?.data
      const call = data?.data ?? '0x'
      const inside: Hex = `${before}${call.slice(2)}${after.slice(2)}`
      for (const input of [call, inside])
        expect(requestIdsIn(input).includes(context.requestId)).toBe(call !== '0x')
    }),
  )
})

it('finds few of many ids', () => {
  const many = Array.from(
    { length: 1_000 },
    (_, at) => `d0e30db0${at.toString().padStart(64, '0')}`,
  )
  expect(requestIdsIn(`0x${many.join('')}`)).toHaveLength(16)
})
