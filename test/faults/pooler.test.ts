import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { pause } from '#src/chains/backoff.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'
import { createLeadership } from '#src/system/leadership.ts'
import { connectLeases } from '#src/system/leaseConnection.ts'
import { isListening } from '#test/support/clients/isListening.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { patience } from '#test/support/patience.ts'
import { createPostgresHome, serverUrl, silentLog } from '#test/support/store/storeHome.ts'

/** Not among the packages: the tests run only if the machine has it. */
const program = 'pgbouncer'
const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
const hasPgBouncer = status === 0
/** Since 1.21. */
const keepsStatements = Number(/\b1\.(\d+)/.exec(stdout ?? '')?.[1] ?? 0) >= 21

const undo: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** The URL of a new database behind a PgBouncer that gives each transaction any of a few connections. */
async function startPooler() {
  const home = await createPostgresHome()
  undo.push(home.remove)
  const target = new URL(home.where.databaseUrl ?? '')
  const directory = mkdtempSync(join(tmpdir(), 'pooler-'))
  undo.push(() => rmSync(directory, { recursive: true }))
  // PgBouncer gives up the rights of root before it reads its file again.
  chmodSync(directory, 0o755)
  const port = await freePort()
  const config = join(directory, 'pgbouncer.ini')
  const user = `user=${target.username} password=${target.password || 'none'}`
  writeFileSync(
    config,
    `[databases]
* = host=${target.hostname} port=${target.port} ${user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
server_round_robin = 1
${keepsStatements ? 'max_prepared_statements = 100' : ''}
`,
  )
  const asRoot = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const pooler = spawn(program, [...asRoot, config], { stdio: 'ignore' })
  const gone = once(pooler, 'close')
  undo.push(async () => {
    pooler.kill('SIGKILL')
    await gone
  })
  await vi.waitUntil(() => isListening(port), patience)
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = `${port}`
  return { databaseUrl: url.href, home }
}

describe.skipIf(serverUrl === undefined || !hasPgBouncer)(
  'behind PgBouncer in transaction mode (TEST_DATABASE_URL, pgbouncer)',
  () => {
    it('one of two processes leads, and then the other one', async () => {
      const { databaseUrl, home } = await startPooler()
      // Makes the tables.
      await (await home.open()).close()
      // A lease that no load of the machine lets run out.
      const timing = { beatMs: 50, leaseMs: 600_000, retryMs: 20 }
      const leaders: string[] = []
      const start = (who: string) => {
        const leases = connectLeases({ log: silentLog }, { databaseUrl, timeoutMs: 5_000 })
        const leadership = createLeadership({ log: silentLog, leases }, timing)
        undo.push(leases.close, leadership.close)
        const end = leadership.lead('solver:1', async (signal, lease) => {
          await lease.confirm()
          leaders.push(who)
          // Also ends if the signal has fired while the lease was confirmed.
          await pause(timing.leaseMs, signal)
        })
        return { end, state: () => leadership.stateOf('solver:1') }
      }
      const one = start('one')
      await vi.waitUntil(() => leaders.length === 1, patience)
      const other = start('other')
      await vi.waitUntil(() => other.state() === 'standsBy', patience)
      // It has renewed its lease over different connections.
      const [before] = await home.query('select expires_at from leases')
      await vi.waitUntil(async () => {
        const [now] = await home.query('select expires_at from leases')
        return Number(now?.['expires_at']) > Number(before?.['expires_at']) + 20 * timing.beatMs
      }, patience)
      expect([leaders, one.state()]).toEqual([['one'], 'leads'])
      await one.end()
      await vi.waitUntil(() => leaders.length === 2, patience)
      expect([leaders, other.state()]).toEqual([['one', 'other'], 'leads'])
    })

    it('processes that start together can store, or report the wrong setting of the pooler', async () => {
      const { databaseUrl } = await startPooler()
      const where = { directory: '/nowhere', databaseUrl }
      const opening = Array.from({ length: 4 }, () =>
        openRequestStore({ log: silentLog, bus: createLocalBus() }, where),
      )
      if (!keepsStatements) {
        const outcomes = await Promise.allSettled(opening)
        for (const each of outcomes) if (each.status === 'fulfilled') undo.push(each.value.close)
        for (const each of outcomes)
          expect(each).toMatchObject({
            reason: {
              message: expect.stringMatching(/does not keep prepared statements\. Use PgBouncer 1/),
            },
          })
        return
      }
      const stores = await Promise.all(opening)
      undo.push(...stores.map(({ close }) => close))
      await Promise.all(
        stores.flatMap((store, at) =>
          Array.from({ length: 20 }, async (_, count) => {
            const requestId = `0x${`${at}${count}`.padStart(64, '0')}` as const
            await store.put(quotedRequest(requestId))
            const request = await store.find(requestId)
            if (request === undefined) throw new Error('It was stored')
            const state = { ...request.state, seq: 1, status: 'pending' as const }
            expect(await store.save({ requests: [{ ...request, state }] })).toBe('saved')
          }),
        ),
      )
    })
  },
)
