/** Confirms a refusal only after it has lasted for some blocks: it may no longer hold on the next block. */
type BlockDebounce = Readonly<{
  /**
   * Whether `key` was first reported at least `blocks` blocks before `block`. The first call reports it. While too many
   * other keys are active, a new one waits for its turn.
   */
  hasLasted: (key: string, block: bigint, blocks: bigint) => boolean
  forget: (key: string) => void
}>

/** Bounds the memory. Far more than are ever active at once without an attack. */
const maxKeys = 10_000
/** A key that was not reported for so many blocks is no longer active. Longer than a turn of all requests takes. */
const staleBlocks = 1_000n

/** Heights of the first and of the last report. */
type Reports = Readonly<{ first: bigint; last: bigint }>

export function createBlockDebounce(): BlockDebounce {
  /** By the last report, oldest first. */
  const reports = new Map<string, Reports>()

  /**
   * Never makes room for a key by forgetting an active one: that one would never last, and of more active keys than
   * there is room for none would.
   */
  function hasRoom(block: bigint): boolean {
    if (reports.size < maxKeys) return true
    const [oldest] = reports
    if (oldest === undefined || block - oldest[1].last < staleBlocks) return false
    return reports.delete(oldest[0])
  }

  return {
    hasLasted(key, block, blocks) {
      const known = reports.get(key)
      if (known === undefined) {
        if (hasRoom(block)) reports.set(key, { first: block, last: block })
        return false
      }
      reports.delete(key)
      reports.set(key, { ...known, last: block })
      return block >= known.first + blocks
    },
    forget: (key) => void reports.delete(key),
  }
}
