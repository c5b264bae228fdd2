import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { quotedRequest } from '#test/quotedRequest.ts'
import { createPostgresHome, type StoreHome, serverUrl, silentLog } from '#test/storeHome.ts'
import { openRequestStore, type RequestStore } from './requestStore.ts'

describe.skipIf(serverUrl === undefined)('a store whose Postgres goes away', () => {
  let home: StoreHome
  let store: RequestStore
  const warned: unknown[] = []
  const failed: unknown[] = []
  beforeAll(async () => {
    home = await createPostgresHome()
    store = await home.open({
      ...silentLog,
      warn: (entry: unknown) => warned.push(entry),
      error: (entry: unknown) => failed.push(entry),
    })
  })
  afterAll(async () => {
    await store?.close()
    await home?.remove()
  })

  /** Ends the connections of the store that are in such a state; tells how many there were. */
  const disconnect = async (state: string) => {
    const ended = await home.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'crossquote' and ${state}`,
    )
    return ended.length
  }

  it('fails all that was being stored, says why once, and stores again afterwards', async () => {
    const holder = new pg.Client({ connectionString: home.where.databaseUrl })
    await holder.connect()
    await holder.query('begin; lock table requests')
    const requests = ['1', '2', '3'].map((digit) => quotedRequest(`0x${digit.repeat(64)}`))
    const puts = Promise.allSettled(requests.map(store.put))
    await vi.waitUntil(async () => (await disconnect(`wait_event_type = 'Lock'`)) > 0)
    for (const put of await puts)
      expect(put).toMatchObject({
        reason: {
          code: 'SERVICE_UNAVAILABLE',
          message: 'Requests cannot be stored or looked up now. Try again.',
        },
      })
    await holder.query('rollback')
    await holder.end()
    expect(failed).toEqual([{ reason: expect.stringContaining('terminating connection') }])

    await Promise.all(requests.map(store.put))
    for (const { requestId } of requests)
      expect(await store.find(requestId)).toMatchObject({ requestId })
  })

  it('outlives the loss of connections that it is not using', async () => {
    warned.length = 0
    const ended = await disconnect(`state = 'idle'`)
    expect(ended).toBeGreaterThan(0)
    await vi.waitUntil(() => warned.length >= ended)
    const request = quotedRequest(`0x${'4'.repeat(64)}`)
    await store.put(request)
    expect(await store.find(request.requestId)).toMatchObject(request)
  })
})

it('says that the server cannot be reached, and nothing of the password', async () => {
  const databaseUrl = 'postgres://someone:secret@127.0.0.1:1/test'
  await expect(
    openRequestStore({ log: silentLog }, { databaseUrl, directory: '/nowhere' }),
  ).rejects.toThrow(/^The store of requests does not open: connect ECONNREFUSED 127.0.0.1:1$/)
})

it('says that the URL is none, and nothing of the password', async () => {
  const databaseUrl = 'postgres://someone:secret@:port/test'
  await expect(
    openRequestStore({ log: silentLog }, { databaseUrl, directory: '/nowhere' }),
  ).rejects.toThrow(/^The store of requests does not open: Invalid URL$/)
})
