import pg from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { toChainId } from '#src/core/units/chainId.ts'
import { type Lease, LeaseLostError } from '#src/requests/lease.ts'
import { fencedStore, type RequestStore } from '#src/requests/requestStore.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { openPglite } from '#src/requests/store/connection/openPglite.ts'
import { openPostgres } from '#src/requests/store/connection/openPostgres.ts'
import { checkFence, createLeases, type Leases } from '#src/requests/store/queries/leases.ts'
import { saveBatch } from '#src/requests/store/queries/saveBatch.ts'
import { createLeadership } from '#src/system/leadership.ts'
import { patience } from '#test/support/patience.ts'
import {
  createPgliteHome,
  createPostgresHome,
  serverUrl,
  silentLog,
} from '#test/support/store/storeHome.ts'

const timing = { beatMs: 100, leaseMs: 2_000, retryMs: 20 }
const chainId = toChainId(990001)

const undo: (() => Promise<unknown>)[] = []
const closing: (() => Promise<unknown>)[] = []
const thawing: (() => void)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const thaw of thawing.splice(0)) thaw()
  await Promise.all(closing.splice(0).map((close) => close()))
  for (const each of undo.splice(0).reverse()) await each()
})

/** A database that several processes would share, each with its own access to the leases. */
async function openDatabase(kind: string): Promise<Database> {
  const home = await (kind === 'Postgres' ? createPostgresHome() : createPgliteHome())
  undo.push(home.remove)
  const { directory, databaseUrl } = home.where
  const database = await (databaseUrl === undefined
    ? openPglite(directory)
    : openPostgres(databaseUrl, silentLog))
  undo.push(database.close)
  return database
}

const leasesIn = ({ atomically }: Database): Leases =>
  createLeases(async (statement) => {
    const outcome = await atomically([statement])
    if (outcome === 'conflict') throw new Error('A lease is never in conflict')
    return outcome[0] ?? []
  })

/** The leases as a process sees them that can be frozen: then no call of it returns, until it is thawed and fails. */
function freezable(leases: Leases) {
  let frozen: PromiseWithResolvers<never> | undefined
  const calls = Object.entries(leases).map(([name, call]) => [
    name,
    async (...args: never[]) =>
      frozen?.promise ?? (call as (...values: never[]) => Promise<unknown>)(...args),
  ])
  const thaw = () => {
    frozen?.promise.catch(() => undefined)
    frozen?.reject(new Error('The process was frozen'))
    frozen = undefined
  }
  thawing.push(thaw)
  return {
    leases: Object.fromEntries(calls) as Leases,
    freeze: () => {
      frozen = Promise.withResolvers()
    },
    thaw,
  }
}

/** One process, and the leases that its work got, the last one last. */
function startProcess(leases: Leases) {
  const leadership = createLeadership({ log: silentLog, leases }, timing)
  closing.push(leadership.close)
  const given: { lease: Lease; signal: AbortSignal }[] = []
  const end = leadership.lead('solver:1', async (signal, lease) => {
    given.push({ lease, signal })
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  })
  const leads = async () => {
    await vi.waitUntil(() => given.length > 0, patience)
    const last = given.at(-1)
    if (last === undefined) throw new Error('It never led')
    return last
  }
  return { leadership, given, leads, end }
}

/** Saves a cursor as the holder of the lease does. */
function saveAs({ lease }: Readonly<{ lease: Lease }>, database: Database, number: bigint) {
  const save: RequestStore['save'] = async (batch) => {
    const outcome = await saveBatch({ ...database, webhookKeys: new Set() }, batch)
    return outcome === 'conflict' ? outcome : 'saved'
  }
  const hash = '0x00' as const
  return fencedStore({ save } as RequestStore, lease).save({
    cursor: { chainId, genesis: hash, block: { number, hash } },
  })
}

const savedHeight = async ({ atomically }: Database): Promise<unknown> =>
  atomically([{ text: 'select block_number from chain_cursors', params: [] }])

/** The lease as the database sees it, without what the process knows by itself. */
const byDatabaseAlone = ({ lease }: Readonly<{ lease: Lease }>) => {
  const fence = lease.fence()
  return { lease: { ...lease, fence: () => fence } }
}

const kinds = serverUrl === undefined ? ['PGlite'] : ['PGlite', 'Postgres']

