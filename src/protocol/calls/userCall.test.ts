import fc from 'fast-check'
import { encodeFunctionData, type Hex, parseAbi, toFunctionSelector } from 'viem'
import { expect, it } from 'vitest'
import { staticCalldata } from './plainCall.ts'

const hexOf = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((drawn): Hex => `0x${Buffer.from(drawn).toString('hex')}`)

it('equals the calldata that viem encodes', () => {
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
