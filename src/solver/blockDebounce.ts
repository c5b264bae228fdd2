/** Confirms a refusal only after it has lasted for some blocks: it may no longer hold on the next block. */
type BlockDebounce = Readonly<{
  /** Whether `key` was first reported at least `blocks` blocks before `block`. The first call reports it. */
  hasLasted: (key: string, block: bigint, blocks: bigint) => boolean
  forget: (key: string) => void
}>

/** Bounds the memory. Far more than are ever active at once. */
const maxKeys = 10_000

export function createBlockDebounce(): BlockDebounce {
  const firstReports = new Map<string, bigint>()
  return {
    hasLasted(key, block, blocks) {
      const first = firstReports.get(key)
      if (first !== undefined) return block >= first + blocks
      const [oldest] = firstReports.keys()
      if (firstReports.size >= maxKeys && oldest !== undefined) firstReports.delete(oldest)
      firstReports.set(key, block)
      return false
    },
    forget: (key) => void firstReports.delete(key),
  }
}
