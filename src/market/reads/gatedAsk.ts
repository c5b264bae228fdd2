import { type CallGate, createCallGate, NodesBusyError } from '#src/chains/rpc/callGate.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { DeadlineError, withDeadline } from '#src/chains/rpc/deadline.ts'
import { AppError } from '#src/core/errors.ts'
import type { ChainId } from '#src/core/units/chainId.ts'

/**
 * Gates of the requests to nodes that callers can cause, by chain: gas estimates, which are optional, and other reads.
 */
export type CallGates = Readonly<Record<'estimates' | 'reads', ReadonlyMap<ChainId, CallGate>>>

/**
 * At most a third of the requests may be gas estimates, so that estimates cannot block the reads that quotes require.
 */
export function createGates(
  chains: readonly Readonly<{ id: ChainId }>[],
  maxCalls: number,
): CallGates {
  const estimates = Math.max(1, Math.floor(maxCalls / 3))
  const gatesOf = (maxRunning: number) =>
    new Map(
      chains.map(({ id }) => [
        id,
        createCallGate(() => new NodesBusyError(id), { maxRunning, maxWaiting: 4 * maxRunning }),
      ]),
    )
  return { estimates: gatesOf(estimates), reads: gatesOf(Math.max(1, maxCalls - estimates)) }
}

/**
 * Asks the nodes of a chain once the gate of its kind admits it.
 * @throws AppError RPC_HTTP_ERROR after the deadline; OVERLOADED; what `work` throws.
 */
export type GatedAsk = <Result>(
  chainId: ChainId,
  kind: keyof CallGates,
  work: (client: ChainClient, signal: AbortSignal) => Promise<Result>,
) => Promise<Result>

export function createGatedAsk(
  clients: ReadonlyMap<ChainId, ChainClient>,
  gates: CallGates,
  deadlineSeconds: number,
): GatedAsk {
  const run = createGatedRun(gates, deadlineSeconds)
  return async (chainId, kind, work) => {
    const client = clients.get(chainId)
    if (client === undefined) throw new Error(`Chain ${chainId} has no client`)
    return run(chainId, kind, (stop) => work(client, stop))
  }
}

/** Like `GatedAsk`, for any client. */
type GatedRun = <Result>(
  chainId: ChainId,
  kind: keyof CallGates,
  work: (signal: AbortSignal) => Promise<Result>,
) => Promise<Result>

export const createGatedRun =
  (gates: CallGates, deadlineSeconds: number): GatedRun =>
  async (chainId, kind, work) => {
    const gate = gates[kind].get(chainId)
    if (gate === undefined) throw new Error(`Chain ${chainId} has no gate`)
    try {
      return await withDeadline(deadlineSeconds, [], (stop) => gate.run(() => work(stop), stop))
    } catch (error) {
      if (!(error instanceof DeadlineError)) throw error
      throw new AppError(
        'RPC_HTTP_ERROR',
        `No RPC endpoint of chain ${chainId} answered in time.`,
        { chainId },
      )
    }
  }
