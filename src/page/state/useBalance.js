/** @import { Currency, RequestSummary } from '#src/page/api/answers.ts' */
import { useEffect, useState } from 'preact/hooks'
import { readBalance } from '#src/page/api/currencies.js'
import { listRequests } from '#src/page/api/requests.js'
import { wordsOf } from '#src/page/state/failureWords.js'

/**
 * The balance of a currency in the smallest unit. Undefined without an account, and until a node reports it. Read again
 * when `seq` of the followed request changes, when the gateway is connected again, and when the page comes into view.
 * Until a node reports it, also read again at each new block (`head`).
 * @param {Currency} currency
 * @param {string | undefined} user
 * @param {number | undefined} seq
 * @param {number | undefined} head
 * @param {boolean} isConnected
 */
export function useBalance(currency, user, seq, head, isConnected) {
  const [known, setKnown] = useState(/** @type {{ key: string, balance?: bigint }} */ ({ key: '' }))
  const key = `${currency.chainId}:${currency.address}:${user}`
  const attempt = known.key === key && known.balance !== undefined ? undefined : head
  const visits = useVisits()
  // The key stands for the currency, which is new at each rendering.
  useEffect(() => {
    if (user === undefined || !isConnected) return
    let isNewest = true
    void readBalance(currency, user).then((balance) => {
      if (isNewest) setKnown({ key, ...(balance !== undefined && { balance }) })
    })
    return () => {
      isNewest = false
    }
  }, [key, seq, attempt, isConnected, visits])
  return known.key === key ? known.balance : undefined
}

/** How often the page has come into view: its user may have paid or received money elsewhere. */
function useVisits() {
  const [visits, setVisits] = useState(0)
  useEffect(() => {
    const count = () => {
      if (!document.hidden) setVisits((before) => before + 1)
    }
    document.addEventListener('visibilitychange', count)
    return () => document.removeEventListener('visibilitychange', count)
  }, [])
  return visits
}

/**
 * The newest requests of an account. Read again when `status`, the status of the followed request, changes, and when
 * the gateway is connected again.
 * @param {string | undefined} user
 * @param {string | undefined} status
 * @param {boolean} isConnected
 */
export function useHistory(user, status, isConnected) {
  const [history, setHistory] = useState(
    /** @type {{ requests: readonly RequestSummary[], failure?: string }} */ ({ requests: [] }),
  )
  // The effect depends on `status` only to read again.
  useEffect(() => {
    if (!isConnected) return
    if (user === undefined) return setHistory({ requests: [] })
    let isNewest = true
    listRequests(user)
      .then((requests) => isNewest && setHistory({ requests }))
      .catch((error) => isNewest && setHistory({ requests: [], failure: wordsOf(error) }))
    return () => {
      isNewest = false
    }
  }, [user, status, isConnected])
  return history
}
