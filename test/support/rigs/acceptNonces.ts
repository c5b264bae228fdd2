import { countAt } from '#src/chains/read/readTransaction.ts'
import { reconcileNonces } from '#src/cli/reconcile/reconcile.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { SolverRig } from './solverRig.ts'

/** Accepts the transactions of the solver's account that this store does not have, like an operator. */
export async function acceptNonces(
  rig: SolverRig,
  store: RequestStore,
  chainId: ChainId,
): Promise<void> {
  const account = rig.solverAddress
  const reads = {
    store,
    now: Date.now,
    countAt: (block: 'latest' | 'pending') => countAt(rig.clientOn(chainId), account, block),
  }
  const { mined } = await reconcileNonces(reads, { chainId, account })
  await reconcileNonces(reads, { chainId, account, accept: mined })
}
