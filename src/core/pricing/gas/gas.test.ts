import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gasLimitFor, type L1DataFee, transactionCost } from './gas.ts'

const market = (l1DataFee: L1DataFee) => ({
  vmType: 'evm' as const,
  baseFeePerGas: 7_000_000_000n,
  priorityFeePerGas: 1_000_000_000n,
  l1DataFee,
})

const opStack: L1DataFee = {
  model: 'opStack',
  l1BaseFee: 8_000_000_000n,
  blobBaseFee: 1n,
  baseFeeScalar: 1368n,
  blobBaseFeeScalar: 810_949n,
}

describe('transactionCost', () => {
  it('is gas times base fee plus priority fee without a data fee', () => {
    const cost = transactionCost(market({ model: 'none' }), { gas: 21_000n, bytes: 1_000_000n })
    expect(cost).toBe(21_000n * 8_000_000_000n)
  })

  it('adds the Arbitrum fee per byte', () => {
    const arbitrum = market({ model: 'arbitrum', perL1CalldataByte: 300n })
    expect(transactionCost(arbitrum, { gas: 0n, bytes: 200n })).toBe(60_000n)
  })

  it('charges small transactions on the OP stack for 100 bytes', () => {
    const cost = (bytes: bigint) => transactionCost(market(opStack), { gas: 0n, bytes })
    expect(cost(0n)).toBe(cost(100n))
    // 100e6 × (16 × 1368 × 8e9 + 810949) ÷ 1e12, rounded up.
    expect(cost(0n)).toBe(17_510_400_082n)
  })

  it('never falls with more bytes', () => {
    const sizes = fc.bigInt(0n, 200_000n)
    fc.assert(
      fc.property(sizes, sizes, (bytes, more) => {
        const cost = (size: bigint) => transactionCost(market(opStack), { gas: 0n, bytes: size })
        expect(cost(bytes + more)).toBeGreaterThanOrEqual(cost(bytes))
      }),
    )
  })
})

it('a gas limit has a margin up to the maximum gas of a transaction', () => {
  expect([0n, 101n, 10_000_000n].map((gas) => gasLimitFor(gas, 50n))).toEqual([
    0n,
    151n,
    15_000_000n,
  ])
  expect(gasLimitFor(14_000_000n, 20n)).toBe(2n ** 24n)
  // There is no margin if the gas alone is more: the limit shows why nodes refuse it.
  expect(gasLimitFor(20_000_000n, 20n)).toBe(20_000_000n)
})
