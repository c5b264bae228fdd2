import fc from 'fast-check'
import { encodeFunctionData, type Hex, parseAbi, toFunctionSelector } from 'viem'
import { expect, it } from 'vitest'
import { buildSteps } from '#src/protocol/steps/buildSteps.ts'
import { contexts, prices } from '#test/support/arbitraries/executionArbitrary.ts'
import { bytes } from '#test/support/arbitraries/valueArbitrary.ts'
import { requestIdsIn, staticCalldata } from './userCall.ts'

const hexOf = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((drawn): Hex => `0x${Buffer.from(drawn).toString('hex')}`)

it('staticCalldata encodes as viem does', () => {
  const abi = parseAbi(['function pay(address, uint256, bytes32)'])
  const selector = toFunctionSelector(abi[0])
  fc.assert(
    fc.property(
      hexOf(20),
      fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.constant(0n)),
      hexOf(32),
      (payee, amount, id) => {
        expect(staticCalldata(selector, [payee, amount, id])).toBe(
          encodeFunctionData({ abi, args: [payee, amount, id] }),
        )
      },
    ),
  )
})

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

it('finds a bounded number of request ids in any calldata', () => {
  const many = Array.from(
    { length: 1_000 },
    (_, at) => `d0e30db0${at.toString().padStart(64, '0')}`,
  )
  expect(requestIdsIn(`0x${many.join('')}`)).toHaveLength(16)
})
