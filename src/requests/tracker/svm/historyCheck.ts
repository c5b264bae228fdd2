import type { HistoryEntry } from '#src/chains/svm/svmAnswers.ts'
import type { SvmEndpoint } from '#src/chains/svm/svmClient.ts'
import type { Log } from '#src/config/log.ts'
import { ignoreFailure } from '#src/core/errors.ts'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import type { SvmSignature } from '#src/core/units/svm/signature.ts'

type Deps = Readonly<{
  endpoints: readonly Pick<SvmEndpoint, 'getHistory' | 'rpc'>[]
  log: Log
  /** Unix time in milliseconds. */
  now: () => number
}>

/**
 * Asks every endpoint for the history of an account: one alone could leave transactions out, by mistake or on purpose.
 */
export type HistoryCheck = Readonly<{
  /** Tells that the tracker has read these. */
  add: (entries: readonly HistoryEntry[]) => void
  /**
   * The transactions up to the final slot `until` that an endpoint lists and that were not read, if a check is due.
   * They may not exist. Never throws.
   */
  findUnread: (until: bigint) => Promise<readonly HistoryEntry[]>
}>

const intervalMs = 10_000
/** Slots before the first head that the first check covers, about ten minutes: an earlier process may not have checked. */
const firstSlots = 1_500n
/** Slots that a check covers at most, about an hour: an endpoint may have been away. */
const maxSlots = 9_000n
/** An endpoint that invents transactions makes us read so many in each check. */
const maxUnread = 25

export function createHistoryCheck(
  { endpoints, log, now }: Deps,
  { account, chainId }: Readonly<{ account: Pubkey; chainId: number }>,
): HistoryCheck {
  const read = new Map<SvmSignature, bigint>()
  /** The slot from which each endpoint is asked next. */
  const starts = new Map<string, bigint>()
  let checkedAt = Number.NEGATIVE_INFINITY
  /** What the last check found, and whether it left some for the next one. */
  let last: readonly HistoryEntry[] = []
  let hasMore = false

  /** The rest of a backlog does not wait, unless nothing of it exists. */
  const isDue = () =>
    now() - checkedAt >= intervalMs ||
    (hasMore && last.some(({ signature }) => read.has(signature)))

  function startOf({ rpc }: Deps['endpoints'][number], until: bigint): bigint {
    const start = starts.get(rpc) ?? until - firstSlots
    const isRecent = start > until - maxSlots
    const recent = isRecent ? start : until - maxSlots
    return recent > 0n ? recent : 0n
  }

  async function ask(endpoint: Deps['endpoints'][number], until: bigint) {
    const slot = startOf(endpoint, until)
    const entries = await endpoint.getHistory(account, { slot }, until).catch(ignoreFailure)
    if (entries === undefined) return []
    const unread = entries.filter((each) => each.slot <= until && !read.has(each.signature))
    const isAll = unread.length <= maxUnread
    starts.set(endpoint.rpc, isAll ? until : slot)
    hasMore ||= !isAll
    return unread.slice(0, maxUnread)
  }

  return {
    add: (entries) => {
      // One endpoint has nobody to disagree with.
      if (endpoints.length > 1) for (const { signature, slot } of entries) read.set(signature, slot)
    },
    findUnread: async (until) => {
      if (endpoints.length < 2 || !isDue()) return []
      checkedAt = now()
      hasMore = false
      const found = (await Promise.all(endpoints.map((each) => ask(each, until)))).flat()
      const unread = [...new Map(found.map((each) => [each.signature, each])).values()]
      const count = unread.length
      if (count > 0) log.debug({ chainId, count }, 'Reads transactions that an endpoint lists')
      const next = endpoints.map((each) => startOf(each, until))
      for (const [signature, slot] of read)
        if (next.every((start) => slot < start)) read.delete(signature)
      last = unread
      return unread
    },
  }
}
