/** @import { Books } from '#src/page/operator/books.ts' */
import { useEffect, useState } from 'preact/hooks'

/** Time between two reads. */
const readEveryMs = 15_000

/** For the session of this tab only: it is gone once the tab is closed. */
const storageKey = 'crossquote.operatorKey'

const days = 14

/**
 * The books, read again every 15 seconds while there is a key. A refused key is forgotten.
 * `readAt`: milliseconds since 1970.
 */
export function useBooks() {
  const [key, setKey] = useState(() => sessionStorage.getItem(storageKey) ?? '')
  const [seen, setSeen] = useState(
    /** @type {{ books?: Books, readAt?: number, failure?: string }} */ ({}),
  )
  const forget = (/** @type {string} */ failure = '') => {
    sessionStorage.removeItem(storageKey)
    setKey('')
    setSeen(failure === '' ? {} : { failure })
  }
  useEffect(() => {
    if (key === '') return undefined
    const ending = new AbortController()
    let timer = 0
    const read = async () => {
      try {
        const response = await fetch(`/operator/books?days=${days}`, {
          headers: { 'x-api-key': key },
          signal: ending.signal,
        })
        const body = await response.json()
        if (response.status === 401 || response.status === 403) return forget(body.message)
        if (!response.ok) throw new Error(body.message)
        sessionStorage.setItem(storageKey, key)
        setSeen({ books: body, readAt: Date.now() })
      } catch (error) {
        if (ending.signal.aborted) return undefined
        // The last books stay, with their time.
        setSeen((last) => ({ ...last, failure: wordsOf(error) }))
      }
      timer = setTimeout(read, readEveryMs)
      return undefined
    }
    void read()
    return () => {
      ending.abort()
      clearTimeout(timer)
    }
  }, [key])
  return { key, ...seen, enter: setKey, forget: () => forget() }
}

/** @param {unknown} error */
const wordsOf = (error) =>
  error instanceof Error && error.message !== '' ? error.message : 'The gateway does not answer.'
