/** @import { Price, PriceInput } from '#src/page/api/answers.ts' */
import { useEffect, useState } from 'preact/hooks'
import { askRefusal } from '#src/page/api/requests.js'

/**
 * The reason why a quote for `input` would be refused although it has a price. Undefined if it would not, or while
 * `isAsked` is false. Read again when the price changes.
 * @param {PriceInput | undefined} input
 * @param {Price | undefined} price
 * @param {boolean} isAsked
 */
export function useRefusal(input, price, isAsked) {
  const [known, setKnown] = useState(/** @type {{ key: string, words?: string }} */ ({ key: '' }))
  const key = JSON.stringify(input)
  // The key stands for the input, which is new at each rendering.
  useEffect(() => {
    if (input === undefined || !isAsked) return
    let isNewest = true
    void askRefusal(input).then((words) => {
      if (isNewest) setKnown({ key, ...(words !== undefined && { words }) })
    })
    return () => {
      isNewest = false
    }
  }, [key, price, isAsked])
  return isAsked && known.key === key ? known.words : undefined
}
