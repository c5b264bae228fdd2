/** @import { Price, PriceInput } from '#src/page/api/answers.ts' */
import { priceDocument } from '#src/page/api/documents.js'
import { ask } from '#src/page/api/gatewayClient.js'

const intervalMs = 1_000

/**
 * Follows the price of an input: at once, then whenever a block changes it. A failure, such as no route at the
 * moment, is not the end. Returns a function that stops.
 * @param {PriceInput} input
 * @param {Readonly<{ onPrice: (price: Price) => void, onFailure: (error: Error) => void }>} listener
 * @returns {() => void}
 */
export function followPrice(input, { onPrice, onFailure }) {
  const stopped = new AbortController()
  const look = async () => {
    try {
      onPrice((await ask(priceDocument, { input }, stopped.signal)).price)
    } catch (error) {
      if (!stopped.signal.aborted && error instanceof Error) onFailure(error)
    }
    if (!stopped.signal.aborted) setTimeout(look, intervalMs)
  }
  void look()
  return () => stopped.abort()
}
