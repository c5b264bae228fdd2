/** @import { Chain, Price, PriceInput, RequestStatus } from '#src/page/api/answers.ts' */
/** @import { Account } from '#src/page/accounts/provider.js' */
import { useEffect, useRef, useState } from 'preact/hooks'
import { executeQuote } from '#src/page/accounts/executeQuote.js'
import { followRequest, takeQuote } from '#src/page/api/requests.js'
import { wordsOf } from '#src/page/state/useAccounts.js'

/**
 * The swap in progress. `phase` tells what happens now: nothing, the quote is being taken, the wallet
 * asks for a signature, or the transactions are sent.
 * @typedef {Readonly<{ phase: 'idle' | 'quoting' | 'signing' | 'sending', failure?: string }>} Swap
 */

/**
 * Swaps, and follows one request.
 * @param {readonly Chain[]} chains
 */
export function useSwap(chains) {
  const [swap, setSwap] = useState(/** @type {Swap} */ ({ phase: 'idle' }))
  const [requestId, setRequestId] = useState(/** @type {string | undefined} */ (undefined))
  const { status, failure, statusWhere } = useRequest(requestId)

  const chainOf = (/** @type {number} */ chainId) => {
    const chain = chains.find((each) => each.chainId === chainId)
    if (chain === undefined) throw new Error(`The gateway does not know chain ${chainId}`)
    return chain
  }

  /**
   * @param {PriceInput} input
   * @param {Account} account
   * @param {Price} shown what the user has agreed to.
   */
  const start = async (input, account, shown) => {
    setSwap({ phase: 'quoting' })
    setRequestId(undefined)
    try {
      const quote = await takeQuote(input)
      if (isWorse(quote, shown))
        throw new Error('The price has just moved below the minimum shown. Look again, then swap.')
      setSwap({ phase: 'sending' })
      const onPhase = (/** @type {Swap['phase']} */ phase) => setSwap({ phase })
      const onSent = () => setRequestId(quote.requestId)
      await executeQuote(quote, account, { chainOf, statusWhere, onPhase, onSent })
      setSwap({ phase: 'idle' })
    } catch (error) {
      setSwap({ phase: 'idle', failure: wordsOf(error) })
    }
  }

  return { swap, start, status, failure, requestId, showRequest: setRequestId }
}

/**
 * Whether a quote pays less, or asks for more, than the price that the user saw had promised.
 * @param {Readonly<{ details: Pick<Price['details'], 'currencyIn' | 'currencyOut'> }>} quote
 * @param {Price} shown
 */
const isWorse = ({ details: { currencyOut, currencyIn } }, { details }) =>
  BigInt(currencyOut.amount) < BigInt(details.currencyOut.minimumAmount) ||
  BigInt(currencyIn.amount) * 100n > BigInt(details.currencyIn.amount) * 101n

/**
 * The status of a request, live.
 * @param {string | undefined} requestId
 */
function useRequest(requestId) {
  const [status, setStatus] = useState(/** @type {RequestStatus | undefined} */ (undefined))
  const [failure, setFailure] = useState(/** @type {string | undefined} */ (undefined))
  const newest = useRef(/** @type {RequestStatus | undefined} */ (undefined))
  const waiting = useRef(/** @type {Set<(status: RequestStatus) => void>} */ (new Set()))
  useEffect(() => {
    setStatus(undefined)
    setFailure(undefined)
    newest.current = undefined
    if (requestId === undefined) return
    return followRequest(requestId, {
      onStatus: (next) => {
        newest.current = next
        setStatus(next)
        for (const tell of waiting.current) tell(next)
      },
      onError: (error) => setFailure(wordsOf(error)),
    })
  }, [requestId])

  return {
    status,
    failure,
    /** @type {(holds: (status: RequestStatus) => boolean) => Promise<RequestStatus>} */
    statusWhere: (holds) =>
      new Promise((resolve) => {
        const tell = (/** @type {RequestStatus} */ next) => {
          if (!holds(next)) return
          waiting.current.delete(tell)
          resolve(next)
        }
        waiting.current.add(tell)
        if (newest.current !== undefined) tell(newest.current)
      }),
  }
}
