import { AppError, reasonOf } from '#src/core/errors.ts'
import type { Address } from '#src/core/units/address.ts'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { SolverDeps } from '#src/solver/solverDeps.ts'
import { type Estimate, estimateGas } from './estimateGas.ts'
import type { Fees } from './fees.ts'

type Filling = Readonly<{
  request: Pick<SolverRequest, 'requestId' | 'destinationChainId'>
  plan: Readonly<{ call: TransactionCall }>
}>

/**
 * The gas of a fill on the newest block. Undefined if no node answers: a call of the order may take too long on
 * purpose, and must not stop other fills.
 */
export async function simulateFill(
  { client, log }: Pick<SolverDeps, 'client' | 'log'>,
  solver: Address,
  { request: { requestId, destinationChainId: chainId }, plan }: Filling,
  fees: Fees,
): Promise<Estimate | undefined> {
  try {
    return await estimateGas(client, solver, plan.call, fees)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const facts = { chainId, requestId, reason: reasonOf(error) }
    log.warn(facts, 'No node simulates the fill of a request; will retry')
    return undefined
  }
}
