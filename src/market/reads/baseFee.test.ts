import fc from 'fast-check'
import { type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FeeBlock } from '#src/chains/chainEvent.ts'
import { startTestChain, type TestChain } from '#test/support/chains/testChain.ts'
import { createBaseFees, eip1559, provingBlocks } from './baseFee.ts'

const hashOf = (at: number): Hex => numberToHex(at + 1, { size: 32 })
const limit = 30_000_000n

/** Blocks whose base fees follow from those of their parents. @param used gas of each */
function chainOf(
  next: (baseFee: bigint, gas: NonNullable<FeeBlock['gas']>) => bigint,
  used: readonly bigint[],
  first = 10n ** 9n,
): readonly FeeBlock[] {
  let baseFeePerGas = first
  return used.map((each, at) => {
    const gas = { used: each, limit }
    const block = { hash: hashOf(at), parentHash: hashOf(at - 1), baseFeePerGas, gas }
    baseFeePerGas = next(baseFeePerGas, gas)
    return block
  })
}

const usage = (count: number) =>
  fc.array(fc.bigInt(0n, limit), { minLength: count, maxLength: count })
const parameters = fc.constantFrom<readonly [bigint, bigint]>([2n, 8n], [6n, 250n], [2n, 64n])

test('trusts a formula after it was right for a number of consecutive blocks', () => {
  fc.assert(
    fc.property(parameters, usage(provingBlocks + 2), (given, used) => {
      const blocks = chainOf(eip1559(...given), used)
      const fees = createBaseFees()
      for (const [at, block] of blocks.slice(0, -1).entries()) {
        fees.learn(block)
        fees.learn(block)
        const known = fees.after(block)
        if (at < provingBlocks) expect(known).toBeUndefined()
        else expect(known).toBe(blocks[at + 1]?.baseFeePerGas)
      }
    }),
  )
})

test('one wrong block ends the trust', () => {
  fc.assert(
    fc.property(usage(2 * provingBlocks + 2), fc.bigInt(1n, 10n ** 6n), (used, error) => {
      const fees = createBaseFees()
      const blocks = chainOf(eip1559(2n, 8n), used)
      for (const block of blocks.slice(0, provingBlocks + 1)) fees.learn(block)
      const wrong = blocks[provingBlocks + 1] as FeeBlock
      const block = { ...wrong, baseFeePerGas: (wrong.baseFeePerGas ?? 0n) + error }
      fees.learn(block)
      expect(fees.after(block)).toBeUndefined()
    }),
  )
})

test('blocks that are no children of each other prove nothing', () => {
  const fees = createBaseFees()
  const blocks = chainOf(eip1559(2n, 8n), Array(2 * provingBlocks).fill(0n))
  const [first] = blocks
  if (first === undefined) throw new Error('No block')
  for (const block of blocks) fees.learn({ ...block, parentHash: hashOf(10_000) })
  expect(fees.after(first)).toBeUndefined()
})

test('a block without a fee or without its gas is computed from nothing', () => {
  const fees = createBaseFees()
  for (const block of chainOf((fee) => fee, Array(provingBlocks + 1).fill(0n), 0n))
    fees.learn(block)
  const block = { hash: hashOf(0), parentHash: hashOf(0), baseFeePerGas: 5n, gas: null }
  expect(fees.after(block)).toBeUndefined()
  expect(fees.after({ ...block, baseFeePerGas: null, gas: { used: 1n, limit } })).toBeUndefined()
})

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.stop())

test('computes what anvil charges', async () => {
  const { anvil } = chain
  for (const topics of [0, 1, 3, 0, 40]) {
    await chain.emit(...Array.from({ length: topics }, (_, at) => numberToHex(at, { size: 32 })))
    const { gasUsed: used, gasLimit, baseFeePerGas } = await anvil.getBlock()
    await anvil.mine({ blocks: 1 })
    const after = (await anvil.getBlock()).baseFeePerGas
    expect(eip1559(2n, 8n)(baseFeePerGas ?? 0n, { used, limit: gasLimit })).toBe(after)
  }
})
