import pg from 'pg'

/**
 * invalid_sql_statement_name and duplicate_prepared_statement: another connection has prepared the statement, or this
 * connection has prepared the statement of another client.
 * @source https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const foreignStatement = new Set(['26000', '42P05'])

/**
 * Refuses a pooler that gives each transaction another connection without preparing the statements there. Named
 * statements would fail, or run as the statements of another process.
 * @throws Error that names the required change
 */
export async function refuseUnsupportedPooler(settings: pg.ClientConfig): Promise<void> {
  const clients = [new pg.Client(settings), new pg.Client(settings)] as const
  const [client, other] = clients
  for (const each of clients) each.on('error', () => undefined)
  const probe = () => client.query({ name: 'crossquote_probe', text: 'select 1' })
  try {
    await Promise.all(clients.map((each) => each.connect()))
    await probe()
    // Takes the connection that has just become idle, if the pooler shares connections.
    await other.query('begin')
    for (let count = 0; count < 3; count += 1) await probe()
    await other.query('rollback')
  } catch (error) {
    if (!foreignStatement.has((error as { code?: string }).code ?? '')) throw error
    throw new Error(
      'The database is behind a connection pooler in transaction mode that does not keep prepared statements. Use PgBouncer 1.21 or later with max_prepared_statements above 0, or its session mode.',
    )
  } finally {
    await Promise.all(clients.map((each) => each.end().catch(() => undefined)))
  }
}
