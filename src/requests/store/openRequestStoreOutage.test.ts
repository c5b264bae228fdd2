import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createLocalBus } from '#src/requests/events/bus.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import { startTcpProxy } from '#test/support/clients/tcpProxy.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { patience } from '#test/support/patience.ts'
import {
  createPostgresHome,
  type StoreHome,
  serverUrl,
  silentLog,
} from '#test/support/store/storeHome.ts'
import { openRequestStore } from './openRequestStore.ts'

const block = { number: 1n, hash: `0x${'1'.repeat(64)}` } as const
const deps = { log: silentLog, bus: createLocalBus() }

/** @source https://www.postgresql.org/docs/current/protocol-message-formats.html */
const readyForQuery = Buffer.from('Z\0\0\0\x05I')

/** A server says so when an operator ends a connection or stops the server. */
const terminated = (() => {
  const fields = Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0')
  const length = Buffer.alloc(4)
  length.writeInt32BE(fields.length + length.length)
  return Buffer.concat([Buffer.from('E'), length, fields])
})()

describe.skipIf(serverUrl === undefined)(
  'a request store whose Postgres becomes unavailable',
  () => {
    let home: StoreHome
    let store: RequestStore
    const received: unknown[] = []
    const warned: unknown[] = []
    const failed: unknown[] = []
    beforeAll(async () => {
      home = await createPostgresHome()
      const bus = createLocalBus()
      bus.listen((wakeup) => received.push(wakeup))
      store = await home.open({
        bus,
        log: {
          ...silentLog,
          warn: (entry: unknown) => warned.push(entry),
          error: (entry: unknown) => failed.push(entry),
        },
      })
    })
    afterAll(async () => {
      await store?.close()
      await home?.remove()
    })

    /** Ends the store's connections in this state and returns their number. */
    const disconnect = async (state: string) => {
      const ended = await home.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'crossquote' and ${state}`,
      )
      return ended.length
    }

    it('fails all requests being stored, logs the reason once, and recovers', async () => {
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
            message: 'Requests cannot be stored or read at the moment. Try again.',
          },
        })
      await holder.query('rollback')
      await holder.end()
      expect(failed).toEqual([{ reason: expect.stringContaining('terminating connection') }])

      await Promise.all(requests.map(store.put))
      for (const { requestId } of requests)
        expect(await store.find(requestId)).toMatchObject({ requestId })
    })

    it('fails a batch being saved as a whole, and saves it afterwards', async () => {
      failed.length = 0
      const request = quotedRequest(`0x${'5'.repeat(64)}`)
      await store.put(request)
      const stored = (await store.find(request.requestId)) as StoredRequest
      const batch = {
        requests: [{ ...stored, state: { ...stored.state, seq: 1 } }],
        cursor: { chainId: stored.originChainId, genesis: stored.requestId, block },
      }
      // The batch is half done: the change and the request are written.
      const holder = new pg.Client({ connectionString: home.where.databaseUrl })
      await holder.connect()
      await holder.query('begin; lock table chain_cursors')
      const saving = Promise.allSettled([store.save(batch)])
      await vi.waitUntil(async () => (await disconnect(`wait_event_type = 'Lock'`)) > 0)
      expect(await saving).toMatchObject([{ reason: { code: 'SERVICE_UNAVAILABLE' } }])
      await holder.query('rollback')
      await holder.end()
      expect(failed).toEqual([{ reason: expect.stringContaining('terminating connection') }])

      expect(await store.find(request.requestId)).toStrictEqual(stored)
      expect(await store.changesAfter(request.requestId, 0)).toEqual([])
      expect(received).toEqual([])
      expect(await store.save(batch)).toBe('saved')
      expect(received).toHaveLength(1)
      expect(await store.changesAfter(request.requestId, 0)).toHaveLength(1)
    })

    it('reports that the server is away, refuses at once, and goes on once it is back', async () => {
      const url = new URL(home.where.databaseUrl ?? '')
      const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) })
      url.host = `127.0.0.1:${proxy.port}`
      const proxied = await openRequestStore(deps, { databaseUrl: url.href, directory: '/nowhere' })
      const request = quotedRequest(`0x${'6'.repeat(64)}`)
      proxy.down()
      await expect(proxied.put(request)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
      await vi.waitUntil(() => !proxied.health().ok, patience)
      const reason = 'the database server does not answer'
      expect(proxied.health()).toEqual({ ok: false, reason })
      await expect(proxied.put(request)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
      proxy.up()
      await vi.waitUntil(() => proxied.health().ok, patience)
      await proxied.put(request)
      await proxied.close()
      await proxy.stop()
    })

    it('does not let callers wait for a server that hangs until their queries time out', async () => {
      const url = new URL(home.where.databaseUrl ?? '')
      const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) })
      url.host = `127.0.0.1:${proxy.port}`
      const logged: unknown[] = []
      const error = (_: unknown, message?: string) => void logged.push(message)
      const proxied = await openRequestStore(
        { ...deps, log: { ...silentLog, error } },
        { databaseUrl: url.href, directory: '/nowhere' },
      )
      const request = quotedRequest(`0x${'7'.repeat(64)}`)
      await proxied.put(request)
      proxy.hang()
      const { requestId } = request
      const calls = [
        () => proxied.put(quotedRequest(`0x${'8'.repeat(64)}`)),
        () => proxied.find(requestId),
        () => proxied.list({ first: 1 }),
        () => proxied.addHint({ chainId: request.originChainId, txHash: requestId }),
        () => proxied.firstQuotedAt(request.originChainId),
        () => proxied.pendingSwaps(request.originChainId),
        () => proxied.fillable(request.destinationChainId, false, { limit: 1 }),
        () => proxied.overdue(request.originChainId, 0),
      ]
      for (const outcome of await Promise.allSettled(calls.map((call) => call())))
        expect(outcome).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } })
      // No query has timed out yet.
      expect(logged).toEqual(['Requests cannot be stored'])
      proxy.heal()
      await vi.waitUntil(() => proxied.health().ok, patience)
      expect(await proxied.find(requestId)).toMatchObject({ requestId })
      await proxied.close()
      await proxy.stop()
    })

    it('survives connections that end in the moment in which they pass from one query to the next', async () => {
      const url = new URL(home.where.databaseUrl ?? '')
      const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) })
      url.host = `127.0.0.1:${proxy.port}`
      const proxied = await openRequestStore(deps, { databaseUrl: url.href, directory: '/nowhere' })
      const request = quotedRequest(`0x${'9'.repeat(64)}`)
      // As many as the pool has connections: each transaction waits for one that a query has.
      const findAll = () => Array.from({ length: 8 }, () => proxied.find(request.requestId))
      const claim = () => proxied.claimWebhooks({ apiKey: '', now: 0, leaseMs: 0, limit: 1 })
      await Promise.all(findAll())
      proxy.endWith((answer) => (answer.includes(readyForQuery) ? terminated : undefined))
      await Promise.allSettled([...findAll(), ...Array.from({ length: 8 }, claim)])
      proxy.heal()
      await vi.waitUntil(() => proxied.health().ok, patience)
      await proxied.put(request)
      expect(await proxied.find(request.requestId)).toMatchObject(request)
      await proxied.close()
      await proxy.stop()
    })

    it('survives the loss of idle connections', async () => {
      // The pool closes connections that were idle for ten seconds.
      await store.find('0x')
      warned.length = 0
      const ended = await disconnect(`state = 'idle'`)
      expect(ended).toBeGreaterThan(0)
      await vi.waitUntil(() => warned.length >= ended, patience)
      const request = quotedRequest(`0x${'4'.repeat(64)}`)
      await store.put(request)
      expect(await store.find(request.requestId)).toMatchObject(request)
    })
  },
)

it('reports an unreachable server without the password', async () => {
  const databaseUrl = 'postgres://someone:secret@127.0.0.1:1/test'
  await expect(openRequestStore(deps, { databaseUrl, directory: '/nowhere' })).rejects.toThrow(
    /^Could not open the request store: connect ECONNREFUSED 127.0.0.1:1$/,
  )
})

it('reports an invalid URL without the password', async () => {
  const databaseUrl = 'postgres://someone:secret@:port/test'
  await expect(openRequestStore(deps, { databaseUrl, directory: '/nowhere' })).rejects.toThrow(
    /^Could not open the request store: ERR_INVALID_URL: Invalid URL$/,
  )
})