describe.each(kinds)('leadership by leases on %s', (kind) => {
  it('a leader that stops renewing its lease is replaced, and its writes are refused', async () => {
    const database = await openDatabase(kind)
    const { leases, freeze } = freezable(leasesIn(database))
    const one = startProcess(leases)
    const first = await one.leads()
    const unaware = byDatabaseAlone(first)
    expect(await saveAs(first, database, 1n)).toBe('saved')
    const other = startProcess(leasesIn(database))
    freeze()
    const second = await other.leads()
    expect(await saveAs(second, database, 2n)).toBe('saved')
    // By its own clock, or by the database if the process has not checked its clock.
    await expect(saveAs(first, database, 3n)).rejects.toThrow(LeaseLostError)
    await expect(saveAs(unaware, database, 3n)).rejects.toThrow(LeaseLostError)
    await expect(first.lease.confirm()).rejects.toThrow(LeaseLostError)
    expect(await savedHeight(database)).toEqual([[['2']]])
    expect(first.signal.aborted).toBe(true)
    expect(one.leadership.lossesOf('solver:1')).toBe(1)
    expect(second.lease.fence()?.token).toBeGreaterThan(unaware.lease.fence()?.token ?? 0n)
  })

  it('an expired lease has ended, even if no other process took it', async () => {
    const database = await openDatabase(kind)
    const { leases, freeze, thaw } = freezable(leasesIn(database))
    const one = startProcess(leases)
    const first = await one.leads()
    const unaware = byDatabaseAlone(first)
    freeze()
    await vi.waitUntil(() => first.signal.aborted, patience)
    const term = unaware.lease.fence() ?? { duty: '', token: 0n }
    await vi.waitUntil(async () => !(await leasesIn(database).isHeld(term)), patience)
    await expect(saveAs(unaware, database, 1n)).rejects.toThrow(LeaseLostError)
    thaw()
    // It becomes the leader again, in a new term.
    await vi.waitUntil(() => one.given.length === 2, patience)
    expect(await saveAs(await one.leads(), database, 2n)).toBe('saved')
    await expect(saveAs(unaware, database, 3n)).rejects.toThrow(LeaseLostError)
  })

  it('the clock of a process does not matter', async () => {
    const database = await openDatabase(kind)
    vi.useFakeTimers({ toFake: ['Date'] })
    const one = startProcess(leasesIn(database))
    const first = await one.leads()
    for (const hours of [1, -2]) {
      vi.setSystemTime(Date.now() + hours * 3_600_000)
      const other = startProcess(leasesIn(database))
      await vi.waitUntil(() => other.leadership.stateOf('solver:1') === 'standsBy', patience)
      await first.lease.confirm()
      expect(await saveAs(first, database, 1n)).toBe('saved')
      await other.end()
      expect(other.given).toEqual([])
    }
  })

  it('passes to another process at once when the leader releases it after its work has ended', async () => {
    const database = await openDatabase(kind)
    const leases = leasesIn(database)
    const one = startProcess(leases)
    const first = await one.leads()
    const { token = 0n } = first.lease.fence() ?? {}
    await one.end()
    await expect(first.lease.confirm()).rejects.toThrow(LeaseLostError)
    // Nobody waits for the lease to run out.
    expect(await leases.acquire('solver:1', 'another', 60_000)).toBe(token + 1n)
  })

  it('is separate for each duty', async () => {
    const leases = leasesIn(await openDatabase(kind))
    expect(await leases.acquire('tracker:1', 'one', 60_000)).toBe(1n)
    expect(await leases.acquire('tracker:2', 'other', 60_000)).toBe(1n)
    expect(await leases.acquire('tracker:1', 'other', 60_000)).toBeUndefined()
    const terms = ['tracker:1', 'tracker:2', 'solver:1'].map((duty) => ({ duty, token: 1n }))
    expect((await leases.renew(terms, 60_000)).toSorted()).toEqual(['tracker:1', 'tracker:2'])
    await leases.release({ duty: 'tracker:1', token: 1n })
    expect(await leases.acquire('tracker:1', 'other', 60_000)).toBe(2n)
    expect(await leases.renew([{ duty: 'tracker:1', token: 1n }], 60_000)).toEqual([])
    expect(await leases.isHeld({ duty: 'tracker:1', token: 1n })).toBe(false)
    expect(await leases.isHeld({ duty: 'tracker:1', token: 2n })).toBe(true)
  })
})

describe.skipIf(serverUrl === undefined)('leases and transactions (TEST_DATABASE_URL)', () => {
  it('a term begins once the last transaction of the previous term has ended', async () => {
    const home = await createPostgresHome()
    undo.push(home.remove)
    const database = await openPostgres(home.where.databaseUrl ?? '', silentLog)
    undo.push(database.close)
    const leases = leasesIn(database)
    const writer = new pg.Client({ connectionString: home.where.databaseUrl })
    await writer.connect()
    undo.push(() => writer.end())
    const token = (await leases.acquire('solver:1', 'one', 500)) ?? 0n
    await writer.query('begin')
    const { text, params } = checkFence({ duty: 'solver:1', token })
    expect((await writer.query(text, [...params])).rows).toHaveLength(1)
    await vi.waitUntil(async () => !(await leases.isHeld({ duty: 'solver:1', token })), patience)
    let next: bigint | undefined
    const acquiring = leases.acquire('solver:1', 'other', 60_000).then((each) => {
      next = each
    })
    await vi.waitUntil(
      async () =>
        (
          await home.query(
            `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          )
        ).length > 0,
      patience,
    )
    expect(next).toBeUndefined()
    await writer.query('commit')
    await acquiring
    expect(next).toBe(token + 1n)
  })

  it('the server ends the transaction of a process that freezes during it', async () => {
    const database = await openDatabase('Postgres')
    const text = `select current_setting('idle_in_transaction_session_timeout')`
    expect(await database.atomically([{ text, params: [] }])).toEqual([[['5s']]])
  })
})
