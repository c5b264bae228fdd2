import { eq, type SQL } from 'drizzle-orm'
import type { PaymentReads } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { parseDeposit } from '#src/requests/store/rows/depositRow.ts'
import { parseTransaction } from '#src/requests/store/rows/transactionRow.ts'
import { depositTable } from '#src/requests/store/tables/depositTable.ts'
import { solverTransactionTable } from '#src/requests/store/tables/solverTransactionTable.ts'
import { isOneOf } from './statement.ts'

/** Deposits and transactions, oldest first. @throws what the database throws. */
export function createPaymentReads({ db }: Database): PaymentReads {
  const deposits = depositTable
  const transactions = solverTransactionTable

  async function depositsWhere(condition: SQL): Promise<Deposit[]> {
    return (await depositsInOrder(db, condition)).map(parseDeposit)
  }

  async function transactionsWhere(condition: SQL): Promise<SolverTransaction[]> {
    return (await transactionsInOrder(db, condition)).map(parseTransaction)
  }

  return {
    depositsOf: (requestId) => depositsWhere(eq(deposits.requestId, requestId)),
    depositsOfAll: (requestIds) => depositsWhere(isOneOf(deposits.requestId, requestIds)),
    findDeposits: (ids) => depositsWhere(isOneOf(deposits.depositId, ids)),
    transactionsOf: (requestId) => transactionsWhere(eq(transactions.requestId, requestId)),
    transactionsOfAll: (requestIds) =>
      transactionsWhere(isOneOf(transactions.requestId, requestIds)),
  }
}

/** Deposits, oldest first. */
export const depositsInOrder = (db: Database['db'], condition: SQL | undefined) =>
  db
    .select()
    .from(depositTable)
    .where(condition)
    .orderBy(depositTable.timestamp, depositTable.blockNumber, depositTable.depositId)

export const transactionsInOrder = (db: Database['db'], condition: SQL | undefined) =>
  db.select().from(solverTransactionTable).where(condition).orderBy(solverTransactionTable.nonce)
