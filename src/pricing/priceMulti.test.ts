import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '#src/errors.ts'
import { wideMarket } from '#test/fixtures/markets.ts'
import { multiOrders } from '#test/fixtures/multiOrders.ts'
import { priceMulti } from './priceMulti.ts'

describe('priceMulti', () => {
  it('prices', () => {
    const seen: Record<string, number> = {}
    fc.assert(
      fc.property(multiOrders(6), (order) => {
        try {
          const price = priceMulti(order, wideMarket)
          seen['ok'] = (seen['ok'] ?? 0) + 1
          const half = { ...order, output: (price.currencyOut.amount * 6n) / 10n }
          try {
            const exact = priceMulti(half as never, wideMarket)
            const key = `exact ${exact.fundings.length}/${order.origins.length}`
            seen[key] = (seen[key] ?? 0) + 1
            expect(exact.currencyOut.amount).toBe(half.output)
          } catch (error) {
            if (!(error instanceof AppError)) throw error
            const key = `exact ${error.code} ${error.message.slice(0, 120)}`
            seen[key] = (seen[key] ?? 0) + 1
          }
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          const key = `${error.code} ${error.message.slice(0, 120)}`
          seen[key] = (seen[key] ?? 0) + 1
        }
      }),
      { numRuns: 500 },
    )
  })
})
