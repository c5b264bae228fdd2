/** Confirms a refusal only after it has lasted for some blocks: it may no longer hold on the next block. */
type BlockDebounce = Readonly<{
  /**
   * Whether `key` was first reported at least `blocks` blocks before `block`. The first call reports it. While
   * `maxKeys` other keys are active, a new key is not recorded.
   */
  hasLasted: (key: string, block: bigint, blocks: bigint) => boolean
  forget: (key: string) => void
}>

/** Bounds the memory. Without an attack, far fewer keys are active at once. */
const maxKeys = 10_000
/** A key that was not reported for this many blocks is stale. One rotation through all requests takes fewer. */
const staleBlocks = 1_000n

/** Heights of the first and of the last report. */
type Reports = Readonly<{ first: bigint; last: bigint }>

export function createBlockDebounce(): BlockDebounce {
  /** In order of the last report, oldest first. */
  const reports = new Map<string, Reports>()

  /**
   * Evicts stale keys only. If active keys were evicted, none of more than `maxKeys` active keys would last long
   * enough.
   */
  function hasCapacity(block: bigint): boolean {
    if (reports.size < maxKeys) return true
    const [oldest] = reports
    if (oldest === undefined || block - oldest[1].last < staleBlocks) return false
    return reports.delete(oldest[0])
  }

  return {
    hasLasted(key, block, blocks) {
      const known = reports.get(key)
      if (known === undefined) {
        if (hasCapacity(block)) reports.set(key, { first: block, last: block })
        return false
      }
      reports.delete(key)
      reports.set(key, { ...known, last: block })
      return block >= known.first + blocks
    },
    forget: (key) => void reports.delete(key),
  }
}
