import { expect, it } from 'vitest'
import { serverUrl } from '#test/support/store/storeHome.ts'
import { openPool } from './openPostgres.ts'

it.skipIf(serverUrl === undefined)(
  'survives a connection that the server ends between two queries (TEST_DATABASE_URL)',
  async () => {
    const pool = openPool({ connectionString: serverUrl }, () => undefined)
    const client = await pool.connect()
    const { rows } = await client.query('select pg_backend_pid() as pid')
    const ended = new Promise<void>((resolve) => {
      client.on('end', resolve)
    })
    await pool.query('select pg_terminate_backend($1)', [rows[0].pid])
    await ended
    await expect(client.query('select 1')).rejects.toThrow()
    client.release(true)
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await pool.end()
  },
)
