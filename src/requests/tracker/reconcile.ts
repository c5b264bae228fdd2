import { type Receipt, readReceipt } from '#src/chains/read/readTransaction.ts'
import type { Rpc } from '#src/chains/rpc/chainClient.ts'
import { evmHash, type TxId } from '#src/core/units/txId.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Cursor } from '#src/requests/trackingStore.ts'
import { createBalanceChange } from './confirmPayments.ts'
import { decide } from './decide/decide.ts'
import { type ChainRules, isEmptyBatch } from './decide/unitOfWork.ts'
import { type FollowedBlocks, processedUntil, type ReadProgress } from './followedBlocks.ts'
import { loadStored } from './loadStored.ts'
import { noEvents, type ObservedEvents } from './read/readEvents.ts'
import type { Tracked } from './read/trackedLogs.ts'

type Deps = Readonly<{
  client: Rpc
  store: RequestStore
  /** Unix time in milliseconds. */
  now: () => number
  followed: FollowedBlocks
  unread: ReadProgress
}>

/** Brings the stored rows of a chain in line with the followed blocks. Allows one call at a time. */
export type Reconciler = Readonly<{
  rules: ChainRules
  /**
   * Loads the rows that the events, new confirmations or orphaned blocks may change, decides, and saves the changes.
   * Rows in blocks above the height `above` may be orphaned. Returns the hashes of orphaned transactions.
   * @throws what the store and the RPC throw. Either all changes are saved or none: call again.
   */
  reconcile: (
    args: Readonly<{ events?: ObservedEvents; above?: bigint }>,
    signal: AbortSignal,
  ) => Promise<readonly TxId[]>
  /** Whether a stored row may have reached its confirmations, or the last call is at least 10 s old. */
  isDue: () => boolean
  /** The next height at which a stored row reaches its confirmations, as of the last call. */
  confirmsAt: () => bigint | undefined
  /** Saves the cursor if it is 64 blocks ahead of the saved one, or ahead of one that was saved 10 s ago. */
  saveCursor: () => Promise<void>
  /** The last saved cursor; before the first save, the start. */
  cursor: () => Cursor
}>

/** Maximum delay until rows saved by other processes are found. */
const maxIntervalMs = 10_000
const maxCursorBlocks = 64n
/** A conflict means that another process made progress. This many in a row indicate a bug. */
const maxConflicts = 20

export function createReconciler(
  { client, store, now, followed, unread }: Deps,
  { rules, tracked, start }: Readonly<{ rules: ChainRules; tracked: Tracked; start: Cursor }>,
): Reconciler {
  let saved = start
  let savedAt = now()
  let reconciledAt = Number.NEGATIVE_INFINITY
  let dueAt: bigint | undefined
  let confirmsAt: bigint | undefined

  /** The newest final block below the unread blocks: a restart must follow those again. */
  const processedFinal = () => unread.readUpTo(followed.final())

  const receiptOf =
    (signal: AbortSignal) =>
    async (hash: TxId): Promise<Receipt | undefined> => {
      const receipt = await readReceipt(client, evmHash(hash), signal)
      const isCanonical = receipt && followed.statusOf(receipt.block) === 'canonical'
      return isCanonical ? receipt : undefined
    }

  async function save(batch: Parameters<RequestStore['save']>[0]): Promise<boolean> {
    const cursor = { ...start, block: processedFinal() }
    if ((await store.save({ ...batch, cursor })) === 'conflict') return false
    saved = cursor
    savedAt = now()
    return true
  }

  return {
    rules,
    cursor: () => saved,
    confirmsAt: () => confirmsAt,
    isDue: () =>
      (dueAt !== undefined && dueAt <= followed.head().number) ||
      now() - reconciledAt >= maxIntervalMs,
    reconcile: async ({ events = noEvents, above = followed.head().number }, signal) => {
      for (let conflicts = 0; conflicts < maxConflicts; conflicts += 1) {
        const until = processedUntil(followed, unread, rules.depositConfirmations)
        const chain = { followed, events, processedUntil: until }
        const stored = await loadStored(store, {
          rules,
          tracked,
          above,
          receiptOf: receiptOf(signal),
          balanceChange: createBalanceChange(client, signal),
          ...chain,
        })
        const decision = decide(stored, chain, { rules, at: now() })
        if (!isEmptyBatch(decision.batch) && !(await save(decision.batch))) continue
        dueAt = decision.dueAt
        confirmsAt = decision.confirmsAt
        reconciledAt = now()
        return decision.orphaned
      }
      throw new Error(`Saving failed with ${maxConflicts} conflicts in a row`)
    },
    saveCursor: async () => {
      const ahead = processedFinal().number - saved.block.number
      if (ahead <= 0n || (ahead < maxCursorBlocks && now() - savedAt < maxIntervalMs)) return
      await save({})
    },
  }
}
