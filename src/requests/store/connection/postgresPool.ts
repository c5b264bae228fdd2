import pg from 'pg'

/**
 * A pool of connections. It replaces lost connections at the next use. `log` gets the reason of each loss.
 *
 * Each connection has its own error listener, because the pool removes its listener when it hands out a connection.
 * Without one, a broken connection would end this process.
 */
export function openPool(options: pg.PoolConfig, log: (reason: string) => void): pg.Pool {
  const pool = new pg.Pool({ ...options, keepAlive: true })
  pool.on('error', ({ message }) => log(message))
  // A lost connection also rejects the running query.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}
