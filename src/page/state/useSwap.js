/** @import { Chain, Price, PriceInput, RequestStatus } from '#src/page/api/answers.ts' */
/** @import { Account } from '#src/page/accounts/provider.js' */
import { useEffect, useRef, useState } from 'preact/hooks'
import { executeQuote } from '#src/page/accounts/executeQuote.js'
import { followRequest, takeQuote } from '#src/page/api/requests.js'
import { takeAgreedQuote } from '#src/page/state/agreedQuote.js'
import { wordsOf } from '#src/page/state/failureWords.js'

/**
 * The swap in progress. `phase` is what happens now: nothing, the quote is being taken, the wallet
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
      const quote = await takeAgreedQuote(input, shown, takeQuote)
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
        for (const check of waiting.current) check(next)
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
        const check = (/** @type {RequestStatus} */ next) => {
          if (!holds(next)) return
          waiting.current.delete(check)
          resolve(next)
        }
        waiting.current.add(check)
        if (newest.current !== undefined) check(newest.current)
      }),
  }
}
