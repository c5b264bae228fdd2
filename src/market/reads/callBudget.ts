import type { ChainClient } from '#src/chains/rpc/chainClient.ts'

/** Bounds the mean rate of the RPC calls of one kind of work. */
export type CallBudget = Readonly<{
  /** The client, whose requests are charged to this budget: those of viem's actions for contracts and logs, and all that are asked as such. */
  charge: (client: ChainClient) => ChainClient
  /** Milliseconds until what was charged is paid off; 0 if the work may go on. */
  waitMs: () => number
  /** Writes off what was charged so far. */
  forgive: () => void
}>

/** Nothing is saved up while there is no work: a pause is not followed by a burst. */
export function createCallBudget(
  { now }: Readonly<{ now: () => number }>,
  callsPerSecond: number,
): CallBudget {
  /** Time at which what was charged so far is paid off, in milliseconds of `now`. */
  let paidAt = Number.NEGATIVE_INFINITY
  const chargeOne = (): void => {
    paidAt = Math.max(paidAt, now()) + 1000 / callsPerSecond
  }
  const charged =
    <Args extends unknown[], Result>(act: (...args: Args) => Result) =>
    (...args: Args): Result => {
      chargeOne()
      return act(...args)
    }

  return {
    charge: (client) => ({
      ...client,
      ask: charged(client.ask) as ChainClient['ask'],
      call: charged(client.call) as ChainClient['call'],
      readContract: charged(client.readContract) as ChainClient['readContract'],
      getLogs: charged(client.getLogs) as ChainClient['getLogs'],
    }),
    waitMs: () => Math.max(0, paidAt - now()),
    forgive: () => {
      paidAt = Number.NEGATIVE_INFINITY
    },
  }
}
