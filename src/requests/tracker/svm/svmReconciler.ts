import type { SvmRpc } from '#src/chains/svm/svmRpc.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { decide } from '#src/requests/tracker/decide/decide.ts'
import type { Failure } from '#src/requests/tracker/decide/endings.ts'
import { isEmptyBatch } from '#src/requests/tracker/decide/unitOfWork.ts'
import { createFollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import { noEvents } from '#src/requests/tracker/read/readEvents.ts'
import type { Cursor } from '#src/requests/trackingStore.ts'
import {
  blockAt,
  type DepositoryEvents,
  depositoryEvents,
  type EventTimes,
  type SvmTracked,
} from './depositoryEvents.ts'
import { failureOf, type Landed, readLanded } from './landedTransactions.ts'
import { loadSvmStored } from './loadSvmStored.ts'

type Deps = Readonly<{
  client: Pick<SvmRpc, 'getStatuses' | 'getTransaction'>
  store: RequestStore
  /** Unix time in milliseconds. */
  now: () => number
}>

type SvmStep = DepositoryEvents &
  Readonly<{
    /** All events up to it are known. */
    head: bigint
    /** Its Unix time in seconds; undefined while a backlog is read, whose transactions are all old. */
    processedUntil: number | undefined
    /** Saved with the changes. */
    cursor: Cursor | undefined
  }>

/** Brings the stored rows of a chain in line with its final transactions. Allows one call at a time. */
export type SvmReconciler = Readonly<{
  /** @throws what the store and the RPC throw. Either all changes are saved or none: call again. */
  reconcile: (step: SvmStep, exitSeconds: number) => Promise<void>
}>

/** Maximum delay until rows saved by other processes are found. */
const maxIntervalMs = 10_000
/** A conflict means that another process made progress. This many in a row indicate a bug. */
const maxConflicts = 20

export function createSvmReconciler(
  { client, store, now }: Deps,
  tracked: SvmTracked,
): SvmReconciler {
  const { chainId } = tracked
  // Everything that is read is final.
  const rules = { id: chainId, depositConfirmations: 0, fillConfirmations: 0 }
  let dueAt: bigint | undefined
  let decidedAt = Number.NEGATIVE_INFINITY

  async function readOpen(head: bigint) {
    const transactions = await store.openTransactions(chainId, head)
    return { transactions, landed: await readLanded(client, transactions, head) }
  }

  return {
    reconcile: async ({ head, processedUntil, cursor, ...events }, exitSeconds) => {
      const isDue = (dueAt !== undefined && dueAt <= head) || now() - decidedAt >= maxIntervalMs
      for (let conflicts = 0; conflicts < maxConflicts; conflicts += 1) {
        const { transactions, landed: found } = await readOpen(head)
        const hasEvents = events.deposits.length + events.payouts.length + found.length > 0
        if (!(hasEvents || isDue || cursor !== undefined)) return
        const landed = found.map((each) => ({
          ...each,
          events: eventsOf(tracked, each.found, exitSeconds),
        }))
        const { stored, payouts } = await loadSvmStored(store, {
          ...events,
          ...{ chainId, transactions, landed, head, processedUntil },
        })
        const decision = decide(
          stored,
          {
            followed: createFollowedBlocks(blockAt(tracked, head)),
            events: { ...noEvents, deposits: events.deposits, runs: runsOf(tracked, landed) },
            endings: { failures: failuresOf(tracked, landed), payouts },
            processedUntil,
          },
          { rules, at: now() },
        )
        const isChange = cursor !== undefined || !isEmptyBatch(decision.batch)
        const batch = { ...decision.batch, ...(cursor && { cursor }) }
        if (isChange && (await store.save(batch)) === 'conflict') continue
        dueAt = decision.dueAt
        decidedAt = now()
        return
      }
      throw new Error(`Saving failed with ${maxConflicts} conflicts in a row`)
    },
  }
}

const eventsOf = (
  tracked: SvmTracked,
  found: Landed['found'],
  exitSeconds: EventTimes['exitSeconds'],
) => depositoryEvents(tracked, found, { seconds: found.blockTime ?? 0, exitSeconds })

const minedOf = (tracked: SvmTracked, { found }: Landed) => ({
  hash: found.signature,
  block: blockAt(tracked, found.slot, found.blockTime),
})

const runsOf = (tracked: SvmTracked, landed: readonly Landed[]) =>
  landed.flatMap((each) => (failureOf(each) === undefined ? [minedOf(tracked, each)] : []))

const failuresOf = (tracked: SvmTracked, landed: readonly Landed[]): readonly Failure[] =>
  landed.flatMap((each) => {
    const kind = failureOf(each)
    return kind === undefined ? [] : [{ kind, mined: minedOf(tracked, each), cost: each.found.fee }]
  })
