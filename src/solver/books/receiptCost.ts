import { parseTransaction } from 'viem'
import { readReceipt } from '#src/chains/read/readTransaction.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type Account, nativeAddress } from '#src/core/units/address.ts'
import { evmHash } from '#src/core/units/txId.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { type Spending, spendings } from '#src/requests/tracker/read/trackedLogs.ts'
import type { AccountChain } from '#src/solver/ports.ts'
import { type Amounts, type BookPrices, canonical } from './booking.ts'
import type { ReadCost } from './books.ts'

/** Reads the costs of transactions on an EVM chain from their receipts. */
export const createReceiptCosts =
  (client: ChainClient, { chain }: Pick<AccountChain, 'chain'>): ReadCost =>
  async (transaction, market) => {
    const { mined } = transaction
    const receipt = mined && (await readReceipt(client, evmHash(mined.hash)))
    return (
      receipt && {
        gas: receipt.cost,
        taken: takenBy(transaction, spendings(chain, receipt), market),
      }
    )
  }

/**
 * What the fill took from the solver, by currency: what it sent minus what came back, as the currencies log it. Native
 * and wrapped native currency count as one. Native currency that a Uniswap v4 pool returns has no log, and counts as
 * spent.
 */
export function takenBy(
  { account, attempts, mined, spends }: SolverTransaction,
  moved: readonly Spending[],
  market: BookPrices['market'],
): Amounts {
  const attempt = attempts.find(({ hash }) => hash === mined?.hash)
  const value = attempt === undefined ? 0n : (parseTransaction(attempt.raw).value ?? 0n)
  // A contract of others can log any transfer to the solver.
  const counted = new Set([...spends.map(({ currency }) => currency), market.chain.wrappedNative])
  const taken = new Map<Account, bigint>([[nativeAddress, value]])
  for (const { account: from, recipient, currency, amount } of moved) {
    if (!counted.has(currency) || recipient === undefined || from === recipient) continue
    const key = canonical(currency, market)
    if (from === account) taken.set(key, (taken.get(key) ?? 0n) + amount)
    if (recipient === account) taken.set(key, (taken.get(key) ?? 0n) - amount)
  }
  return taken
}
