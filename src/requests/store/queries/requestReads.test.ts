import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nativeAddress, toAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { isIncomplete, type StoredRequest } from '#src/requests/state/requestState.ts'
import { awaitsLiquidity } from '#src/requests/status.ts'
import type { Payer } from '#src/requests/trackingStore.ts'
import { requestArbitrary } from '#test/support/arbitraries/requestArbitrary.ts'
import { stateArbitrary } from '#test/support/arbitraries/trackingArbitrary.ts'
import { bytes } from '#test/support/arbitraries/valueArbitrary.ts'
import { type StoreHome, storeHomes } from '#test/support/store/storeHome.ts'

const users = [nativeAddress, toAddress(`0x${'1'.repeat(40)}`)] as const
const user = fc.constantFrom(...users)
const chains = [1, 2].map(toChainId)
const chainId = fc.constantFrom(...chains)
const quotas = ['one', 'two']
const ids = (count: number) => fc.uniqueArray(bytes(32), { minLength: count, maxLength: count })

/** Drawn from few users, chains, times and heights, so that many rows match. */
const ofRequests = fc
  .tuple(
    ids(40),
    fc.array(
      fc.tuple(
        requestArbitrary,
        ...([fc.option(stateArbitrary), user, chainId, chainId, fc.nat(3), user] as const),
      ),
      { minLength: 40, maxLength: 40 },
    ),
  )
  .map(([all, drawn]) =>
    drawn.map(
      ([request, state, of, originChainId, destinationChainId, deadline, currency], at) => ({
        quoted: {
          ...request,
          originCurrency: currency,
          quota: quotas[at % 2] ?? '',
          requestId: all[at] ?? '0x',
          user: of,
          originChainId,
          destinationChainId,
          deadline,
        },
        state: state && { ...state, seq: 1 },
      }),
    ),
  )

/** Requests among which there are fillable ones, and users' own swaps that are pending and that are awaited. */
function drawRequests() {
  for (let count = 15; ; count *= 2) {
    const drawn = fc.sample(ofRequests, count).flat()
    const has = (execution: string, status: string | undefined) =>
      drawn.some(({ quoted, state }) => quoted.execution === execution && state?.status === status)
    if (has('solver', 'pending') && has('user', 'pending') && has('user', undefined)) return drawn
  }
}

