import type { ChainMarket } from '#src/pricing/market.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { Address } from '#src/units/address.ts'
import type { Holdings } from './planFill.ts'

/** Holdings of which more and more is given away. */
export type Purse = Holdings & Readonly<{ reserve: (spends: SolverTransaction['spends']) => void }>

/** What the solver holds at the market's block, less what fills spend that this block does not show. */
export function purseOf(
  { block, solverBalances }: ChainMarket,
  open: readonly SolverTransaction[],
): Purse {
  const reserved = new Map<Address, bigint>()
  const reserve = (spends: SolverTransaction['spends']) => {
    for (const { currency, amount } of spends)
      reserved.set(currency, (reserved.get(currency) ?? 0n) + amount)
  }
  for (const transaction of open)
    if (isAhead(transaction, block.number)) reserve(transaction.spends)
  const held = (currency: Address) => solverBalances.get(currency) ?? 0n
  return {
    held,
    free: (currency) => held(currency) - (reserved.get(currency) ?? 0n),
    reserve,
  }
}

/** Whether a fill is on its way still, as a market sees it that shows the chain up to `number`. */
export const isAhead = ({ purpose, status, mined }: SolverTransaction, number: bigint): boolean =>
  purpose === 'fill' &&
  status !== 'reverted' &&
  (status === 'sent' || mined === undefined || mined.block.number > number)
