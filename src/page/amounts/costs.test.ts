import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Price } from '#src/page/api/answers.ts'
import { formatMicros, toMicros } from './amounts.js'
import { costsOf } from './costs.js'

const usd = (micros: bigint): string => {
  const digits = (micros < 0n ? -micros : micros).toString().padStart(7, '0')
  return `${micros < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
}
const amount = (micros: bigint) => ({
  amount: `${micros}`,
  minimumAmount: `${(micros * 99n) / 100n}`,
  amountUsd: usd(micros),
  amountFormatted: '1',
  currency: { symbol: 'USDC' },
})
const micros = (max: bigint) => fc.bigInt({ min: 0n, max })

it('shows parts whose sum is the headline, to the last digit', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }),
      micros(10n ** 4n),
      micros(10n ** 7n),
      micros(10n ** 8n),
      (lost, gas, service, app) => {
        const price = {
          details: {
            currencyOut: amount(10n ** 9n),
            totalImpact: { usd: usd(-lost), percent: '-1' },
          },
          fees: {
            gas: amount(1n),
            relayerGas: amount(gas),
            relayerService: amount(service),
            app: amount(app),
          },
        } as unknown as Price
        const { total, parts, gains, tolerance } = costsOf(price)
        const shown = (each: readonly { micros: bigint }[]) =>
          each.reduce(
            (sum, part) => sum + toMicros(formatMicros(part.micros).slice(1).replaceAll(',', '')),
            0n,
          )
        expect(shown(parts) - shown(gains)).toBe(total)
        expect(lost - total < 10_000n && total - lost < 10_000n).toBe(true)
        expect(tolerance).toEqual({ micros: 10_000_000n, percent: '1' })
      },
    ),
  )
})
