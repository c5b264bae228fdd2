/** How much time of this process each client has taken. */
export type TimeAccounts = Readonly<{
  /**
   * Milliseconds. The client with the least goes first. One that takes less than its share counts as having taken
   * `maxHeadStartMs` less than that, because nobody may save up time.
   */
  tookOf: (client: string) => number
  /** Charges the time from now on to this client, until the next `begin` or `end`. */
  begin: (client: string) => void
  /** Ends the charge. Returns its milliseconds; 0 if no client was charged. */
  end: () => number
  /** The share of each client is at least this time. */
  raiseShare: (milliseconds: number) => void
  /** The share of each client grows by this idle time. */
  rest: (milliseconds: number) => void
}>

/** A client that has taken little has at most this advantage over others, in milliseconds. */
const maxHeadStartMs = 100
/** Maximum number of clients whose time is known. */
const maxKnown = 4_000

/** @param now monotonic milliseconds. */
export function createTimeAccounts(now: () => number): TimeAccounts {
  /** In the order of their last charge. */
  const taken = new Map<string, number>()
  let share = 0
  let running: Readonly<{ client: string; since: number }> | undefined

  const tookOf = (client: string): number =>
    Math.max(taken.get(client) ?? 0, share - maxHeadStartMs)
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
