import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evmAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { LeaseLostError } from '#src/requests/lease.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { createRetention } from '#src/requests/retention.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { type StoreHome, silentLog, storeHomes } from '#test/support/store/storeHome.ts'

const idOf = (at: number) => `0x${at.toString(16).padStart(64, '0')}` as const

/** Expires `at` seconds after 1970. */
const expiring = (at: number) => ({ ...quotedRequest(idOf(at)), deadline: at })

describe.each(storeHomes)('old quotes on %s', (_, createHome) => {
  let home: StoreHome
  let store: RequestStore
  beforeAll(async () => {
    home = await createHome()
    store = await home.open()
  })
  afterAll(async () => {
    await store?.close()
    await home?.remove()
  })

  const kept = async (ids: readonly number[]) => {
    const found = await store.findAll(ids.map(idOf))
    return found.map(({ deadline }) => deadline).toSorted((one, other) => one - other)
  }

  it('are deleted if nobody paid for them, the oldest first', async () => {
    const all = [1, 2, 3, 4, 5, 6, 7]
    await Promise.all(all.map((at) => store.put(expiring(at))))
    const [seen, paid] = await Promise.all([store.find(idOf(2)), store.find(idOf(3))])
    if (seen === undefined || paid?.execution !== 'solver') throw new Error('Not stored')
    const state = { ...seen.state, seq: 1 }
    const deposit: Deposit = {
      depositId: 'a',
      chainId: paid.originChainId,
      txHash: idOf(9),
      timestamp: 1,
      orderId: paid.orderId,
      requestId: paid.requestId,
      depositor: evmAddress(paid.user),
      currency: evmAddress(paid.originCurrency),
      amount: toAmount(1n),
      status: 'seen',
      version: 0,
    }
    await store.save({ requests: [{ ...seen, state }], deposits: [deposit] })
    const lost = { duty: 'retention', token: 1n }
    await expect(store.deleteUnpaid(6, 2, lost)).rejects.toThrow(LeaseLostError)
    expect(await kept([1, 4])).toEqual([1, 4])
    expect(await store.deleteUnpaid(6, 2)).toBe(2)
    expect(await kept(all)).toEqual([2, 3, 5, 6, 7])
    expect(await store.deleteUnpaid(6, 2)).toBe(1)
    expect(await store.deleteUnpaid(6, 2)).toBe(0)
    expect(await kept(all)).toEqual([2, 3, 6, 7])
  })

  it('are deleted by a worker, and a new quote takes their place', async () => {
    const many = Array.from({ length: 520 }, (__, at) => 10_000 + at)
    await Promise.all(many.map((at) => store.put(expiring(at))))
    const ending = new AbortController()
    const retention = createRetention(
      { log: silentLog, store, now: () => (10_510 + 86_400) * 1000 },
      { quoteRetentionDays: 1 },
    )
    const swept = retention.run(ending.signal)
    while ((await store.findAll([idOf(10_509)])).length > 0);
    ending.abort()
    await swept
    expect(await kept(many)).toEqual(many.filter((at) => at >= 10_510))
    await store.put(expiring(10_000))
  })
})
