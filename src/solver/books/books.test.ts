import { afterAll, beforeAll, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { addUp } from '#src/requests/state/books.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { account } from '#test/support/fixtures/markets.ts'
import { openEmptyStore } from '#test/support/store/emptyStore.ts'
import { silentLog } from '#test/support/store/storeHome.ts'
import { createBooks } from './books.ts'

const chainId = toChainId(1)
const hourMs = 3_600_000
const sentAt = 20_000 * 24 * hourMs

let store: RequestStore
beforeAll(async () => {
  store = await openEmptyStore({ log: silentLog, bus: createLocalBus() })
})
afterAll(() => store.close())

let nonce = 0
const transactionOf = (change: Partial<SolverTransaction>): SolverTransaction => ({
  transactionId: `settlement:${++nonce}`,
  purpose: 'settlement',
  chainId,
  account: account('5'),
  nonce,
  depositIds: [],
  spends: [],
  attempts: [],
  status: 'final',
  createdAt: sentAt,
  version: 0,
  ...change,
})

/** Books of a chain without a market, at a time that the test sets. */
function booksAt(clock: { now: number }) {
  const market = {
    snapshot: () => {
      throw new AppError('STALE_MARKET', 'No market')
    },
  }
  return createBooks(
    { log: silentLog, now: () => clock.now, store, market, client: {} } as never,
    { chain: { id: chainId } } as never,
    async () => undefined,
  )
}

it('waits six hours for prices, then books values as unknown', async () => {
  const clock = { now: sentAt + 6 * hourMs }
  const { keep, latest } = booksAt(clock)
  expect(latest()).toBeUndefined()
  await store.save({ transactions: [transactionOf({})] })
  await keep()
  expect(latest()?.total).toEqual(addUp([]))
  clock.now += 1
  await keep()
  expect(latest()?.total).toEqual({ ...addUp([]), transactions: 1, gasUnknown: 1 })
  expect(latest()?.today).toEqual(latest()?.total)
  clock.now += 24 * hourMs
  await keep()
  expect([latest()?.today, latest()?.yesterday]).toEqual([addUp([]), latest()?.total])
})

it('leaves out what was sent more than a week ago: it is from before there were books', async () => {
  const clock = { now: sentAt + 7 * 24 * hourMs + 1 }
  const { keep, latest } = booksAt(clock)
  await store.save({ transactions: [transactionOf({})] })
  await keep()
  expect(latest()?.total.transactions).toBe(1)
  clock.now -= 1
  const later = booksAt(clock)
  await later.keep()
  expect(later.latest()?.total.transactions).toBe(2)
})
