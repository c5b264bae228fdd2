import type { ChainConfig } from '#src/config.ts'
import type { ChainMarket } from '#src/pricing/market.ts'

type FinalityTracker = Readonly<{
  finalize: (height: bigint) => void
  /** The finality that the head at this height sees. */
  at: (head: bigint) => ChainMarket['finality']
}>

/**
 * Measures how long blocks take to become final. Finality may advance by many blocks at once: the oldest block of the
 * last advance had the most blocks on top. Without a final block it is the configured depth.
 */
export function createFinalityTracker({
  finalityDepth,
}: Pick<ChainConfig, 'finalityDepth'>): FinalityTracker {
  let height: bigint | undefined
  let head: bigint | undefined
  let lastAdvance = 0n

  return {
    finalize: (final) => {
      // The first final block says nothing of how long it took.
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
 * Blocks after which the market reads finality again, by the number of those that are not final: an eighth of them, at least
 * 2 and as many as come in a second, at most 16. The tracker reads it in each block.
 */
export function finalityPauseOf({
  blockSeconds,
}: Pick<ChainConfig, 'blockSeconds'>): (pending: bigint) => bigint {
  const least = Math.min(Math.max(Math.ceil(1 / blockSeconds), 2), Number(maxFinalityPause))
  return (pending) => {
    const part = pending / 8n
    if (part < least) return BigInt(least)
    return part < maxFinalityPause ? part : maxFinalityPause
  }
}
