/** @import { Currency } from '#src/page/api/answers.ts' */
import { useEffect, useState } from 'preact/hooks'
import { readSupportsPermit } from '#src/page/api/currencies.js'

/**
 * Whether signatures alone can pay with a currency. False until the gateway knows: it is asked again at each new block
 * of the chain (`head`).
 * @param {Currency} currency
 * @param {number | undefined} head
 */
export function useSupportsPermit(currency, head) {
  const [known, setKnown] = useState(/** @type {Readonly<Record<string, boolean>>} */ ({}))
  const key = `${currency.chainId}:${currency.address}`
  const attempt = known[key] === undefined ? head : undefined
  useEffect(() => {
    if (known[key] !== undefined) return
    void readSupportsPermit(currency).then((supports) => {
      if (supports !== undefined) setKnown((all) => ({ ...all, [key]: supports }))
    })
  }, [key, attempt])
  return known[key] ?? false
}