describe.each(storeHomes)('queries of requests on %s', (_, createHome) => {
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

  it('find the matching requests', async () => {
    const stored: StoredRequest[] = []
    for (const { quoted, state } of drawRequests()) {
      await store.put(quoted)
      const put = (await store.find(quoted.requestId)) as StoredRequest
      if (state) await store.save({ requests: [{ ...put, state }] })
      stored.push(state ? { ...put, state, version: 2 } : put)
    }
    const agree = async (
      found: Promise<readonly StoredRequest[]>,
      is: (one: StoredRequest) => boolean,
    ) => {
      const expected = stored.filter(is)
      const got = await found
      expect(got.toSorted(byRequestId)).toStrictEqual(expected.toSorted(byRequestId))
      return expected.length
    }
    const unused = toChainId(Number.MAX_SAFE_INTEGER - 12_345)
    expect(await store.firstQuotedAt(unused)).toBeUndefined()
    const found = { fillable: 0, pendingSwaps: 0, waitingSwaps: 0 }
    for (const chain of chains) {
      for (const incomplete of [false, true]) {
        const all = await store.fillable(chain, incomplete, { limit: 1_000 })
        found.fillable += await agree(
          Promise.resolve(all),
          (each) =>
            each.execution === 'solver' &&
            each.destinationChainId === chain &&
            (isIncomplete(each.state) || awaitsLiquidity(each)) === incomplete &&
            each.state.status === 'pending' &&
            each.state.refunds === undefined,
        )
        const [first] = await store.fillable(chain, incomplete, { limit: 1 })
        expect(first).toEqual(all[0])
        const after = { after: first?.requestId ?? '', limit: 1_000 }
        expect(await store.fillable(chain, incomplete, after)).toEqual(all.slice(1))
      }
      const paysOn = (each: StoredRequest) =>
        each.originChainId === chain ||
        (each.execution === 'solver' && each.inputs.some((input) => input.chainId === chain))
      const quotedAt = stored.filter(paysOn).map(({ createdAt }) => createdAt)
      expect(await store.firstQuotedAt(chain)).toBe(Math.min(...quotedAt))
      const isSwap = ({ execution, originChainId }: StoredRequest) =>
        execution === 'user' && originChainId === chain
      found.pendingSwaps += await agree(
        store.pendingSwaps(chain),
        (each) => isSwap(each) && each.state.status === 'pending',
      )
      for (const now of [0, 2]) {
        const payers = users.flatMap((of) => users.map((currency) => ({ user: of, currency })))
        const awaited: Payer[] = []
        for (const payer of payers) {
          const isAwaited = (each: StoredRequest) =>
            isSwap(each) &&
            each.state.status === 'waiting' &&
            each.user === payer.user &&
            each.originCurrency === payer.currency &&
            each.deadline >= now
          const all = await store.waitingSwaps(chain, payer, { now, limit: stored.length })
          found.waitingSwaps += await agree(Promise.resolve(all), isAwaited)
          const newest = await store.waitingSwaps(chain, payer, { now, limit: 1 })
          expect(newest.map(({ deadline }) => deadline)).toEqual(
            all.length === 0 ? [] : [Math.max(...all.map(({ deadline }) => deadline))],
          )
          if (all.length > 0) awaited.push(payer)
        }
        const other = { user: toAddress(`0x${'9'.repeat(40)}`), currency: nativeAddress }
        const got = await store.awaitedPayers(chain, [...payers, other], now)
        expect(new Set(got)).toEqual(new Set(awaited))
        expect(await store.awaitedPayers(chain, [], now)).toEqual([])
        const swaps = stored.filter(
          (each) => isSwap(each) && each.state.status === 'waiting' && each.deadline >= now,
        )
        const limit = swaps.length
        const everyone = await store.allAwaitedPayers(chain, { now, limit })
        expect(new Set(everyone)).toEqual(new Set(awaited))
        expect(everyone).toHaveLength(awaited.length)
        if (limit > 0)
          expect(await store.allAwaitedPayers(chain, { now, limit: limit - 1 })).toBeUndefined()
      }
    }
    for (const quota of quotas)
      for (const now of [0, 2]) {
        const open = stored.filter(
          (each) => each.quota === quota && each.state.status === 'waiting' && each.deadline >= now,
        ).length
        expect(open).toBeGreaterThan(2)
        expect(await store.countOpenQuotes(quota, { now, limit: 1_000 })).toBe(open)
        expect(await store.countOpenQuotes(quota, { now, limit: 2 })).toBe(2)
      }
    expect(await store.countOpenQuotes('nobody', { now: 0, limit: 2 })).toBe(0)
    for (const count of Object.values(found)) expect(count).toBeGreaterThan(0)

    const some = stored.filter((__, at) => at % 3 === 0)
    const all = [...some.map((each) => each.requestId), `0x${'0'.repeat(64)}`, `"\\{},`]
    await agree(store.findAll(all), (each) => some.includes(each))
    await agree(store.findAll([]), () => false)
    const orders = some.flatMap((each) => (each.execution === 'solver' ? [each.orderId] : []))
    await agree(
      store.findByOrders(orders),
      (each) => each.execution === 'solver' && some.includes(each),
    )
    expect(await store.seqsOf(all)).toEqual(
      new Map(some.map((each) => [each.requestId, each.state.seq])),
    )
  })
})

const byRequestId = (one: StoredRequest, other: StoredRequest) =>
  one.requestId < other.requestId ? -1 : 1
