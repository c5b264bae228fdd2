import type { ChainMarket } from '#src/pricing/market.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { Address } from '#src/units/address.ts'

/** The solver's balances on the destination chain, by currency. */
export type Inventory = Readonly<{
  /** The whole balance. */
  held: (currency: Address) => bigint
  /** The balance minus what pending fills spend. */
  free: (currency: Address) => bigint
}>

/** An inventory that later plans of the same round take from. */
export type ReservableInventory = Inventory &
  Readonly<{ reserve: (spends: SolverTransaction['spends']) => void }>

/** The balances at the market's block, minus what fills spend that this block does not include. */
export function createInventory(
  { block, solverBalances }: ChainMarket,
  open: readonly SolverTransaction[],
): ReservableInventory {
  const reserved = new Map<Address, bigint>()
  const reserve = (spends: SolverTransaction['spends']) => {
    for (const { currency, amount } of spends)
      reserved.set(currency, (reserved.get(currency) ?? 0n) + amount)
  }
  for (const transaction of open)
    if (isPendingFill(transaction, block.number)) reserve(transaction.spends)
  const held = (currency: Address) => solverBalances.get(currency) ?? 0n
  return {
    held,
    free: (currency) => held(currency) - (reserved.get(currency) ?? 0n),
    reserve,
  }
}

/** Whether it is a fill that a market at block `marketHeight` does not include yet. */
export const isPendingFill = (
  { purpose, status, mined }: SolverTransaction,
  marketHeight: bigint,
): boolean =>
  purpose === 'fill' &&
  status !== 'reverted' &&
  (status === 'sent' || mined === undefined || mined.block.number > marketHeight)

/**
 * Whether what the solver lacks for a request may still come: its quote has told the user so, and when.
 * @param now in seconds since 1970
 */
export const mayComeYet = (
  { fill: { externalLiquiditySeconds } }: Pick<SolverRequest, 'fill'>,
  deposits: readonly Pick<Deposit, 'timestamp'>[],
  now: number,
): boolean =>
  externalLiquiditySeconds !== undefined &&
  now <= Math.max(...deposits.map(({ timestamp }) => timestamp)) + externalLiquiditySeconds
