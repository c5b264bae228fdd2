import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createPostgresHome, serverUrl, silentLog } from '#test/support/store/storeHome.ts'
import { createLeadership, type Leadership } from './leadership.ts'

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

const patience = { timeout: 60_000, interval: 10 }

function start(databaseUrl?: string, log = silentLog): Leadership {
  const leadership = createLeadership({ log }, databaseUrl === undefined ? {} : { databaseUrl })
  undo.push(leadership.close)
  return leadership
}

const ended = (signal: AbortSignal): Promise<unknown> =>
  signal.aborted ? Promise.resolve() : once(signal, 'abort')

/** Work that records who runs it, and detects two workers at the same time. */
function createWatch() {
  const active = new Set<string>()
  const starts: string[] = []
  let together = 0
  const workAs = (who: string) => async (signal: AbortSignal) => {
    if (active.size > 0) together += 1
    active.add(who)
    starts.push(who)
    await ended(signal)
    active.delete(who)
  }
  return { active, starts, together: () => together, workAs }
}

async function enterDatabase() {
  const home = await createPostgresHome()
  undo.push(home.remove)
  return {
    databaseUrl: home.where.databaseUrl ?? '',
    connections: () =>
      home.query(
        `select pid from pg_stat_activity
         where datname = current_database() and application_name = 'crossquote leadership'`,
      ),
    disconnectLeader: () =>
      home.query(
        `select pg_terminate_backend(pid) from pg_locks
         where locktype = 'advisory' and granted
         and database = (select oid from pg_database where datname = current_database())`,
      ),
  }
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
  it('has one leader at a time, and another after its connection is lost', async () => {
    const { databaseUrl, disconnectLeader } = await enterDatabase()
    const { active, starts, together, workAs } = createWatch()
    const processes = new Map(['a', 'b', 'c'].map((who) => [who, start(databaseUrl)]))
    for (const [who, each] of processes) each.lead('solver:1', workAs(who))
    for (let losses = 0; losses < 4; losses += 1) {
      await vi.waitUntil(() => starts.length > losses && active.size === 1, patience)
      const leaders = [...processes].filter(([, each]) => each.stateOf('solver:1') === 'leads')
      expect(leaders.map(([who]) => who)).toEqual([...active])
      expect(await disconnectLeader()).toHaveLength(1)
      await vi.waitUntil(() => starts.length > losses + 1, patience)
    }
    expect(together()).toBe(0)
  })

  it('passes to another process once the work has ended', async () => {
    const { databaseUrl } = await enterDatabase()
    const { active, starts, together, workAs } = createWatch()
    const [one, other] = [start(databaseUrl), start(databaseUrl)]
    const end = one.lead('solver:1', workAs('one'))
    await vi.waitUntil(() => active.has('one'), patience)
    other.lead('solver:1', workAs('other'))
    await end()
    await vi.waitUntil(() => active.has('other'), patience)
    one.lead('solver:1', workAs('one again'))
    await other.close()
    await vi.waitUntil(() => active.has('one again'), patience)
    expect(starts).toEqual(['one', 'other', 'one again'])
    expect(together()).toBe(0)
  })

  it('is separate for each name, over one connection', async () => {
    const { databaseUrl, connections } = await enterDatabase()
    const { active, workAs } = createWatch()
    const [one, other] = [start(databaseUrl), start(databaseUrl)]
    one.lead('tracker:1', workAs('tracker'))
    one.lead('tracker:2', workAs('second tracker'))
    await vi.waitUntil(() => active.size === 2, patience)
    other.lead('tracker:1', workAs('never'))
    other.lead('solver:1', workAs('solver'))
    await vi.waitUntil(() => active.size === 3, patience)
    expect([...active]).toEqual(['tracker', 'second tracker', 'solver'])
    expect(await connections()).toHaveLength(2)
  })

  it('ends when the server stops answering, before the server can notice', async () => {
    const { databaseUrl } = await enterDatabase()
    const line = await startLine(databaseUrl)
    const { active, workAs } = createWatch()
    const leadership = start(line.databaseUrl)
    leadership.lead('solver:1', workAs('far'))
    await vi.waitUntil(() => active.has('far'), patience)
    const before = performance.now()
    line.hang()
    await vi.waitUntil(
      () => leadership.stateOf('solver:1') === 'unknown' && active.size === 0,
      patience,
    )
    expect(performance.now() - before).toBeLessThan(8_000)
    line.mend()
    await vi.waitUntil(() => active.has('far'), patience)
  })

  it('closes when the server stops answering', async () => {
    const { databaseUrl } = await enterDatabase()
    const line = await startLine(databaseUrl)
    const { active, workAs } = createWatch()
    const leadership = start(line.databaseUrl)
    leadership.lead('solver:1', workAs('far'))
    await vi.waitUntil(() => active.has('far'), patience)
    line.hang()
    await leadership.close()
    expect([...active]).toEqual([])
  })

  it('logs once that the server is unreachable, and leads when it is back', async () => {
    const { databaseUrl } = await enterDatabase()
    const line = await startLine(databaseUrl)
    line.hang()
    const warned: unknown[] = []
    const { active, workAs } = createWatch()
    const leadership = start(line.databaseUrl, {
      ...silentLog,
      warn: (entry: unknown) => warned.push(entry),
    })
    leadership.lead('solver:1', workAs('late'))
    await vi.waitUntil(() => line.refused() > 1, patience)
    line.mend()
    await vi.waitUntil(() => active.has('late'), patience)
    expect(warned).toHaveLength(1)
  })
})

/** A TCP proxy to the server that can hang: open connections go silent, new ones are refused. */
async function startLine(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let hangs = false
  let refused = 0
  const server = createServer((near) => {
    if (hangs) {
      refused += 1
      near.destroy()
      return
    }
    const far = connect(Number(target.port), target.hostname)
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      sockets.add(from)
      from.on('error', () => undefined).on('close', () => to.destroy())
      from.pipe(to)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  undo.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const own = new URL(databaseUrl)
  own.port = String((server.address() as { port: number }).port)
  return {
    databaseUrl: own.href,
    refused: () => refused,
    hang: () => {
      hangs = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    mend: () => {
      hangs = false
      for (const socket of sockets) socket.destroy()
    },
  }
}
