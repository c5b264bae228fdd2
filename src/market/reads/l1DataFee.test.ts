import { expect, test } from 'vitest'
import { l1DataFeeReads, toL1DataFee } from './l1DataFee.ts'

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
