/** What is turned down once may work on the next block: only when it was so for a while does it count. */
type SecondLook = Readonly<{
  /** Whether it was turned down `blocks` blocks ago already. */
  confirms: (key: string, block: bigint, blocks: bigint) => boolean
  forget: (key: string) => void
}>

/** Far more than are ever under way at once. */
const mostRemembered = 10_000

export function createSecondLook(): SecondLook {
  const firstLooks = new Map<string, bigint>()
  return {
    confirms(key, block, blocks) {
      const first = firstLooks.get(key)
      if (first !== undefined) return block >= first + blocks
      const [oldest] = firstLooks.keys()
      if (firstLooks.size >= mostRemembered && oldest !== undefined) firstLooks.delete(oldest)
      firstLooks.set(key, block)
      return false
    },
    forget: (key) => void firstLooks.delete(key),
  }
}
