import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WebhookDelivery } from '#src/requests/claimedWork.ts'
import { LeaseLostError } from '#src/requests/lease.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { type StoreHome, storeHomes } from '#test/support/store/storeHome.ts'

const webhookKeys = new Set(['partner', 'other'])
const claim = { apiKey: 'partner', leaseMs: 1_000, limit: 10 }
const seqsOf = (deliveries: readonly WebhookDelivery[]) =>
  deliveries.map(({ change }) => change.state.seq)

/** Puts a request and saves this number of changes. */
async function putChanged(store: RequestStore, changes: number, apiKey?: string) {
  const quoted = quotedRequest(`0x${randomBytes(32).toString('hex')}`)
  await store.put({ ...quoted, ...(apiKey !== undefined && { apiKey }) })
  const request = (await store.find(quoted.requestId)) as StoredRequest
  const requests = Array.from({ length: changes }, (_, at) => ({
    ...request,
    state: { ...request.state, seq: at + 1 },
  }))
  await store.save({ requests })
  return quoted.requestId
}

describe.each(storeHomes)('due webhook calls on %s', (name, createHome) => {
  let home: StoreHome
  let store: RequestStore
  beforeAll(async () => {
    home = await createHome()
    store = await home.open({ webhookKeys })
  })
  afterAll(async () => {
    await store?.close()
    await home?.remove()
  })

  it('exist only for changes of requests whose API key has a webhook', async () => {
    await putChanged(store, 1)
    await putChanged(store, 1, 'without')
    const requestId = await putChanged(store, 1, 'other')
    const now = 1
    expect(await store.claimWebhooks({ ...claim, now })).toEqual([])
    const [delivery, ...more] = await store.claimWebhooks({ ...claim, apiKey: 'other', now })
    expect(more).toEqual([])
    const request = await store.find(requestId)
    const change = { requestId, state: request?.state }
    expect(delivery).toStrictEqual({ apiKey: 'other', change, request, failures: 0 })
  })

  it('are neither claimed nor recorded by a process that has lost its lease', async () => {
    await putChanged(store, 1, 'partner')
    const lost = { duty: 'webhooks', token: 1n }
    await expect(store.claimWebhooks({ ...claim, now: 0 }, lost)).rejects.toThrow(LeaseLostError)
    const [due] = await store.claimWebhooks({ ...claim, now: 0 })
    if (due === undefined) throw new Error('None is due')
    for (const outcome of ['done', { dueAt: 0 }] as const)
      await expect(store.recordWebhookOutcome(due, outcome, lost)).rejects.toThrow(LeaseLostError)
    const [again] = await store.claimWebhooks({ ...claim, now: claim.leaseMs })
    expect(again).toStrictEqual(due)
    await store.recordWebhookOutcome(due, 'done')
  })

  it('come in order, and again after a failure or an expired claim', async () => {
    await putChanged(store, 3, 'partner')
    const due = (now: number) => store.claimWebhooks({ ...claim, now })
    const [first] = await due(0)
    if (first === undefined) throw new Error('None is due')
    expect(first.change.state.seq).toBe(1)
    expect(await due(999)).toEqual([])
    expect(seqsOf(await due(1_000))).toEqual([1])
    await store.recordWebhookOutcome(first, { dueAt: 5_000 })
    expect(await due(4_999)).toEqual([])
    const [again] = await due(5_000)
    if (again === undefined) throw new Error('It is not due again')
    expect(again).toEqual({ ...first, failures: 1 })
    // An outcome of an expired claim changes nothing.
    await store.recordWebhookOutcome(first, { dueAt: 9_000 })
    expect(await due(6_000)).toMatchObject([{ failures: 1 }])
    await store.recordWebhookOutcome(again, 'done')
    const [second] = await due(0)
    expect(second).toMatchObject({ failures: 0, change: { state: { seq: 2 } } })
    if (second) await store.recordWebhookOutcome(second, 'done')
    const [third] = await due(0)
    expect(third?.change.state.seq).toBe(3)
    if (third) await store.recordWebhookOutcome(third, 'done')
    expect(await due(1_000_000)).toEqual([])
  })

  it('are claimed once and in order by concurrent callers', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => putChanged(store, 4, 'partner')))
    // A second connection, where the database allows one.
    const other = name === 'PGlite' ? store : await home.open({ webhookKeys })
    const calls = new Map<string, number[]>(ids.map((id) => [id, []]))
    let left = ids.length * 4
    const work = async (of: RequestStore) => {
      while (left > 0)
        for (const delivery of await of.claimWebhooks({ ...claim, limit: 3, now: 0 })) {
          calls.get(delivery.change.requestId)?.push(delivery.change.state.seq)
          left -= 1
          await of.recordWebhookOutcome(delivery, 'done')
        }
    }
    await Promise.all([store, other, store, other, store, other].map(work))
    expect([...calls.values()]).toEqual(ids.map(() => [1, 2, 3, 4]))
    if (other !== store) await other.close()
  })
})
