import type { ChainMarket } from '#src/core/pricing/market.ts'
import type { Address } from '#src/core/units/address.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'

/** The solver's balances on the destination chain, by currency. */
export type Inventory = Readonly<{
  /** The whole balance. */
  held: (currency: Address) => bigint
  /** The balance minus the amounts that pending fills spend. */
  free: (currency: Address) => bigint
}>

/** An inventory from which plans of the same round reserve amounts. */
export type ReservableInventory = Inventory &
  Readonly<{ reserve: (spends: SolverTransaction['spends']) => void }>

/** The balances at the market's block, minus the amounts of fills that this block does not include. */
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

/** Whether the transaction is a fill that the market at block `marketHeight` does not include yet. */
export const isPendingFill = (
  { purpose, status, mined }: SolverTransaction,
  marketHeight: bigint,
): boolean =>
  purpose === 'fill' &&
  status !== 'reverted' &&
  (status === 'sent' || mined === undefined || mined.block.number > marketHeight)

/**
 * Whether the request may still wait for external liquidity: its quote exceeded the solver's balance, and the time that
 * the quote named has not passed since the last deposit.
 * @param now in seconds since 1970
 */
export const awaitsLiquidity = (
  { fill: { externalLiquiditySeconds } }: SolverRequest,
  deposits: readonly Deposit[],
  now: number,
): boolean =>
  externalLiquiditySeconds !== undefined &&
  now <= Math.max(...deposits.map(({ timestamp }) => timestamp)) + externalLiquiditySeconds
