import type pg from 'pg'
import type { Database, Rows, Statement } from './database.ts'

/** Runs each transaction on one connection of the pool. */
export function createTransact(pool: pg.Pool): Database['atomically'] {
  /** Each connection parses and plans a named statement once. */
  const names = new Map<string, string>()
  const nameOf = (text: string) => {
    const name = names.get(text) ?? `batch_${names.size}`
    names.set(text, name)
    return name
  }

  async function runAll(client: pg.PoolClient, statements: readonly Statement[]) {
    const results: Rows[] = []
    await client.query(begin)
    for (const { text, params, rows } of statements) {
      const query = { name: nameOf(text), text, values: [...params], rowMode: 'array', types }
      const result = await client.query<(string | null)[]>(query as pg.QueryArrayConfig)
      if (rows !== undefined && rows !== result.rows.length) {
        await client.query('rollback')
        return 'conflict'
      }
      results.push(result.rows)
    }
    await client.query('commit')
    return results
  }

  return async (statements) => {
    const client = await pool.connect()
    let failed = true
    try {
      const outcome = await runAll(client, statements)
      failed = false
      return outcome
    } catch (error) {
      if (conflictCodes.has((error as { code?: string }).code ?? '')) return 'conflict'
      throw error
    } finally {
      // A failed connection is closed, which rolls the transaction back.
      client.release(failed)
    }
  }
}

const types = { getTypeParser: () => (value: unknown) => value }

/**
 * Makes the server end the transaction of a frozen process and release its locks. The timeout is shorter than a lease,
 * so that the next leader does not wait. It applies to this transaction only, as the server may be behind a pooler.
 */
const begin = `begin; set local idle_in_transaction_session_timeout = '5s'`

/**
 * serialization_failure and deadlock_detected: a conflict with another transaction.
 * @source https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const conflictCodes = new Set(['40001', '40P01'])
