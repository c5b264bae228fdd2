import type { Deposit } from '#src/requests/state/deposit.ts'
import { isSolverRequest, type SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { SolverDeps } from '#src/solver/solverDeps.ts'
import { type FilledDeposit, filledDepositOf, type PaidRequest } from './settlementPayouts.ts'

type Store = Pick<SolverDeps['store'], 'findAll'>

/** Reads, for each request, the request of the open deposit address that it pays. */
export async function withParents(
  store: Store,
  requests: readonly SolverRequest[],
): Promise<readonly PaidRequest[]> {
  const parentIds = requests.flatMap(({ parentId }) => parentId ?? [])
  const found = parentIds.length === 0 ? [] : await store.findAll(parentIds)
  const parents = new Map(found.filter(isSolverRequest).map((each) => [each.requestId, each]))
  return requests.map((request) => ({ request, parent: parents.get(request.parentId ?? '0x') }))
}

/** Each deposit with the orders of its app fees. */
export async function readFilledDeposits(
  store: Store,
  deposits: readonly Deposit[],
): Promise<readonly FilledDeposit[]> {
  const found = await store.findAll(deposits.flatMap(({ requestId }) => requestId ?? []))
  const paid = await withParents(store, found.filter(isSolverRequest))
  const byId = new Map(paid.map((each) => [each.request.requestId, each]))
  return deposits.map((deposit) => filledDepositOf(deposit, byId.get(deposit.requestId ?? '0x')))
}
