import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RequestFilter, RequestStore } from '#src/requests/requestStore.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import { initialState } from '#src/requests/state/requestState.ts'
import { requestStatuses } from '#src/requests/status/requestStatus.ts'
import { nativeAddress, toAddress } from '#src/units/address.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { runs } from '#test/support/runs.ts'
import { type StoreHome, storeHomes } from '#test/support/store/storeHome.ts'

const users = [nativeAddress, toAddress(`0x${'1'.repeat(40)}`), toAddress(`0x${'2'.repeat(40)}`)]

/** Many requests with the same time. */
const drawn = fc.record({
  user: fc.constantFrom(...users.slice(0, 2)),
  status: fc.constantFrom(...requestStatuses),
  createdAt: fc.oneof(fc.integer({ min: 10, max: 14 }), fc.constant(Number.MAX_SAFE_INTEGER)),
})

const filter = fc.record(
  {
    user: fc.constantFrom(...users),
    statuses: fc.array(fc.constantFrom(...requestStatuses), { maxLength: 5 }),
    first: fc.integer({ min: 1, max: 12 }),
  },
  { requiredKeys: ['first'] },
)

describe.each(storeHomes)('the list of requests on %s', (_, createHome) => {
  let home: StoreHome
  let store: RequestStore
  const stored: StoredRequest[] = []
  beforeAll(async () => {
    home = await createHome()
    store = await home.open()
  })
  afterAll(async () => {
    await store?.close()
    await home?.remove()
  })

  async function add({
    user,
    status,
    createdAt,
  }: typeof drawn extends fc.Arbitrary<infer Of> ? Of : never) {
    const quoted = { ...quotedRequest(`0x${randomBytes(32).toString('hex')}`), user, createdAt }
    await store.put(quoted)
    const request = { ...quoted, state: initialState(quoted), version: 1 }
    if (status === 'waiting') return stored.push(request)
    const state = { ...request.state, status, seq: 1 }
    await store.save({ requests: [{ ...request, state }] })
    return stored.push({ ...request, state, version: 2 })
  }

  it('returns every matching request once, newest first, while others are added', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(drawn, { maxLength: 6 }),
        filter,
        fc.array(drawn, { maxLength: 6 }),
        async (before, { first, ...wanted }, meanwhile) => {
          for (const each of before) await add(each)
          const takes = ({ user, state }: StoredRequest) =>
            (wanted.user === undefined || wanted.user === user) &&
            (wanted.statuses === undefined || wanted.statuses.includes(state.status))
          const known = stored.filter(takes).toSorted(newestFirst)
          const ids = new Set(stored.map(({ requestId }) => requestId))
          const added = [...meanwhile]
          const seen: StoredRequest[] = []
          let after: string | undefined
          do {
            const asked: RequestFilter = { ...wanted, first, ...(after !== undefined && { after }) }
            const page = await store.list(asked)
            if (page.next !== undefined) expect(page.requests).toHaveLength(first)
            expect(page.requests.length).toBeLessThanOrEqual(first)
            seen.push(...page.requests)
            after = page.next
            const more = added.pop()
            if (more) await add(more)
          } while (after !== undefined)
          expect(seen).toEqual(seen.toSorted(newestFirst))
          expect(new Set(seen.map(({ requestId }) => requestId)).size).toBe(seen.length)
          expect(seen.filter(({ requestId }) => ids.has(requestId))).toStrictEqual(known)
          expect(seen.every(takes)).toBe(true)
        },
      ),
      { numRuns: runs(60) },
    )
  })

  it.each([
    '',
    'x',
    '-',
    '1-0x',
    `1-0x${'g'.repeat(64)}`,
    `1${'0'.repeat(16)}-0x${'0'.repeat(64)}`,
  ])('refuses %o, which is no cursor of a page', async (after) => {
    await expect(store.list({ first: 1, after })).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  })
})

const newestFirst = (one: StoredRequest, other: StoredRequest) =>
  other.createdAt - one.createdAt || (one.requestId < other.requestId ? 1 : -1)
