import type { ChainMarket } from '#src/core/pricing/market.ts'

export type FinalityTracker = Readonly<{
  finalize: (height: bigint) => void
  /** The finality at a head of this height. */
  at: (head: bigint) => ChainMarket['finality']
}>

/**
 * Measures in blocks how long blocks take to become final. Finality may advance by many blocks at once: the oldest
 * block of the last advance waited longest, and counts. Without a final block the result is the configured depth.
 */
export function createFinalityTracker({
  finalityDepth,
}: Readonly<{ finalityDepth: number }>): FinalityTracker {
  let height: bigint | undefined
  let head: bigint | undefined
  let lastAdvance = 0n

  return {
    finalize: (final) => {
      // The first final block does not show how long it took.
      if (height !== undefined && head !== undefined) lastAdvance = head - height - 1n
      height = final
    },
    at: (now) => {
      head = now
      if (height === undefined) return { height, blocks: finalityDepth }
      const pending = now - height
      return { height, blocks: Number(pending > lastAdvance ? pending : lastAdvance) }
    },
  }
}

const maxFinalityPause = 16n

/**
 * The number of blocks after which the market reads finality again: an eighth of the pending blocks, at most 16, and at
 * least the larger of 2 and the number of blocks per second.
 */
export function finalityPauseOf({
  blockSeconds,
}: Readonly<{ blockSeconds: number }>): (pending: bigint) => bigint {
  const minPause = Math.min(Math.max(Math.ceil(1 / blockSeconds), 2), Number(maxFinalityPause))
  return (pending) => {
    const part = pending / 8n
    if (part < minPause) return BigInt(minPause)
    return part < maxFinalityPause ? part : maxFinalityPause
  }
}
