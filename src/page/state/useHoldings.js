/** @import { Currency, RequestSummary } from '#src/page/api/answers.ts' */
import { useEffect, useState } from 'preact/hooks'
import { readBalance } from '#src/page/api/currencies.js'
import { listRequests } from '#src/page/api/requests.js'
import { wordsOf } from '#src/page/state/useAccounts.js'

/**
 * The balance of a currency in the smallest unit; undefined while it is not known, and without an account. Read again
 * when `seq` of the followed request changes, and with each new block of its chain, `head`, while no node has reported it.
 * @param {Currency} currency
 * @param {string | undefined} user
 * @param {number | undefined} seq
 * @param {number | undefined} head
 */
export function useBalance(currency, user, seq, head) {
  const [held, setHeld] = useState(/** @type {{ key: string, balance?: bigint }} */ ({ key: '' }))
  const key = `${currency.chainId}:${currency.address}:${user}`
  const attempt = held.key === key && held.balance !== undefined ? undefined : head
  // The key says what of the currency matters.
  useEffect(() => {
    if (user === undefined) return
    let isNewest = true
    void readBalance(currency, user).then((balance) => {
      if (isNewest) setHeld({ key, ...(balance !== undefined && { balance }) })
    })
    return () => {
      isNewest = false
    }
  }, [key, seq, attempt])
  return held.key === key ? held.balance : undefined
}

/**
 * The newest requests of an account. Read again when `status`, that of the followed request, changes.
 * @param {string | undefined} user
 * @param {string | undefined} status
 */
export function useHistory(user, status) {
  const [history, setHistory] = useState(
    /** @type {{ requests: readonly RequestSummary[], failure?: string }} */ ({ requests: [] }),
  )
  // A change of the status is a reason to read again.
  useEffect(() => {
    if (user === undefined) return setHistory({ requests: [] })
    let isNewest = true
    listRequests(user)
      .then((requests) => isNewest && setHistory({ requests }))
      .catch((error) => isNewest && setHistory({ requests: [], failure: wordsOf(error) }))
    return () => {
      isNewest = false
    }
  }, [user, status])
  return history
}
