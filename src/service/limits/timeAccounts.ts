import { leastBy } from '#src/core/leastBy.ts'

/** How much time of this process each client has taken. */
export type TimeAccounts = Readonly<{
  /**
   * Milliseconds. One that takes less than its share counts as having taken at most `maxHeadStartMs` less than that,
   * because nobody may save up much.
   */
  tookOf: (client: string) => number
  /** The least time of these clients; Infinity without any. */
  leastOf: (clients: Iterable<string>) => number
  /**
   * The client that goes first: among those that have taken about the least time, the one that has waited longest.
   * @param sinceOf when the wait of a client began.
   */
  firstInLine: <Waiting>(
    waiting: ReadonlyMap<string, Waiting>,
    sinceOf: (waiting: Waiting) => number,
  ) => Waiting | undefined
  /** Charges the time from now on to this client, until the next `begin` or `end`. */
  begin: (client: string) => void
  /** Ends the charge. Returns its milliseconds; 0 if no client was charged. */
  end: () => number
  /** The share of each client is at least this time. */
  raiseShare: (milliseconds: number) => void
  /** The share of each client grows by this idle time. */
  rest: (milliseconds: number) => void
}>

/**
 * A client that has taken little has at most this advantage over others, in milliseconds: enough for several orders at
 * once.
 */
const maxHeadStartMs = 300
/** The advantage of a client that is not known yet: enough for one order, so that new addresses gain little. */
const newHeadStartMs = 60
/**
 * Clients whose times differ by less than this, in milliseconds, are served in the order of arrival. Otherwise an order
 * that takes tens of milliseconds would wait for every one that takes less.
 */
export const alikeMs = 30
/** Maximum number of clients whose time is known. */
const maxKnown = 4_000

/** @param now monotonic milliseconds. */
export function createTimeAccounts(now: () => number): TimeAccounts {
  /** In the order of their last charge. */
  const taken = new Map<string, number>()
  let share = newHeadStartMs
  let running: Readonly<{ client: string; since: number }> | undefined

  const tookOf = (client: string): number =>
    Math.max(taken.get(client) ?? share - newHeadStartMs, share - maxHeadStartMs)
  const leastOf = (clients: Iterable<string>): number => {
    let least = Number.POSITIVE_INFINITY
    for (const client of clients) least = Math.min(least, tookOf(client))
    return least
  }
  const charge = (client: string, milliseconds: number): void => {
    const took = tookOf(client) + milliseconds
    taken.delete(client)
    taken.set(client, took)
    const [oldest = client] = taken.keys()
    if (taken.size > maxKnown) taken.delete(oldest)
  }
  const end = (): number => {
    if (running === undefined) return 0
    const milliseconds = now() - running.since
    charge(running.client, milliseconds)
    running = undefined
    return milliseconds
  }

  return {
    tookOf,
    leastOf,
    firstInLine: (waiting, sinceOf) => {
      const most = leastOf(waiting.keys()) + alikeMs
      const first = leastBy(waiting, ([client, each]) =>
        tookOf(client) < most ? sinceOf(each) : Number.POSITIVE_INFINITY,
      )
      return first?.[1]
    },
    begin: (client) => {
      end()
      running = { client, since: now() }
    },
    end,
    raiseShare: (milliseconds) => {
      share = Math.max(share, milliseconds)
    },
    rest: (milliseconds) => {
      share += milliseconds
    },
  }
}
