import { sql } from 'drizzle-orm'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { createPgliteHome, createPostgresHome, serverUrl } from '#test/support/store/storeHome.ts'
import { limitedReads } from './callerReads.ts'

const id = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`

describe.skipIf(serverUrl === undefined)('reads of callers on Postgres', () => {
  it('end after their time, and leave the connection usable', async () => {
    const pool = new pg.Pool({ connectionString: serverUrl, max: 1 })
    const reads = limitedReads(pool, 100)
    const sleep = (seconds: number) =>
      reads.select({ one: sql<string>`1` }).from(sql`pg_sleep(${seconds}::float) as slept`)
    await expect(sleep(600)).rejects.toMatchObject({ cause: { code: '57014' } })
    expect(await sleep(0)).toEqual([{ one: '1' }])
    expect(pool.totalCount).toBe(1)
    await pool.end()
  })

  it('that hang answer SERVICE_UNAVAILABLE, and hold up nothing else', async () => {
    const home = await createPostgresHome()
    const store = await home.open()
    const locker = new pg.Client({ connectionString: home.where.databaseUrl })
    await locker.connect()
    try {
      await locker.query('begin; lock table deposits in access exclusive mode')
      const hung = Array.from({ length: 12 }, () =>
        store.callers.depositsOfAll([id('a')]).catch(({ code }) => code),
      )
      let hasAnswered = false
      void Promise.race(hung).then(() => {
        hasAnswered = true
      })
      await store.put(quotedRequest(id('1')))
      expect(await store.find(id('1'))).toBeDefined()
      expect(hasAnswered).toBe(false)
      expect(new Set(await Promise.all(hung))).toEqual(new Set(['SERVICE_UNAVAILABLE']))
      expect(store.health()).toEqual({ ok: true })
    } finally {
      await locker.end()
      await store.close()
      await home.remove()
    }
  })
})

it('reads of callers on the embedded database let other statements pass, and are refused in a long queue', async () => {
  const home = await createPgliteHome()
  const store = await home.open()
  await store.put(quotedRequest(id('1')))
  const done: string[] = []
  const lists = Array.from({ length: 300 }, () =>
    store.callers.list({ first: 1 }).then(
      () => done.push('list'),
      ({ code }) => done.push(code),
    ),
  )
  await store.put(quotedRequest(id('2'))).then(() => done.push('quote'))
  await Promise.all(lists)
  await store.close()
  await home.remove()
  const place = done.filter((each) => each !== 'SERVICE_UNAVAILABLE').indexOf('quote')
  expect(place).toBeLessThan(50)
  expect(done.filter((each) => each === 'list').length).toBeGreaterThan(50)
  expect(done).toContain('SERVICE_UNAVAILABLE')
})
