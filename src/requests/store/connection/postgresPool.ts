import pg from 'pg'

/**
 * A pool of connections. One that the server ends is replaced at its next use. `log` takes the lost ones.
 *
 * Each connection has a listener of its own for errors: the pool takes its own listener off when it hands a connection out,
 * and one that breaks before the caller has added another would end this process.
 */
export function openPool(options: pg.PoolConfig, log: (reason: string) => void): pg.Pool {
  const pool = new pg.Pool({ ...options, keepAlive: true })
  pool.on('error', ({ message }) => log(message))
  // A lost connection also rejects the running query.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}
