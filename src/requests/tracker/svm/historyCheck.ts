import type { HistoryEntry } from '#src/chains/svm/svmAnswers.ts'
import type { SvmEndpoint } from '#src/chains/svm/svmClient.ts'
import type { Log } from '#src/config/log.ts'
import { AppError } from '#src/core/errors.ts'
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

  async function ask(endpoint: Deps['endpoints'][number], until: bigint) {
    const first = until > firstSlots ? until - firstSlots : 0n
    const slot = starts.get(endpoint.rpc) ?? first
    const entries = await endpoint.getHistory(account, { slot }, until).catch(ignoreFailure)
    if (entries === undefined) return []
    const unread = entries.filter((each) => each.slot <= until && !read.has(each.signature))
    if (unread.length <= maxUnread) starts.set(endpoint.rpc, until)
    return unread.slice(0, maxUnread)
  }

  return {
    add: (entries) => {
      // One endpoint has nobody to disagree with.
      if (endpoints.length > 1) for (const { signature, slot } of entries) read.set(signature, slot)
    },
    findUnread: async (until) => {
      if (endpoints.length < 2 || now() - checkedAt < intervalMs) return []
      checkedAt = now()
      const found = (await Promise.all(endpoints.map((each) => ask(each, until)))).flat()
      const unread = [...new Map(found.map((each) => [each.signature, each])).values()]
      if (unread.length > 0)
        log.info(
          { chainId, count: unread.length },
          'Reads transactions that not all endpoints list',
        )
      const [oldest = until] = [...starts.values()].sort((one, other) => Number(one - other))
      for (const [signature, slot] of read) if (slot < oldest) read.delete(signature)
      return unread
    },
  }
}

function ignoreFailure(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error
}
