import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { watchedAfterSeconds } from '#src/requests/addressStore.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { RequestState } from '#src/requests/state/requestState.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { type StoreHome, storeHomes } from '#test/support/store/storeHome.ts'

const idOf = (at: number) => `0x${at.toString(16).padStart(64, '0')}` as const
const addressOf = (at: number): Address => toAddress(`0x${at.toString(16).padStart(40, '0')}`)
const depositor = addressOf(0xd)
const deadline = 1_000_000

/** A request of the quota `own` with the address of this number. */
const addressed = (at: number, change: object = {}) => ({
  ...quotedRequest(idOf(at)),
  depositAddress: addressOf(at),
  depositor,
  deadline,
  quota: 'own',
  ...change,
})

/** The request of a payment to the open address of another one. */
const paying = (parentId: `0x${string}`, at: number, usd: bigint): QuotedRequest => {
  const quoted = quotedRequest(idOf(at))
  if (quoted.execution !== 'solver') throw new Error('Not an order')
  return { ...quoted, parentId, subsidizedUsd: toUsd(usd) }
}

describe.each(storeHomes)('deposit addresses on %s', (_, createHome) => {
  let home: StoreHome
  let store: RequestStore
  beforeAll(async () => {
    home = await createHome()
    store = await home.open()
    await store.put({ ...quotedRequest(idOf(1)), deadline })
    for (const at of [2, 3, 4]) await store.put(addressed(at))
    await store.put(addressed(5, { quota: 'other' }))
    await end(3, 'success', (deadline - 500) * 1000)
  })
  afterAll(async () => {
    await store?.close()
    await home?.remove()
  })

  async function end(at: number, status: RequestState['status'], updatedAt: number) {
    const found = await store.find(idOf(at))
    if (found === undefined) throw new Error('Not stored')
    const { state } = found
    await store.save({ requests: [{ ...found, state: { ...state, status, seq: 1, updatedAt } }] })
  }

  const watched = async (now: number, limit = 10, after?: string) => {
    const page = { limit, ...(after !== undefined && { after }) }
    const found = await store.watchedAddresses(chainId, now, page)
    return found.map(({ requestId }) => Number(requestId))
  }
  const { originChainId: chainId, ...quoted } = quotedRequest(idOf(2))

  it('are watched until a week after the end of their request or its deadline, in pages', async () => {
    expect(await watched(deadline)).toEqual([2, 3, 4, 5])
    expect(await watched(deadline, 2)).toEqual([2, 3])
    expect(await watched(deadline, 2, idOf(3))).toEqual([4, 5])
    expect(await watched(deadline - 501 + watchedAfterSeconds)).toEqual([2, 3, 4, 5])
    expect(await watched(deadline - 500 + watchedAfterSeconds)).toEqual([2, 4, 5])
    expect(await watched(deadline - 1 + watchedAfterSeconds)).toEqual([2, 4, 5])
    expect(await watched(deadline + watchedAfterSeconds)).toEqual([])
    expect(await store.countWatchedAddresses('networks', { now: deadline, limit: 10 })).toBe(4)
    expect(await store.countWatchedAddresses('networks', { now: deadline, limit: 3 })).toBe(3)
  })

  it('are counted for their callers while they wait', async () => {
    const count = (quota: string, now: number) => store.countLiveAddresses(quota, { now, limit: 9 })
    expect(await count('own', deadline)).toBe(2)
    expect(await count('other', deadline)).toBe(1)
    expect(await count('own', deadline + 1)).toBe(0)
    expect(await count('key:none', deadline)).toBe(0)
  })

  it('are found at any age, with the values that a sweep needs', async () => {
    if (quoted.execution !== 'solver') throw new Error('Not an order')
    const [found, ...others] = await store.findAddresses([idOf(1), idOf(2)])
    expect(others).toEqual([])
    expect(found).toEqual({
      requestId: idOf(2),
      orderId: quoted.orderId,
      address: addressOf(2),
      depositor,
      status: 'waiting',
      chainId,
      deadline,
      isOpen: false,
      currency: quoted.inputs[0]?.depositCurrency,
      leastDeposit: quoted.inputs[0]?.leastDeposit,
    })
  })

  it('have the sum that sponsors pay for payments to them, without those that end without a fill', async () => {
    const parentId = idOf(4)
    for (const [at, usd] of [10n, 20n, 40n].entries())
      await store.put(paying(parentId, 20 + at, usd))
    expect(await store.subsidizedUsd(parentId)).toBe(70n)
    await end(21, 'refund', 1)
    await end(22, 'success', 1)
    expect(await store.subsidizedUsd(parentId)).toBe(50n)
    expect(await store.subsidizedUsd(idOf(3))).toBe(0n)
  })

  it('are listed by their address, as such and as an account', async () => {
    for (const filter of [{ depositAddress: addressOf(4) }, { account: addressOf(4) }]) {
      const { requests } = await store.list({ ...filter, first: 5 })
      expect(requests.map(({ requestId }) => requestId)).toEqual([idOf(4)])
      expect(await store.count(filter as never, 5)).toBe(1)
    }
  })

  it('are never deleted: nobody but the user could sweep them afterwards', async () => {
    expect(await store.deleteUnpaid(deadline + 1, 10)).toBe(1)
    expect(await store.find(idOf(1))).toBeUndefined()
    expect(await store.find(idOf(2))).toBeDefined()
  })

  it('have at most one sweep hint each', async () => {
    const hint = { chainId, requestId: idOf(2) }
    await Promise.all([store.addSweepHint(hint), store.addSweepHint(hint)])
    expect(await store.takeSweepHints(chainId, 2)).toEqual([idOf(2)])
    expect(await store.takeSweepHints(chainId, 2)).toEqual([])
    for (const at of [2, 3, 4]) await store.addSweepHint({ chainId, requestId: idOf(at) })
    const taken = [await store.takeSweepHints(chainId, 2), await store.takeSweepHints(chainId, 2)]
    expect(taken.map(({ length }) => length)).toEqual([2, 1])
    expect(taken.flat().toSorted()).toEqual([2, 3, 4].map(idOf))
  })

  it('take payments as requests of their own, each of them once; only the address itself is watched', async () => {
    const parentId = idOf(6)
    await store.put(addressed(6, { open: {}, quota: 'open' }))
    const child = { ...addressed(7, { parentId, quota: 'open' }), depositAddress: addressOf(6) }
    const payment: Deposit = {
      depositId: 'a payment',
      chainId,
      txHash: idOf(8),
      orderId: idOf(6),
      version: 0,
      block: { number: 5n, hash: idOf(9) },
      timestamp: 1,
      requestId: parentId,
      depositor,
      currency: depositor,
      amount: toAmount(1n),
      status: 'seen',
    }
    await store.save({ deposits: [payment] })
    const open = (height: bigint) => store.openPayments(chainId, height, { except: [], limit: 5 })
    expect([await open(4n), (await open(5n)).length]).toEqual([[], 1])
    const bound = { ...payment, version: 1, requestId: idOf(7), status: 'credited' } as const
    const changes = { created: [child], deposits: [bound] }
    const saved = await Promise.all([store.save(changes), store.save(changes)])
    expect(saved.toSorted()).toEqual(['conflict', 'saved'])
    expect(await open(5n)).toEqual([])
    expect(await store.save({ created: [child] })).toBe('conflict')

    expect(await store.findAddresses([idOf(6), idOf(7)])).toMatchObject([
      { requestId: idOf(6), isOpen: true },
    ])
    expect(await watched(deadline, 10, idOf(5))).toEqual([6])
    expect(await store.countLiveAddresses('open', { now: deadline, limit: 9 })).toBe(1)
    const list = async (filter: object) =>
      (await store.list({ first: 5, ...filter })).requests.map(({ requestId }) => requestId)
    const depositAddress = addressOf(6)
    expect(await list({ parentId })).toEqual([idOf(7)])
    expect(await list({ depositAddress, withoutChildren: true })).toEqual([idOf(6)])
    for (const filter of [{ depositAddress }, { family: parentId }])
      expect((await list(filter)).toSorted()).toEqual([idOf(6), idOf(7)])
  })
})
