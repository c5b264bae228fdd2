import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nativeAddress, toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { toUsd } from '#src/core/units/usd.ts'
import type { QuoteSummary } from '#src/requests/quotedRequest.ts'
import type { RequestFilter } from '#src/requests/requestList.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { RequestState, StoredRequest } from '#src/requests/state/requestState.ts'
import { initialState, requestStatuses } from '#src/requests/state/requestState.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { runs } from '#test/support/runs.ts'
import { type StoreHome, storeHomes } from '#test/support/store/storeHome.ts'

const users = [nativeAddress, toAddress(`0x${'1'.repeat(40)}`), toAddress(`0x${'2'.repeat(40)}`)]

/** Many requests with the same time. */
const chainIds = [1, 2].map(toChainId)
const hashes = ['a', 'b'].map((digit): `0x${string}` => `0x${digit.repeat(64)}`)
const drawn = fc.record({
  user: fc.constantFrom(...users.slice(0, 2)),
  recipient: fc.constantFrom(...users),
  originChainId: fc.constantFrom(...chainIds),
  destinationChainId: fc.constantFrom(...chainIds),
  destinationCurrency: fc.constantFrom(...users),
  referrer: fc.constantFrom('one', 'two'),
  inTxHashes: fc.subarray(hashes),
  txHashes: fc.subarray(hashes),
  status: fc.constantFrom(...requestStatuses),
  deadline: fc.integer({ min: 20, max: 22 }),
  createdAt: fc.oneof(fc.integer({ min: 10, max: 14 }), fc.constant(Number.MAX_SAFE_INTEGER)),
})

