import { SolverBalanceError } from '#src/pricing/failures.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import type { MultiBridge } from './multiBridge.ts'

/**
 * What the solver is to spend, which it holds.
 * @throws SolverBalanceError where it does not.
 */
export function checkBalance({ payout, task }: MultiBridge, spend: bigint): Amount {
  const balance = task.market.solverBalances.get(payout.address) ?? toAmount(0n)
  if (spend > balance) throw new SolverBalanceError(payout, { needed: spend, balance }, undefined)
  return toAmount(spend)
}
