import fc from 'fast-check'
import { type Hex, hexToBytes, numberToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '#test/support/chains/testChain.ts'
import { runs } from '#test/support/runs.ts'
import { bloomOf, covers, fillOf, mayContain } from './bloom.ts'

const item = (length: number): fc.Arbitrary<Hex> =>
  fc
    .bigInt(0n, (1n << BigInt(8 * length)) - 1n)
    .map((value) => numberToHex(value, { size: length }))
const logs = fc.array(
  fc.record({ address: item(20), topics: fc.array(item(32), { maxLength: 4 }) }),
  { maxLength: 30 },
)

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.stop())

test('equals the bloom filter of a block with these logs', async () => {
  const topics = fc.array(item(32), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(topics, async (emitted) => {
      await chain.emit(...emitted)
      const { hash, logsBloom } = await chain.anvil.getBlock()
      const real = await chain.anvil.getLogs({ blockHash: hash })
      expect(real).toHaveLength(emitted.length)
      expect(bloomOf(real)).toEqual(hexToBytes(logsBloom))
    }),
    { numRuns: runs(20) },
  )
})

test('contains each of its items, and covers the filter of any subset of its logs', () => {
  fc.assert(
    fc.property(logs, logs, (some, more) => {
      const bloom = bloomOf([...some, ...more])
      for (const { address, topics } of some)
        for (const each of [address, ...topics]) expect(mayContain(bloom, each)).toBe(true)
      expect(covers(bloom, bloomOf(some))).toBe(true)
      expect(covers(bloomOf(some), bloom)).toBe(fillOf(bloom) === fillOf(bloomOf(some)))
    }),
  )
})

test('fillOf is the share of bits that are set', () => {
  expect(fillOf(bloomOf([]))).toBe(0)
  expect(fillOf(new Uint8Array(256).fill(0xff))).toBe(1)
  expect(fillOf(new Uint8Array(256).fill(0x11))).toBe(0.25)
})