const filter = fc.record(
  {
    user: fc.constantFrom(...users),
    account: fc.constantFrom(...users),
    recipient: fc.constantFrom(...users),
    destinationCurrency: fc.constantFrom(...users),
    depositTxHash: fc.constantFrom(...hashes),
    originChainId: fc.constantFrom(...chainIds),
    destinationChainId: fc.constantFrom(...chainIds),
    chainId: fc.constantFrom(...chainIds),
    referrer: fc.constantFrom('one', 'two'),
    txHash: fc.constantFrom(...hashes),
    createdFrom: fc.integer({ min: 10, max: 14 }),
    createdUntil: fc.integer({ min: 10, max: 14 }),
    withoutExpiredAt: fc.integer({ min: 20, max: 22 }),
    statuses: fc.array(fc.constantFrom(...requestStatuses), { maxLength: 5 }),
    order: fc.constantFrom('newest', 'oldest'),
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
    status,
    inTxHashes,
    txHashes,
    ...terms
  }: typeof drawn extends fc.Arbitrary<infer Of> ? Of : never) {
    const quoted = { ...quotedRequest(`0x${randomBytes(32).toString('hex')}`), ...terms }
    await store.put(quoted)
    const request = { ...quoted, state: initialState(quoted), version: 1 }
    if (status === 'waiting') return stored.push(request)
    const state = { ...request.state, status, seq: 1, inTxHashes, txHashes }
    await store.save({ requests: [{ ...request, state }] })
    return stored.push({ ...request, state, version: 2 })
  }

  it('returns every matching request once, in its order, while others are added', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(drawn, { maxLength: 6 }),
        filter,
        fc.array(drawn, { maxLength: 6 }),
        async (before, { first, ...wanted }, meanwhile) => {
          for (const each of before) await add(each)
          const takes = (request: StoredRequest) => fits(request, wanted)
          const inOrder = wanted.order === 'oldest' ? oldestFirst : newestFirst
          const known = stored.filter(takes).toSorted(inOrder)
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
          expect(seen).toEqual(seen.toSorted(inOrder))
          expect(new Set(seen.map(({ requestId }) => requestId)).size).toBe(seen.length)
          expect(seen.filter(({ requestId }) => ids.has(requestId))).toStrictEqual(known)
          expect(seen.every(takes)).toBe(true)
          const all = stored.filter(takes).length
          expect(await store.count({ ...wanted, first: 1 }, 10_000)).toBe(all)
          expect(await store.count({ ...wanted, first: 1 }, 2)).toBeLessThanOrEqual(2)
        },
      ),
      { numRuns: runs(60, 20) },
    )
  })

  it('finds a request by what few requests have', async () => {
    const someHash = (): `0x${string}` => `0x${randomBytes(32).toString('hex')}`
    const [requestId, fillHash, refundHash] = [someHash(), someHash(), someHash()]
    const originCurrency = toAddress(`0x${randomBytes(20).toString('hex')}`)
    const quoted = { ...quotedRequest(requestId), originCurrency, apiKey: 'rare key' }
    const sent = (hash: `0x${string}`) =>
      ({ status: 'sent', transaction: { chainId: 1, hash } }) as const
    const state: RequestState = {
      ...initialState(quoted),
      status: 'refund',
      seq: 1,
      txHashes: [fillHash, refundHash],
      fill: sent(fillHash),
      refunds: [{ status: 'skipped' }, sent(refundHash)],
      failReason: 'ORDER_EXPIRED',
      refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND',
    }
    await store.put(quoted)
    await store.save({ requests: [{ ...quoted, state, version: 1 }] })
    const idsOf = async (wanted: Omit<RequestFilter, 'first'>) =>
      (await store.list({ ...wanted, first: 5 })).requests.map((each) => each.requestId)
    for (const wanted of [
      { requestId },
      { originCurrency },
      { apiKey: 'rare key' },
      { failReason: 'ORDER_EXPIRED' },
      { refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND' },
      { fillTxHash: fillHash },
      { refundTxHash: refundHash },
    ]) {
      expect(await idsOf(wanted)).toEqual([requestId])
      expect(await idsOf({ ...wanted, statuses: ['success'] })).toEqual([])
    }
    for (const wanted of [
      { fillTxHash: refundHash },
      { refundTxHash: fillHash },
      { depositTxHash: fillHash },
      { failReason: 'SLIPPAGE' },
    ])
      expect(await idsOf({ ...wanted, requestId })).toEqual([])
  })

  it.each(['newest', 'oldest'] as const)('gives the %s first over all pages', async (order) => {
    const user = toAddress(`0x${randomBytes(20).toString('hex')}`)
    const quoted = [3, 1, 1, 2, 2].map((createdAt) => ({
      ...quotedRequest(`0x${randomBytes(32).toString('hex')}`),
      user,
      createdAt,
    }))
    await Promise.all(quoted.map(store.put))
    const all: StoredRequest[] = []
    for (let after: string | undefined; all.length < quoted.length; ) {
      const page = await store.list({ user, order, first: 2, ...(after && { after }) })
      expect(page.requests.length).toBeGreaterThan(0)
      all.push(...page.requests)
      after = page.next
    }
    expect(all).toEqual(all.toSorted(order === 'oldest' ? oldestFirst : newestFirst))
    expect(new Set(all.map(({ requestId }) => requestId)).size).toBe(quoted.length)
  })

  it('ranks the currencies that were bought since a time, by requests or by value', async () => {
    const currencyOf = (digit: string) => toAddress(`0x${digit.repeat(40)}`)
    const chainId = toChainId(77)
    const buy = async (digit: string, usd: bigint | undefined, terms: object = {}) => {
      const quoted = {
        ...quotedRequest(`0x${randomBytes(32).toString('hex')}`),
        destinationChainId: chainId,
        destinationCurrency: currencyOf(digit),
        createdAt: Number.MAX_SAFE_INTEGER,
        ...terms,
        ...(usd !== undefined && { summary: { ...summary, outUsd: toUsd(usd) } }),
      }
      await store.put(quoted)
      const state = { ...initialState(quoted), status: 'success', seq: 1, ...terms } as const
      await store.save({ requests: [{ ...quoted, state, version: 1 }] })
    }
    for (const usd of [1n, undefined, 2n]) await buy('a', usd)
    for (const usd of [10n, 10n]) await buy('b', usd)
    await buy('c', 15n)
    await buy('d', 99n, { createdAt: 9 })
    await buy('e', 99n, { status: 'refund' })
    const ranked = async (order: 'count' | 'usd', limit: number) => {
      const found = await store.boughtSince(Number.MAX_SAFE_INTEGER, order, limit)
      return found.filter((each) => each.chainId === chainId).map(({ address }) => address.at(-1))
    }
    expect(await ranked('count', 100)).toEqual(['a', 'b', 'c'])
    expect(await ranked('usd', 100)).toEqual(['b', 'c', 'a'])
    expect(await store.boughtSince(Number.MAX_SAFE_INTEGER, 'usd', 1)).toHaveLength(1)
  })

  it('finds an order once a deposit was seen, and not before', async () => {
    const quoted = quotedRequest(`0x${randomBytes(32).toString('hex')}`)
    if (quoted.execution !== 'solver') throw new Error('The fixture has an order')
    await store.put(quoted)
    const { orderId } = quoted
    expect(await store.list({ first: 1, orderId })).toEqual({ requests: [] })
    const state = { ...initialState(quoted), status: 'pending', seq: 1 } as const
    await store.save({ requests: [{ ...quoted, state, version: 1 }] })
    const { requests } = await store.list({ first: 1, orderId })
    expect(requests.map(({ requestId }) => requestId)).toEqual([quoted.requestId])
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

const nothing = { amount: toAmount(0n) }
const summary: QuoteSummary = {
  rate: '1',
  slippageBps: toBps(0n),
  timeEstimate: 1,
  appFees: [],
  relayerGas: nothing,
  relayerService: nothing,
  app: nothing,
  gas: { ...nothing, chainId: toChainId(1) },
  feeCurrency: { chainId: toChainId(1), address: nativeAddress },
}

const fits = (request: StoredRequest, wanted: Omit<RequestFilter, 'first'>): boolean => {
  const { user, recipient, originChainId, destinationChainId, referrer, createdAt, state } = request
  const { destinationCurrency } = request
  const isIn = <Value>(value: Value | undefined, values: readonly unknown[]) =>
    value === undefined || values.includes(value)
  return (
    isIn(wanted.user, [user]) &&
    isIn(wanted.account, [user, recipient]) &&
    isIn(wanted.recipient, [recipient]) &&
    isIn(wanted.destinationCurrency, [destinationCurrency]) &&
    isIn(wanted.depositTxHash, state.inTxHashes) &&
    isIn(wanted.originChainId, [originChainId]) &&
    isIn(wanted.destinationChainId, [destinationChainId]) &&
    isIn(wanted.chainId, [originChainId, destinationChainId]) &&
    isIn(wanted.referrer, [referrer]) &&
    isIn(wanted.txHash, [...state.inTxHashes, ...state.txHashes]) &&
    (state.status !== 'waiting' || request.deadline >= (wanted.withoutExpiredAt ?? 0)) &&
    createdAt >= (wanted.createdFrom ?? 0) &&
    createdAt <= (wanted.createdUntil ?? createdAt) &&
    (wanted.statuses === undefined || wanted.statuses.includes(state.status))
  )
}

const newestFirst = (one: StoredRequest, other: StoredRequest) =>
  other.createdAt - one.createdAt || (one.requestId < other.requestId ? 1 : -1)

const oldestFirst = (one: StoredRequest, other: StoredRequest) => newestFirst(other, one)
