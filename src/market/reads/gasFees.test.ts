import fc from 'fast-check'
import { type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FeeBlock } from '#src/chains/chainEvent.ts'
import { startTestChain, type TestChain } from '#test/support/chains/testChain.ts'
import {
  createBaseFees,
  createGasFees,
  eip1559,
  l1DataFeeReads,
  priorityFeeOf,
  provingBlocks,
  toL1DataFee,
} from './gasFees.ts'

describe('gas fees', () => {
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

  const callsAfter = ({ asked }: Awaited<ReturnType<typeof followFees>>, from: number) =>
    asked.filter((at) => at >= from).length

  test('asks for the fees of each block until the base fee can be computed, then of every second one', async () => {
    const followed = await followFees(provingBlocks + 40, 2_000)
    expect(followed.asked.slice(0, provingBlocks)).toEqual(
      Array.from({ length: provingBlocks }, (_, at) => at),
    )
    expect(callsAfter(followed, provingBlocks)).toBe(20)
    // The tips are those that were asked for last.
    const [last] = followed.asked.slice(-1)
    expect(followed.fees.at(-1)?.priorityFeePerGas).toBe(10n ** 9n + BigInt(last ?? 0))
  })

  test('asks once a second if blocks are faster', async () => {
    expect(callsAfter(await followFees(provingBlocks + 40, 250), provingBlocks)).toBe(10)
  })

  test('does not keep old tips while timestamps do not advance', async () => {
    expect(callsAfter(await followFees(provingBlocks + 40, 0), provingBlocks)).toBe(4)
  })

  test('asks in each block if the chain has another formula', async () => {
    expect(callsAfter(await followFees(provingBlocks + 40, 2_000, 7n), 0)).toBe(provingBlocks + 40)
  })

  describe('base fee', () => {
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

    test('stops predicting after one wrong prediction', () => {
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
      expect(
        fees.after({ ...block, baseFeePerGas: null, gas: { used: 1n, limit } }),
      ).toBeUndefined()
    })

    let chain: TestChain
    beforeAll(async () => {
      chain = await startTestChain()
    })
    afterAll(() => chain.stop())

    test('computes what anvil charges', async () => {
      const { anvil } = chain
      for (const topics of [0, 1, 3, 0, 40]) {
        await chain.emit(
          ...Array.from({ length: topics }, (_, at) => numberToHex(at, { size: 32 })),
        )
        const { gasUsed: used, gasLimit, baseFeePerGas } = await anvil.getBlock()
        await anvil.mine({ blocks: 1 })
        const after = (await anvil.getBlock()).baseFeePerGas
        expect(eip1559(2n, 8n)(baseFeePerGas ?? 0n, { used, limit: gasLimit })).toBe(after)
      }
    })
  })
})

test('reads only what the model needs', () => {
  expect(l1DataFeeReads('none')).toEqual({ oracle: [], arbitrum: [] })
  expect(l1DataFeeReads('opStack').oracle).toHaveLength(4)
  expect(l1DataFeeReads('arbitrum').arbitrum).toHaveLength(1)
})

test('takes the second price of ArbGasInfo', () => {
  const prices = [1n, 2n, 3n, 4n, 5n, 6n]
  expect(toL1DataFee('arbitrum', { oracle: [], arbitrum: [prices] })).toEqual({
    model: 'arbitrum',
    perL1CalldataByte: 2n,
  })
})

test('takes the oracle fields in their order', () => {
  expect(toL1DataFee('opStack', { oracle: [1n, 2n, 3, 4], arbitrum: [] })).toEqual({
    model: 'opStack',
    l1BaseFee: 1n,
    blobBaseFee: 2n,
    baseFeeScalar: 3n,
    blobBaseFeeScalar: 4n,
  })
})

test('returns undefined if an answer is missing', () => {
  expect(toL1DataFee('none', { oracle: [], arbitrum: [] })).toEqual({ model: 'none' })
  expect(toL1DataFee('opStack', { oracle: [1n, 2n, 3, undefined], arbitrum: [] })).toBeUndefined()
  expect(toL1DataFee('arbitrum', { oracle: [], arbitrum: [undefined] })).toBeUndefined()
})
