import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { initialState } from '#src/requests/state/requestState.ts'
import { requestArbitrary } from '#test/support/arbitraries/requestArbitrary.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { type StoreHome, silentLog, storeHomes } from '#test/support/store/storeHome.ts'

const idOf = (number: number): `0x${string}` => `0x${number.toString(16).padStart(64, '0')}`
const randomId = (): `0x${string}` => `0x${randomBytes(32).toString('hex')}`
const outcomeOf = (put: Promise<void>): Promise<string> =>
  put.then(
    () => 'stored',
    (error: Error) => error.message,
  )

describe.each(storeHomes)('a request store on %s', (_, createHome) => {
  let home: StoreHome
  let store: RequestStore
  const logged: unknown[] = []
  beforeAll(async () => {
    home = await createHome()
    store = await home.open({
      log: { ...silentLog, error: (entry: unknown) => logged.push(entry) },
    })
  })
  afterAll(async () => {
    await store?.close()
    await home?.remove()
  })

  it('returns requests as they were put, with status waiting', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(requestArbitrary, { minLength: 1 }), async (drawn) => {
        const requests = drawn.map((request) => ({ ...request, requestId: randomId() }))
        await Promise.all(requests.map(store.put))
        for (const request of requests)
          expect(await store.find(request.requestId)).toStrictEqual({
            ...request,
            state: initialState(request),
            version: 1,
          })
      }),
    )
  })

  it('finds nothing for an unknown request', async () => {
    expect(await store.find(idOf(1))).toBeUndefined()
  })

  it('refuses only the second request with the same id, in the same batch or later', async () => {
    const puts = [idOf(2), idOf(3), idOf(2)].map((id) => outcomeOf(store.put(quotedRequest(id))))
    const refused = `Request ${idOf(2)} is already stored`
    expect(await Promise.all(puts)).toEqual(['stored', 'stored', refused])
    expect(await outcomeOf(store.put(quotedRequest(idOf(2))))).toBe(refused)
  })

  it('fails only the request that the database refuses, with the reason in the log', async () => {
    const bad = { ...quotedRequest(idOf(5)), referrer: 'a\0b' }
    logged.length = 0
    const puts = [quotedRequest(idOf(4)), bad, quotedRequest(idOf(6))].map(store.put)
    const [before, between, after] = await Promise.allSettled(puts)
    expect([before?.status, after?.status]).toEqual(['fulfilled', 'fulfilled'])
    expect(between).toMatchObject({
      reason: {
        code: 'SERVICE_UNAVAILABLE',
        message: 'Requests cannot be stored or read at the moment. Try again.',
      },
    })
    expect(logged).toEqual([{ reason: expect.stringMatching(/unicode|utf8|0x00/i) }])
    expect(await store.find(idOf(4))).toBeDefined()
    expect(await store.find(idOf(5))).toBeUndefined()
  })

  it('stores a burst of 500 in few transactions, and all of it before closing', async () => {
    const put = (id: `0x${string}`) => outcomeOf(store.put(quotedRequest(id)))
    const ids = Array.from({ length: 1_000 }, (_each, at) => idOf(1_000 + at))
    // Each request arrives in its own callback.
    const arrivals = ids.slice(0, 500).map(async (id) => {
      await setImmediate()
      return put(id)
    })
    const ends = await Promise.all(arrivals)
    const puts = ids.slice(500).map(put)
    await store.close()
    expect(new Set([...ends, ...(await Promise.all(puts))])).toEqual(new Set(['stored']))
    await expect(store.put(quotedRequest(idOf(9)))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    })

    // A row's xmin is the transaction that inserted it.
    const [counted] = await home.query(
      `select count(*)::int as rows, count(distinct xmin::text)::int as transactions
       from requests where request_id between '${ids[0]}' and '${ids[999]}'`,
    )
    expect(counted).toEqual({ rows: 1_000, transactions: 8 })
  })
})
