import fc from 'fast-check'
import { expect, test } from 'vitest'
import { marketFees, raisedFees } from './estimateGas.ts'

const wei = fc.bigInt(0n, 10n ** 13n)

test('a replacement has both fees an eighth higher, and at least the market’s fees', () => {
  fc.assert(
    fc.property(wei, wei, wei, wei, (base, tip, baseFeePerGas, priorityFeePerGas) => {
      const last = { maxFeePerGas: base + tip, maxPriorityFeePerGas: tip }
      const market = marketFees({
        vmType: 'evm',
        baseFeePerGas,
        priorityFeePerGas,
        l1DataFee: { model: 'none' },
      })
      const raised = raisedFees(last, market)
      for (const fee of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const) {
        expect(8n * raised[fee]).toBeGreaterThanOrEqual(9n * last[fee])
        expect(raised[fee]).toBeGreaterThanOrEqual(market[fee])
      }
      expect(raised.maxFeePerGas).toBeGreaterThanOrEqual(raised.maxPriorityFeePerGas)
    }),
  )
})
