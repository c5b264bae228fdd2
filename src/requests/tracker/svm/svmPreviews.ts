import type { HistoryEntry } from '#src/chains/svm/svmAnswers.ts'
import type { SvmSignature } from '#src/core/units/svm/signature.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { hideDeposit, observeDeposit } from '#src/requests/tracker/decide/observeDeposits.ts'
import { createUnitOfWork } from '#src/requests/tracker/decide/unitOfWork.ts'
import type { ObservedDeposit } from '#src/requests/tracker/read/trackedLogs.ts'
import type { SvmTracked } from './depositoryEvents.ts'
import type { SvmEventReader, SvmHead } from './svmEventReader.ts'

type Deps = Readonly<{
  reader: Pick<SvmEventReader, 'readSeen'>
  store: RequestStore
  /** Unix time in milliseconds. */
  now: () => number
}>

/** Shows deposits that are not final yet. They are not stored, and nothing is paid for them. */
export type SvmPreviews = Readonly<{
  /**
   * @param entries the transactions above the final head, oldest first. Everything up to the head is stored.
   * @throws what the store throws
   */
  show: (entries: readonly HistoryEntry[], head: SvmHead) => Promise<void>
}>

/** An endpoint that invents transactions makes us read and keep so many. */
const maxRead = 25
const maxShown = 1_000

export function createSvmPreviews(
  { reader, store, now }: Deps,
  { chainId }: Pick<SvmTracked, 'chainId'>,
): SvmPreviews {
  const shown = new Map<
    SvmSignature,
    Readonly<{ slot: bigint; deposits: readonly ObservedDeposit[] }>
  >()

  /** False if another process has changed a request meanwhile. */
  async function save(
    seen: readonly ObservedDeposit[],
    past: readonly ObservedDeposit[],
  ): Promise<boolean> {
    const all = [...seen, ...past]
    if (all.length === 0) return true
    const [deposits, requests] = await Promise.all([
      store.findDeposits(all.map(({ depositId }) => depositId)),
      store.findByOrders([...new Set(all.map(({ orderId }) => orderId))]),
    ])
    const rows = { deposits, requests, transactions: [], payments: [], outcomes: new Map() }
    const work = createUnitOfWork(rows, { chainId, at: now() })
    for (const each of past) hideDeposit(work, each)
    for (const each of seen) observeDeposit(work, each)
    const { requests: changed = [] } = work.batch()
    return changed.length === 0 || (await store.save({ requests: changed })) !== 'conflict'
  }

  return {
    show: async (entries, head) => {
      const unread = entries.filter(({ signature }) => !shown.has(signature)).slice(0, maxRead)
      const room = shown.size < maxShown ? unread : []
      const seen = await reader.readSeen(room, head)
      // Its slot is final: the deposit is stored, or its block was dropped.
      const past = [...shown].filter(([, { slot }]) => slot <= head.slot)
      const isSaved = await save(
        [...seen.values()].flat(),
        past.flatMap(([, { deposits }]) => deposits),
      )
      if (!isSaved) return
      for (const [signature] of past) shown.delete(signature)
      for (const { signature, slot } of room) {
        const deposits = seen.get(signature)
        if (deposits !== undefined) shown.set(signature, { slot, deposits })
      }
    },
  }
}
