import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Price, PriceInput, Quote } from '#src/page/api/answers.ts'
import { takeAgreedQuote } from '#src/page/state/agreedQuote.js'

type Amounts = Readonly<{ paid: bigint; output: bigint }>

/** The details of an answer with a tolerance in basis points, which the gateway rounds down. */
const detailsOf = ({ paid, output }: Amounts, bps: bigint) => ({
  currencyIn: { amount: `${paid}` },
  currencyOut: { amount: `${output}`, minimumAmount: `${output - (output * bps) / 10_000n}` },
})

const input = { tradeType: 'EXACT_INPUT' } as PriceInput
const automaticBps = 100n

/** The quote that is agreed to, if the amounts of each quote differ from those that were shown. */
async function agreed(shown: Amounts, atQuotes: readonly Amounts[]) {
  const inputs: PriceInput[] = []
  const price = { details: detailsOf(shown, automaticBps) } as Price
  const outcome = takeAgreedQuote(input, price, async (each) => {
    const amounts = atQuotes[inputs.length] ?? shown
    inputs.push(each)
    const bps = BigInt(each.slippageTolerance ?? automaticBps)
    return { details: detailsOf(amounts, bps) } as Quote
  })
  return { quote: await outcome.catch((error: Error) => error), inputs }
}

it('never has a minimum below the one that was shown, and asks for a percent more at most', async () => {
  const amount = fc.bigInt({ min: 1n, max: 10n ** 30n })
  const change = fc.integer({ min: 9_700, max: 10_300 })
  let found = 0
  await fc.assert(
    fc.asyncProperty(
      amount,
      amount,
      fc.array(change, { minLength: 2, maxLength: 2 }),
      async (paid, output, changes) => {
        const atQuotes = changes.map((each) => ({
          paid: (paid * BigInt(each)) / 10_000n,
          output: (output * BigInt(each)) / 10_000n + 1n,
        }))
        const { quote } = await agreed({ paid, output }, atQuotes)
        if (quote instanceof Error) {
          expect(quote.message).toMatch(/moved below the minimum/)
          return
        }
        found += 1
        const { currencyIn, currencyOut } = quote.details
        const least = BigInt(detailsOf({ paid, output }, automaticBps).currencyOut.minimumAmount)
        expect(BigInt(currencyOut.minimumAmount)).toBeGreaterThanOrEqual(least)
        expect(BigInt(currencyIn.amount) * 100n).toBeLessThanOrEqual(paid * 101n)
      },
    ),
  )
  expect(found).toBeGreaterThan(10)
})

it('takes a second quote with a smaller tolerance after a small fall, and none after a large one', async () => {
  const shown = { paid: 10n ** 18n, output: 1_000_000n }
  const small = await agreed(shown, [
    { ...shown, output: 995_000n },
    { ...shown, output: 995_000n },
  ])
  expect(small.inputs).toEqual([input, { ...input, slippageTolerance: '50' }])
  expect(small.quote).toMatchObject({ details: { currencyOut: { minimumAmount: '990025' } } })
  const large = await agreed(shown, [{ ...shown, output: 989_999n }])
  expect([large.inputs.length, large.quote]).toEqual([1, expect.any(Error)])
  const risen = await agreed(shown, [{ ...shown, output: 1_000_001n }])
  expect([risen.inputs.length, risen.quote]).toEqual([
    1,
    expect.objectContaining({ details: expect.anything() }),
  ])
})
