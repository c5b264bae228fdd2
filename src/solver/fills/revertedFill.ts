import { readCode } from '#src/chains/read/readAuthority.ts'
import type { Address } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { mayDelegate } from '#src/core/units/authorization.ts'
import { isReverted } from '#src/requests/state/cancelled.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { SolverDeps } from '#src/solver/solverDeps.ts'

/** The outcome of the fills of a request that reverted in final blocks. */
export type RevertedFill = Readonly<{
  /** Gas cost of these fills, in wei. */
  cost: Amount
  /** Whether a second and last fill may pay the recipient without the order's calls. */
  maySkipCalls: boolean
}>

/**
 * The cost of the reverted fills, and whether a second fill may skip the order's calls. It may after one reverted fill
 * of an order with calls, if the recipient is a wallet. A wallet refuses no payment, so the calls caused the revert.
 * Undefined if no fill has reverted.
 */
export async function revertedFillOf(
  client: SolverDeps['client'],
  { order, recipient }: Pick<SolverRequest, 'order' | 'recipient'>,
  fills: readonly SolverTransaction[],
): Promise<RevertedFill | undefined> {
  const reverted = fills.filter(isReverted)
  const [first] = reverted
  if (first === undefined) return undefined
  const cost = toAmount(reverted.reduce((sum, { failedCost = 0n }) => sum + failedCost, 0n))
  const isFirst = reverted.length === 1 && first.failedCost !== undefined
  const maySkipCalls =
    isFirst && order.output.calls.length > 0 && (await isWallet(client, recipient))
  return { cost, maySkipCalls }
}

/** Whether an account has no code, or only an EIP-7702 delegation. */
const isWallet = async (client: SolverDeps['client'], account: Address): Promise<boolean> =>
  mayDelegate({ code: await readCode(client, account) })
