import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { OwnChain } from '#src/solver/ports.ts'

/** New payments per round, and payments per round that are priced again. */
const newPerRound = 64
const retriesPerRound = 16

/** Seconds of chain time until a payment without a price is priced again. They double with each try. */
const firstPause = 1
const longestPause = 60

/** Payments beyond this number are forgotten, oldest first, and are new again. */
const maxWaiting = 10_000

type Waiting = Readonly<{
  /** The request of the address. */
  parentId: string | undefined
  tries: number
  /** Chain time in seconds. */
  dueAt: number
}>

/**
 * Decides which payments to open addresses have their turn. New ones go first. Addresses take turns, so that many
 * payments to one of them delay no others, and of one address the largest payments come first. Payments that wait for a
 * price have few turns of their own, at growing intervals.
 */
export function createPaymentTurns(
  { store }: Readonly<{ store: RequestStore }>,
  { chain }: OwnChain,
) {
  const waiting = new Map<string, Waiting>()

  async function retries(now: number, height: bigint): Promise<readonly Deposit[]> {
    const ids = dueIds(waiting, now).slice(0, retriesPerRound)
    const found = ids.length === 0 ? [] : await store.findDeposits(ids)
    const open = found.filter(({ status, block }) => status === 'seen' && isBelow(block, height))
    const openIds = new Set(open.map(({ depositId }) => depositId))
    // The others have their request, or a reorg has moved them: then they are new again.
    for (const id of ids) if (!openIds.has(id)) waiting.delete(id)
    return open
  }

  return {
    async next({ head }: ChainView): Promise<readonly Deposit[]> {
      const height = head.number - BigInt(chain.depositConfirmations)
      const terms = { except: [...waiting.keys()], limit: newPerRound }
      const fresh = await store.openPayments(chain.id, height, terms)
      return [...fresh, ...(await retries(Number(head.timestamp), height))]
    },

    /** The payment has no price yet. */
    postpone({ depositId, requestId }: Deposit, { head }: ChainView): void {
      const tries = (waiting.get(depositId)?.tries ?? 0) + 1
      const pause = Math.min(firstPause * 2 ** (tries - 1), longestPause)
      waiting.delete(depositId)
      waiting.set(depositId, { parentId: requestId, tries, dueAt: Number(head.timestamp) + pause })
      const [oldest] = waiting.keys()
      if (waiting.size > maxWaiting && oldest !== undefined) waiting.delete(oldest)
    },
  }
}

const isBelow = (block: Deposit['block'], height: bigint): boolean =>
  block !== undefined && block.number <= height

/** The payments that are due. First the longest overdue one of each address, then the second of each, and so on. */
function dueIds(waiting: ReadonlyMap<string, Waiting>, now: number): readonly string[] {
  const turns = new Map<string | undefined, number>()
  return [...waiting]
    .filter(([, { dueAt }]) => dueAt <= now)
    .toSorted(([, one], [, other]) => one.dueAt - other.dueAt)
    .map(([id, { parentId }]) => {
      const turn = turns.get(parentId) ?? 0
      turns.set(parentId, turn + 1)
      return { id, turn }
    })
    .toSorted((one, other) => one.turn - other.turn)
    .map(({ id }) => id)
}
