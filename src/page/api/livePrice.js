/** @import { ErrorData, Price, PriceInput } from '#src/page/api/answers.ts' */
import { headDocument, livePriceDocument } from '#src/page/api/documents.js'
import { subscribe } from '#src/page/api/gatewayClient.js'

/**
 * Follows the price of an input: at once, then after each block that changes it. Continues after a failure, such as a
 * missing route. Returns a function that stops it.
 * @param {PriceInput} input
 * @param {Readonly<{ onPrice: (price: Price) => void, onFailure: (error: Error & { code?: string, data?: ErrorData }) => void }>} listener
 */
export const followPrice = (input, { onPrice, onFailure }) =>
  subscribe(
    livePriceDocument,
    { input },
    {
      onData: ({ price: { price, failure } }) =>
        price === null
          ? onFailure(Object.assign(new Error(failure.message), failure))
          : onPrice(price),
      onError: onFailure,
    },
  )

/**
 * Follows the number of the newest block of a chain. Returns a function that stops it.
 * @param {number} chainId
 * @param {(block: number) => void} onBlock
 */
export const followHead = (chainId, onBlock) =>
  subscribe(
    headDocument,
    { chainId },
    // The price subscription shows the error.
    { onData: ({ chainHead }) => onBlock(chainHead.number), onError: () => {} },
  )
