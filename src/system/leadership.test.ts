import { once } from 'node:events'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startTcpProxy } from '#test/support/clients/tcpProxy.ts'
import { patience } from '#test/support/patience.ts'
import { createPostgresHome, serverUrl, silentLog } from '#test/support/store/storeHome.ts'
import { createLeadership, type Leadership } from './leadership.ts'
import { connectLeases } from './leaseConnection.ts'

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

const timing = { beatMs: 100, leaseMs: 1_000, retryMs: 50 }

function start(databaseUrl?: string, log = silentLog): Leadership {
  if (databaseUrl === undefined) return createLeadership({ log })
  const leases = connectLeases({ log }, { databaseUrl, timeoutMs: 500 })
  const leadership = createLeadership({ log, leases }, timing)
  undo.push(leases.close, leadership.close)
  return leadership
}

const ended = (signal: AbortSignal): Promise<unknown> =>
  signal.aborted ? Promise.resolve() : once(signal, 'abort')

/** Work that records who runs it. */
function createWatch() {
  const active = new Set<string>()
  const starts: string[] = []
  const workAs = (who: string) => async (signal: AbortSignal) => {
    active.add(who)
    starts.push(who)
    await ended(signal)
    active.delete(who)
  }
  return { active, starts, workAs }
}

async function enterDatabase() {
  const home = await createPostgresHome()
  undo.push(home.remove)
  await (await home.open()).close()
  const databaseUrl = new URL(home.where.databaseUrl ?? '')
  const port = Number(databaseUrl.port)
  const line = await startTcpProxy({ host: databaseUrl.hostname, port })
  undo.push(line.stop)
  const ownUrl = new URL(databaseUrl)
  ownUrl.port = `${line.port}`
  const disconnect = () =>
    home.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'crossquote leadership'`,
    )
  return { databaseUrl: databaseUrl.href, ownUrl: ownUrl.href, line, disconnect }
}

describe('leadership without a server', () => {
  it('leads every name at once, until it gives up', async () => {
    const { active, workAs } = createWatch()
    const leadership = start()
    const end = leadership.lead('tracker:1', workAs('tracker'))
    leadership.lead('solver:1', workAs('solver'))
    expect([...active]).toEqual(['tracker', 'solver'])
    await end()
    expect([...active]).toEqual(['solver'])
    expect(leadership.stateOf('tracker:1')).toBe('unknown')
    expect(leadership.stateOf('solver:1')).toBe('leads')
    await leadership.close()
    expect([...active]).toEqual([])
  })

  it('restarts work that failed or ended after a doubling backoff, and logs failures', async () => {
    const starts: number[] = []
    const logged: unknown[] = []
    const leadership = start(undefined, {
      ...silentLog,
      error: (entry: unknown) => logged.push(entry),
    })
    leadership.lead('tracker:1', async () => {
      starts.push(performance.now())
      if (starts.length !== 2) throw new Error('It broke')
    })
    await vi.waitUntil(() => starts.length >= 4, patience)
    const pauses = starts.slice(1).map((time, at) => time - (starts[at] ?? 0))
    for (const [at, pause] of pauses.slice(0, 3).entries())
      expect(pause).toBeGreaterThan(100 * 2 ** at - 5)
    const failure = { err: new Error('It broke'), name: 'tracker:1' }
    expect(logged.slice(0, 3)).toEqual([failure, failure, failure])
    await leadership.close()
  })
})

describe.skipIf(serverUrl === undefined)('leadership by a Postgres server', () => {
  it('survives the loss of its connections', async () => {
    const { databaseUrl, disconnect } = await enterDatabase()
    const { active, starts, workAs } = createWatch()
    const leadership = start(databaseUrl)
    leadership.lead('solver:1', workAs('one'))
    await vi.waitUntil(() => active.has('one'), patience)
    for (let losses = 0; losses < 3; losses += 1)
      // It has connected again each time.
      await vi.waitUntil(async () => (await disconnect()).length > 0, patience)
    expect(leadership.stateOf('solver:1')).toBe('leads')
    expect(starts).toEqual(['one'])
  })

  it('ends when the server stops answering, and begins again when it is back', async () => {
    const { ownUrl, line } = await enterDatabase()
    const { active, workAs } = createWatch()
    const leadership = start(ownUrl)
    leadership.lead('solver:1', workAs('far'))
    await vi.waitUntil(() => active.has('far'), patience)
    line.hang()
    await vi.waitUntil(
      () => leadership.stateOf('solver:1') === 'unknown' && active.size === 0,
      patience,
    )
    expect(leadership.lossesOf('solver:1')).toBe(1)
    line.heal()
    await vi.waitUntil(() => active.has('far'), patience)
  })

  it('closes when the server stops answering', async () => {
    const { ownUrl, line } = await enterDatabase()
    const { active, workAs } = createWatch()
    const leadership = start(ownUrl)
    leadership.lead('solver:1', workAs('far'))
    await vi.waitUntil(() => active.has('far'), patience)
    line.hang()
    await leadership.close()
    expect([...active]).toEqual([])
  })

  it('logs once that the server is unreachable, and leads when it is back', async () => {
    const { ownUrl, line } = await enterDatabase()
    line.down()
    const warned: unknown[] = []
    const { active, workAs } = createWatch()
    const leadership = start(ownUrl, {
      ...silentLog,
      warn: (entry: unknown) => warned.push(entry),
    })
    leadership.lead('solver:1', workAs('late'))
    await vi.waitUntil(() => line.refused() > 1, patience)
    line.up()
    await vi.waitUntil(() => active.has('late'), patience)
    expect(warned).toHaveLength(1)
  })
})
