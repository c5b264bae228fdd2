import { and, eq, lt, max } from 'drizzle-orm'
import type { Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { NonceStore } from '#src/requests/payoutStore.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { solverAccountTable } from '#src/requests/store/tables/chainTable.ts'
import { solverTransactionTable } from '#src/requests/store/tables/solverTransactionTable.ts'
import { given } from './statement.ts'

/** @throws what the database throws. */
export function createNonces({ db }: Database): NonceStore {
  const transactions = solverTransactionTable
  const lastNonce = db
    .select({ nonce: max(transactions.nonce) })
    .from(transactions)
    .where(
      and(eq(transactions.chainId, given('chainId')), eq(transactions.account, given('account'))),
    )
    .prepare('last_nonce')
  const accounts = solverAccountTable
  const accepted = db
    .select({ nonce: accounts.acceptedNonce })
    .from(accounts)
    .where(and(eq(accounts.chainId, given('chainId')), eq(accounts.account, given('account'))))
    .prepare('accepted_nonce')

  async function acceptedNonce(chainId: ChainId, account: Address): Promise<number> {
    const [found] = await accepted.execute({ chainId, account })
    return found?.nonce ?? 0
  }

  return {
    acceptedNonce,
    nextNonce: async (chainId, account) => {
      const [[last], floor] = await Promise.all([
        lastNonce.execute({ chainId, account }),
        acceptedNonce(chainId, account),
      ])
      return Math.max((last?.nonce ?? -1) + 1, floor)
    },
    acceptNonce: async ({ chainId, account, nonce, acceptedAt }) => {
      await db
        .insert(accounts)
        .values({ chainId, account, acceptedNonce: nonce, acceptedAt })
        .onConflictDoUpdate({
          target: [accounts.chainId, accounts.account],
          set: { acceptedNonce: nonce, acceptedAt },
          setWhere: lt(accounts.acceptedNonce, nonce),
        })
    },
  }
}
