/** @import { PriceInput } from '#src/page/api/answers.ts' */
/** @import { Loss } from '#src/page/amounts/loss.js' */
import { useState } from 'preact/hooks'
import { isCovered } from '#src/page/amounts/loss.js'

/**
 * Whether the user has accepted the loss of this very order. `isGiven` also without a loss to accept.
 * @param {PriceInput | undefined} input
 * @param {Loss | undefined} loss
 */
export function useConsent(input, loss) {
  const [accepted, setAccepted] = useState({ key: '', percent: 0 })
  const key = JSON.stringify(input) ?? ''
  const percent = accepted.key === key ? accepted.percent : 0
  return {
    isGiven: loss === undefined || isCovered(loss, percent),
    give: (/** @type {boolean} */ isAccepted) =>
      setAccepted({ key, percent: isAccepted ? (loss?.percent ?? 0) : 0 }),
  }
}
