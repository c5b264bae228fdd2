import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toChainId } from '#src/core/units/chainId.ts'
import { toUsd } from '#src/core/units/usd.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { addUp } from '#src/requests/state/books.ts'
import type { Booking, SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { purposes } from '#src/requests/state/solverTransaction.ts'
import { runs } from '#test/support/runs.ts'
import { type StoreHome, storeHomes } from '#test/support/store/storeHome.ts'

const chainIds = [1, 2].map(toChainId)
let nonce = 0

function transactionOf(change: Partial<SolverTransaction>): SolverTransaction {
  nonce += 1
  return {
    transactionId: `fill:${nonce}`,
    purpose: 'fill',
    chainId: toChainId(1),
    account: `0x${'1'.repeat(40)}` as SolverTransaction['account'],
    nonce,
    depositIds: [],
    spends: [],
    attempts: [],
    status: 'final',
    createdAt: nonce,
    version: 0,
    ...change,
  }
}

const usd = fc.option(fc.bigInt(-(10n ** 20n), 10n ** 20n).map(toUsd), { nil: null })
const bookings: fc.Arbitrary<Booking> = fc.record({
  day: fc.integer({ min: 1, max: 3 }),
  gas: fc.option(fc.bigInt(0n, 10n ** 30n), { nil: null }),
  gasUsd: usd,
  volumeUsd: usd,
  feesUsd: usd,
  sponsoredUsd: fc.bigInt(0n, 10n ** 20n).map(toUsd),
})

describe.each(storeHomes)('the books on %s', (_, createHome) => {
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

  /** Stores transactions. Returns them with their version. */
  async function put(transactions: readonly SolverTransaction[]) {
    expect(await store.save({ transactions })).toBe('saved')
    return transactions.map((each) => ({ ...each, version: 1 }))
  }

  it('adds each booked transaction once to its day, and leaves out unknown values', async () => {
    const drawn = fc.array(
      fc.tuple(bookings, fc.constantFrom(...chainIds), fc.constantFrom(...purposes)),
      { minLength: 1, maxLength: 6 },
    )
    await fc.assert(
      fc.asyncProperty(drawn, async (rows) => {
        const before = await Promise.all(chainIds.map(store.bookTotals))
        const stored = await put(
          rows.map(([, chainId, purpose]) => transactionOf({ chainId, purpose })),
        )
        const booked = stored.map((each, at) => ({
          ...each,
          booked: rows[at]?.[0] ?? { day: 0, gas: null, gasUsd: null },
        }))
        expect(await store.save({ booked })).toBe('saved')
        // Their versions are old now.
        expect(await store.save({ booked })).toBe('conflict')
        for (const [at, chainId] of chainIds.entries()) {
          const own = booked.filter((each) => each.chainId === chainId)
          const known = (values: readonly (bigint | null | undefined)[]) =>
            values.reduce<bigint>((sum, value) => sum + (value ?? 0n), 0n)
          const unknown = (values: readonly (bigint | null | undefined)[]) =>
            values.filter((value) => value === null).length
          const read = <Key extends keyof Booking>(key: Key) => own.map((each) => each.booked[key])
          const added = {
            transactions: own.length,
            gas: known(read('gas') as bigint[]),
            gasUsd: toUsd(known(read('gasUsd'))),
            gasUnknown: unknown(read('gasUsd')),
            volumeUsd: toUsd(known(read('volumeUsd'))),
            volumeUnknown: unknown(read('volumeUsd')),
            feesUsd: toUsd(known(read('feesUsd'))),
            feesUnknown: unknown(read('feesUsd')),
            sponsoredUsd: toUsd(known(read('sponsoredUsd'))),
          }
          const total = await store.bookTotals(chainId)
          expect(total).toEqual(addUp([before[at] ?? addUp([]), added]))
          const days = await store.bookDays([chainId], 0)
          expect(addUp(days)).toEqual(total)
        }
        expect(await store.unbooked(toChainId(1), { since: 0, limit: 1 })).toEqual([])
      }),
      { numRuns: runs(20) },
    )
  })

  it('lists days from a day on, of the named chains', async () => {
    const [transaction = transactionOf({})] = await put([transactionOf({ chainId: toChainId(7) })])
    const booked = { day: 40, gas: 5n, gasUsd: toUsd(1n) }
    await store.save({ booked: [{ ...transaction, booked }] })
    const seven = [toChainId(7)]
    expect(await store.bookDays(seven, 41)).toEqual([])
    expect(await store.bookDays(chainIds, 40)).toEqual([])
    expect(await store.bookDays(seven, 40)).toEqual([
      {
        chainId: 7,
        day: 40,
        purpose: 'fill',
        ...addUp([]),
        transactions: 1,
        gas: 5n,
        gasUsd: 1n,
      },
    ])
  })

  it('finds final and reverted transactions that are not booked, the oldest first', async () => {
    const chainId = toChainId(9)
    const created = [30, 10, 20, 40].map((createdAt) => transactionOf({ chainId, createdAt }))
    const statuses = ['final', 'reverted', 'mined', 'final'] as const
    const stored = await put(
      created.map((each, at) => ({ ...each, status: statuses[at] ?? 'sent' })),
    )
    const timesOf = async (since: number, limit = 9) =>
      (await store.unbooked(chainId, { since, limit })).map(({ createdAt }) => createdAt)
    expect(await timesOf(0)).toEqual([10, 30, 40])
    expect(await timesOf(11)).toEqual([30, 40])
    expect(await timesOf(0, 1)).toEqual([10])
    const booked = { day: 1, gas: 1n, gasUsd: null }
    const [first] = stored
    if (first !== undefined) await store.save({ booked: [{ ...first, booked }] })
    expect(await timesOf(0)).toEqual([10, 40])
    // A worker that saves the transaction again keeps the booking.
    const [again] = await store.unbooked(chainId, { since: 40, limit: 1 })
    if (again !== undefined) await store.save({ booked: [{ ...again, booked }] })
    expect(await timesOf(0)).toEqual([10])
  })

  it('forgets the books of a chain that starts again', async () => {
    const chainId = toChainId(11)
    const [transaction = transactionOf({})] = await put([transactionOf({ chainId })])
    const booked = { day: 1, gas: 1n, gasUsd: null }
    await store.save({ booked: [{ ...transaction, booked }] })
    await store.forgetChain(chainId)
    expect(await store.bookTotals(chainId)).toEqual(addUp([]))
  })
})
