import type { ChainClient } from '#src/chains/rpc/chainClient.ts'

/** Bounds the mean rate of the RPC calls of one kind of work. */
export type CallBudget = Readonly<{
  /** Returns a client whose `ask`, `call`, `readContract` and `getLogs` are charged to this budget. */
  charge: (client: ChainClient) => ChainClient
  /** Milliseconds until the charged calls are paid off; 0 if the work may continue. */
  waitMs: () => number
  /** Cancels all charges so far. */
  reset: () => void
}>

/** Idle time earns no credit, so that no burst follows a pause. */
export function createCallBudget(
  { now }: Readonly<{ now: () => number }>,
  callsPerSecond: number,
): CallBudget {
  /** Time at which the charged calls are paid off, in milliseconds of `now`. */
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
    reset: () => {
      paidAt = Number.NEGATIVE_INFINITY
    },
  }
}
