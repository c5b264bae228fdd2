/** @import { Price, PriceInput, Quote } from '#src/page/api/answers.ts' */

/** How much more than the shown price a quote may ask for, in percent. */
const maxRisePercent = 1n
const wholeBps = 10_000n

/**
 * Takes a quote that promises the recipient at least the minimum of the price that was shown. Where the price has
 * moved, a second quote is taken with a smaller tolerance, so that its minimum is the one shown.
 * @param {PriceInput} input
 * @param {Price} shown what the user has agreed to.
 * @param {(input: PriceInput) => Promise<Quote>} takeQuote
 * @throws {Error} if the price has moved too far.
 */
export async function takeAgreedQuote(input, shown, takeQuote) {
  const quote = await takeQuote(input)
  const tolerance = toleranceFor(quote, shown)
  if (!asksForMore(quote, shown) && tolerance === undefined) return quote
  if (tolerance !== undefined && tolerance >= 0n) {
    const tighter = await takeQuote({ ...input, slippageTolerance: `${tolerance}` })
    if (!asksForMore(tighter, shown) && toleranceFor(tighter, shown) === undefined) return tighter
  }
  throw new Error('The price has just moved below the minimum shown. Look again, then swap.')
}

/**
 * The tolerance in basis points, rounded down, with which the output of a quote has the minimum that was shown.
 * Negative: the output is below that minimum. Undefined: the quote promises enough as it is.
 * @param {Pick<Quote, 'details'>} quote
 * @param {Price} shown
 */
function toleranceFor({ details: { currencyOut } }, { details }) {
  const [amount, minimum] = [BigInt(currencyOut.amount), BigInt(details.currencyOut.minimumAmount)]
  if (BigInt(currencyOut.minimumAmount) >= minimum) return undefined
  return amount < minimum ? -1n : ((amount - minimum) * wholeBps) / amount
}

/**
 * @param {Pick<Quote, 'details'>} quote
 * @param {Price} shown
 */
const asksForMore = ({ details: { currencyIn } }, { details }) =>
  BigInt(currencyIn.amount) * 100n > BigInt(details.currencyIn.amount) * (100n + maxRisePercent)
