import type { ChainClient } from '#src/chains/chainClient.ts'
import { readReceipt } from '#src/chains/readTransaction.ts'
import type { Cursor, RequestStore } from '#src/requests/requestStore.ts'
import { type ChainRules, decide } from './decide/decide.ts'
import { isEmptyBatch } from './decide/unitOfWork.ts'
import type { FollowedBlocks } from './followedBlocks.ts'
import { loadStored } from './loadStored.ts'
import { noSightings, type Sightings } from './read/readEvents.ts'
import type { UnreadBlocks } from './unreadBlocks.ts'
import { closedAt } from './unreadBlocks.ts'

type Hash = `0x${string}`

type Deps = Readonly<{
  client: Pick<ChainClient, 'ask'>
  store: RequestStore
  /** Milliseconds since 1970. */
  now: () => number
  followed: FollowedBlocks
  unread: Pick<UnreadBlocks, 'readUpTo'>
}>

/** Brings what is stored of a chain to where the chain stands. One call at a time. */
export type Settler = Readonly<{
  rules: ChainRules
  /**
   * Saves what follows from the sightings, from what is deep enough by now, and from what lies above the
   * height `above` and is gone; gives the transactions that are.
   * @throws what the store and the RPC throw: nothing, or all, is saved; call again.
   */
  settle: (
    args: Readonly<{ sightings?: Sightings; above?: bigint }>,
    signal: AbortSignal,
  ) => Promise<readonly Hash[]>
  /** Whether something stored may be deep enough at the head, or has not been looked at for long. */
  isDue: () => boolean
  /** Saves how far the chain was followed and read, if that is far enough from what is saved. */
  saveCursor: () => Promise<void>
  cursor: () => Cursor
}>

/** What others save is found by then, whatever it waits for. */
const longestMs = 10_000
const mostBlocks = 64n
/** Each means that somebody else got on; so many in a row are no coincidence. */
const mostConflicts = 20

export function createSettler(
  { client, store, now, followed, unread }: Deps,
  { rules, start }: Readonly<{ rules: ChainRules; start: Cursor }>,
): Settler {
  let saved = start
  let savedAt = now()
  let settledAt = Number.NEGATIVE_INFINITY
  let dueAt: bigint | undefined

  /** What is not read yet must be followed again after a restart. */
  const reached = () => unread.readUpTo(followed.final())

  const outcomeOf = (signal: AbortSignal) => async (hash: Hash) => {
    const receipt = await readReceipt(client, hash, signal)
    return receipt !== undefined && followed.standing(receipt.block) === 'in'
      ? receipt.status
      : undefined
  }

  async function save(batch: Parameters<RequestStore['save']>[0]): Promise<boolean> {
    const cursor = { ...start, block: reached() }
    if ((await store.save({ ...batch, cursor })) === 'conflict') return false
    saved = cursor
    savedAt = now()
    return true
  }

  return {
    rules,
    cursor: () => saved,
    isDue: () =>
      (dueAt !== undefined && dueAt <= followed.head().number) || now() - settledAt >= longestMs,
    settle: async ({ sightings = noSightings, above = followed.head().number }, signal) => {
      for (let conflicts = 0; conflicts < mostConflicts; conflicts += 1) {
        const closed = closedAt(followed, unread, rules.depositConfirmations)
        const seen = { followed, sightings, closedAt: closed }
        const args = { rules, above, outcomeOf: outcomeOf(signal), ...seen }
        const stored = await loadStored(store, args)
        const decision = decide(stored, seen, { rules, at: now() })
        if (!isEmptyBatch(decision.batch) && !(await save(decision.batch))) continue
        dueAt = decision.dueAt
        settledAt = now()
        return decision.undone
      }
      throw new Error(`Saving met ${mostConflicts} conflicts in a row`)
    },
    saveCursor: async () => {
      const ahead = reached().number - saved.block.number
      if (ahead <= 0n || (ahead < mostBlocks && now() - savedAt < longestMs)) return
      await save({})
    },
  }
}
