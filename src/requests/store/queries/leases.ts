import { type SQL, sql } from 'drizzle-orm'
import { type Fence, LeaseLostError } from '#src/requests/lease.ts'
import type { Database, Rows, Statement } from '#src/requests/store/connection/database.ts'
import { leaseTable } from '#src/requests/store/tables/chainTable.ts'
import { arrayOf, bare, toStatement } from './statement.ts'

/** Leases of duties, by the clock of the database, because the clocks of processes may differ. */
export type Leases = Readonly<{
  /**
   * Acquires the duty for `leaseMs` if no other process holds it. Returns the token of the new term; undefined while
   * another process holds the duty.
   */
  acquire: (duty: string, holder: string, leaseMs: number) => Promise<bigint | undefined>
  /** Extends the terms that are not over. Returns their duties. */
  renew: (terms: readonly Fence[], leaseMs: number) => Promise<readonly string[]>
  /** Whether the term is not over. */
  isHeld: (term: Fence) => Promise<boolean>
  /** Ends the term, so that another process can begin at once. */
  release: (term: Fence) => Promise<void>
  /** Deletes the lease of a duty that is done, if `holder` has it. Tokens start again: only for duties without a fence. */
  forget: (duty: string, holder: string) => Promise<void>
}>

const { duty, token, holder, expiresAt } = leaseTable

/** The time of the statement, not of the transaction's start: the transaction may have waited for a lock. */
const now = sql`clock_timestamp()`
const after = (milliseconds: number): SQL =>
  sql`${now} + ${milliseconds}::float8 * interval '1 millisecond'`

/** `run` executes one statement and returns its rows. It needs no session state, so that a pooler may be used. */
export function createLeases(run: (statement: Statement) => Promise<Rows>): Leases {
  return {
    acquire: async (wanted, process, leaseMs) => {
      const [row] = await run(
        toStatement(sql`
          insert into ${leaseTable} (${bare(duty)}, ${bare(token)}, ${bare(holder)}, ${bare(expiresAt)})
          values (${wanted}, 1, ${process}, ${after(leaseMs)})
          on conflict (${bare(duty)}) do update set ${bare(token)} = ${token} + 1,
            ${bare(holder)} = excluded.${bare(holder)}, ${bare(expiresAt)} = ${after(leaseMs)}
          where ${expiresAt} <= ${now} or ${holder} = excluded.${bare(holder)}
          returning ${bare(token)}`),
      )
      return row === undefined ? undefined : BigInt(row[0] ?? 0)
    },
    renew: async (terms, leaseMs) => {
      const rows = await run(
        toStatement(sql`
          update ${leaseTable} set ${bare(expiresAt)} = ${after(leaseMs)}
          where (${bare(duty)}, ${bare(token)}) in (${termsOf(terms)}) and ${expiresAt} > ${now}
          returning ${bare(duty)}`),
      )
      return rows.flatMap(([name]) => name ?? [])
    },
    isHeld: async (term) => (await run(readLease(term))).length > 0,
    forget: async (done, process) => {
      await run(
        toStatement(
          sql`delete from ${leaseTable} where ${duty} = ${done} and ${holder} = ${process}`,
        ),
      )
    },
    release: async (term) => {
      await run(
        toStatement(sql`update ${leaseTable} set ${bare(expiresAt)} = ${now} where ${isOf(term)}`),
      )
    },
  }
}

const termsOf = (terms: readonly Fence[]): SQL => {
  const duties = arrayOf(terms.map((each) => each.duty))
  const tokens = arrayOf(terms.map((each) => `${each.token}`))
  return sql`select * from unnest(${duties}::text[], ${tokens}::bigint[])`
}

const isOf = (term: Fence): SQL =>
  sql`${duty} = ${term.duty} and ${token} = ${`${term.token}`}::bigint`

const readLease = (term: Fence): Statement =>
  toStatement(sql`select 1 from ${leaseTable} where ${isOf(term)} and ${expiresAt} > ${now}`)

/**
 * Refuses its transaction if the term is over. Its lock delays the next term until the transaction has ended, so that
 * the next leader reads the written rows.
 */
export const checkFence = (term: Fence): Statement => {
  const { text, params } = readLease(term)
  return { text: `${text} for share`, params, rows: 1 }
}

/**
 * Runs one statement, and refuses it if the term is over. Returns its rows. @throws LeaseLostError; what the database throws
 */
export async function runFenced(
  atomically: Database['atomically'],
  statement: SQL,
  fence: Fence | undefined,
): Promise<Rows> {
  const fences = fence === undefined ? [] : [checkFence(fence)]
  const outcome = await atomically([toStatement(statement), ...fences])
  if (outcome !== 'conflict') return outcome[0] ?? []
  if (fence !== undefined) await throwIfLost(atomically, fence)
  throw new Error('The statement was in conflict with another transaction')
}

/** Finds the reason of a refused transaction with a fence. @throws LeaseLostError if its term is over */
export async function throwIfLost(atomically: Database['atomically'], term: Fence): Promise<void> {
  const outcome = await atomically([readLease(term)])
  if (outcome !== 'conflict' && outcome[0]?.length === 0) throw new LeaseLostError(term.duty)
}
