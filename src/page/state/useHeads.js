/** @import { Chain } from '#src/page/api/answers.ts' */
import { useEffect, useState } from 'preact/hooks'
import { followHead } from '#src/page/api/livePrice.js'

/**
 * The number of the newest block of each chain, by chain id, live.
 * @typedef {Readonly<Record<number, number>>} Heads
 */

/**
 * @param {readonly Chain[]} chains
 * @returns {Heads}
 */
export function useHeads(chains) {
  const [heads, setHeads] = useState(/** @type {Heads} */ ({}))
  useEffect(() => {
    const stops = chains.map(({ chainId }) =>
      followHead(chainId, (block) => setHeads((all) => ({ ...all, [chainId]: block }))),
    )
    return () => {
      for (const stop of stops) stop()
    }
  }, [chains])
  return heads
}
