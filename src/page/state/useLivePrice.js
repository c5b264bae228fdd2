/** @import { ErrorData, Price, PriceInput } from '#src/page/api/answers.ts' */
/** @import { CurvePoint } from '#src/page/api/priceCurve.js' */
import { useEffect, useRef, useState } from 'preact/hooks'
import { followPrice } from '#src/page/api/livePrice.js'
import { askCurve } from '#src/page/api/priceCurve.js'
import { wordsOf } from '#src/page/state/failureWords.js'

/**
 * A live price. `isOld` while the price belongs to an earlier input, or to the time before the connection broke. With a `failure` there is currently no price.
 * @typedef {Readonly<{ price?: Price, failure?: string, data?: ErrorData | undefined, isOld: boolean }>} LivePrice
 */

/**
 * The price of `input`, now and after each block that changes it. Old while the gateway is not connected.
 * @param {PriceInput | undefined} input
 * @param {boolean} isConnected
 * @returns {LivePrice}
 */
export function useLivePrice(input, isConnected) {
  const [live, setLive] = useState(
    /** @type {LivePrice & { key?: string | undefined }} */ ({ isOld: true }),
  )
  const key = JSON.stringify(input)
  // The key stands for the input, which is new at each rendering.
  useEffect(() => {
    if (input === undefined) return setLive({ isOld: true })
    setLive(({ price }) => ({ ...(price && { price }), isOld: true }))
    return followPrice(input, {
      onPrice: (price) => setLive({ key, price, isOld: false }),
      onFailure: (error) =>
        setLive({ key, failure: wordsOf(error), data: error.data, isOld: false }),
    })
  }, [key])
  useEffect(() => {
    if (!isConnected) setLive((last) => ({ ...last, isOld: true }))
  }, [isConnected])
  // Effects run after the page was drawn: what it draws before them is old as well.
  return { ...live, isOld: live.isOld || live.key !== key || !isConnected }
}

/**
 * The curve of the price impact around the amount of `input`. Read again when the price changes, but one read at a
 * time. Undefined until there is a curve for an input that differs from `input` at most in the amount.
 * @param {PriceInput | undefined} input
 * @param {LivePrice} live
 * @returns {readonly CurvePoint[] | undefined}
 */
export function useCurve(input, { price, isOld }) {
  const [curve, setCurve] = useState(
    /** @type {{ order: string, points: readonly CurvePoint[] } | undefined} */ (undefined),
  )
  const reading = useRef(/** @type {string | undefined} */ (undefined))
  const key = JSON.stringify(input)
  const order = JSON.stringify({ ...input, amount: undefined })
  const shown = useRef(key)
  shown.current = key
  useEffect(() => {
    if (input === undefined || price === undefined || isOld || reading.current === key) return
    reading.current = key
    void askCurve(input)
      .then((points) => shown.current === key && setCurve({ order, points }))
      // The next price asks again.
      .catch(() => {})
      .finally(() => {
        if (reading.current === key) reading.current = undefined
      })
  }, [input, key, order, price, isOld])
  return curve?.order === order ? curve.points : undefined
}

/**
 * `value` once it has not changed for `ms` milliseconds.
 * @template Value
 * @param {Value} value
 * @param {number} ms
 * @returns {Value}
 */
export function useDebounced(value, ms) {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return debounced
}
