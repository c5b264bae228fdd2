import fc from 'fast-check'
import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { provingBlocks } from './baseFee.ts'
import { createGasFees, priorityFeeOf } from './gasFees.ts'

const gwei = 10n ** 9n

test('the priority fee is the median tip', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt(0n, 100n * gwei), { minLength: 1 }), (tips) => {
      const tip = priorityFeeOf(tips.map((each) => [each]))
      expect(tips.filter((each) => each <= tip).length).toBeGreaterThanOrEqual(tips.length / 2)
      if (tip > 1_000_000n)
        expect(tips.filter((each) => each >= tip).length).toBeGreaterThanOrEqual(
          Math.floor(tips.length / 2),
        )
    }),
  )
})

test('the priority fee has a minimum', () => {
  expect(priorityFeeOf([])).toBe(1_000_000n)
  expect(priorityFeeOf([[], [0n], [5n]])).toBe(1_000_000n)
  expect(priorityFeeOf([[2n * gwei], [0n], [3n * gwei]])).toBe(2n * gwei)
})

/** A chain with empty blocks, whose base fee falls by an eighth each. */
async function followFees(count: number, millisecondsPerBlock: number, drop = 8n) {
  const asked: number[] = []
  let baseFeePerGas = 10n ** 15n
  const read = createGasFees({
    getGasPrice: async () => 0n,
    getFeeHistory: async ({ blockNumber = 0n }) => {
      asked.push(Number(blockNumber))
      const tip = 10n ** 9n + blockNumber
      return {
        oldestBlock: blockNumber,
        gasUsedRatio: [0],
        reward: [[tip]],
        baseFeePerGas: [baseFeePerGas, baseFeePerGas - baseFeePerGas / drop],
      }
    },
  })
  const fees: Awaited<ReturnType<typeof read>>[] = []
  const expected: bigint[] = []
  for (let at = 0; at < count; at += 1) {
    fees.push(
      await read({
        number: BigInt(at),
        baseFeePerGas,
        gas: { used: 0n, limit: 30_000_000n },
        hash: numberToHex(at + 1, { size: 32 }),
        parentHash: numberToHex(at, { size: 32 }),
        timestamp: BigInt(Math.floor((at * millisecondsPerBlock) / 1000)),
      }),
    )
    baseFeePerGas -= baseFeePerGas / drop
    expected.push(baseFeePerGas)
  }
  expect(fees.map((each) => each.baseFeePerGas)).toEqual(expected)
  return { asked, fees }
}

const after = ({ asked }: Awaited<ReturnType<typeof followFees>>, from: number) =>
  asked.filter((at) => at >= from).length

test('asks for the fees of each block until the base fee can be computed, then of every second one', async () => {
  const followed = await followFees(provingBlocks + 40, 2_000)
  expect(followed.asked.slice(0, provingBlocks)).toEqual(
    Array.from({ length: provingBlocks }, (_, at) => at),
  )
  expect(after(followed, provingBlocks)).toBe(20)
  // The tips are those that were asked for last.
  const [last] = followed.asked.slice(-1)
  expect(followed.fees.at(-1)?.priorityFeePerGas).toBe(10n ** 9n + BigInt(last ?? 0))
})

test('asks once a second if blocks are faster', async () => {
  expect(after(await followFees(provingBlocks + 40, 250), provingBlocks)).toBe(10)
})

test('does not keep old tips while timestamps do not advance', async () => {
  expect(after(await followFees(provingBlocks + 40, 0), provingBlocks)).toBe(4)
})

test('asks in each block if the chain has another formula', async () => {
  expect(after(await followFees(provingBlocks + 40, 2_000, 7n), 0)).toBe(provingBlocks + 40)
})
