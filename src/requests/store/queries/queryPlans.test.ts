import { randomBytes } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { evmAddress } from '#src/core/units/address.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { patience } from '#test/support/patience.ts'
import { createPostgresHome, serverUrl } from '#test/support/store/storeHome.ts'

/** Puts this number of requests and runs every query for the first, but for lists: listWork.test.ts has these. */
async function use(store: RequestStore, count: number) {
  const requests = Array.from({ length: count }, (_, createdAt) => ({
    ...quotedRequest(`0x${randomBytes(32).toString('hex')}`),
    createdAt,
  }))
  await Promise.all(requests.map(store.put))
  const [first = quotedRequest('0x')] = requests
  const { requestId, originChainId, destinationChainId, originCurrency, user } = first
  const stored = await store.find(requestId)
  if (stored === undefined) throw new Error('It was not stored')
  const state = { ...stored.state, seq: 1, status: 'pending' } as const
  await store.save({ requests: [{ ...stored, state }] })
  await store.findAll([requestId])
  await store.findByOrders([requestId])
  await store.seqsOf([requestId])
  await store.changesAfter(requestId, 0)
  await store.pendingSwaps(originChainId)
  const payer = { user: evmAddress(user), currency: evmAddress(originCurrency) }
  await store.awaitedPayers(originChainId, [payer], 1)
  await store.allAwaitedPayers(originChainId, { now: 1, limit: 1 })
  await store.waitingSwaps(originChainId, payer, { now: 1, limit: 1 })
  await store.overdue(originChainId, 1)
  await store.countOpenQuotes('a', { now: 1, limit: 1 })
  await store.deleteUnpaid(1, 1)
  await store.fillable(destinationChainId, false, { limit: 1 })
  await store.refundable(originChainId, 1, { limit: 1 })
  await store.boughtSince(1, 'usd', 1)
  await store.openDeposits(originChainId, 1n)
  await store.unsettled(originChainId)
  await store.unsettledAmounts(originChainId)
  await store.openPayments(originChainId, 1n, { except: [], limit: 1 })
  await store.duePermits({ chainId: originChainId, relayer: evmAddress(user), now: 1, limit: 1 })
  await store.revertedPermits(originChainId, 1)
  await store.countPaidPermits(originChainId, [evmAddress(user)], Number.MAX_SAFE_INTEGER)
  await store.watchedAddresses(originChainId, 1, { limit: 1 })
  await store.countLiveAddresses('network:a', { now: 1, limit: 1 })
  await store.countWatchedAddresses('networks', { now: 1, limit: 1 })
  await store.evictUnpaidAddresses('keys', { now: 1, before: 1, lastBefore: 1, limit: 1 })
  await store.nearExit(originChainId, 1)
  await store.exposureUsd(originChainId)
  await store.exposedDeposits(originChainId, 1)
  await store.openTransactions(originChainId, 1n)
  await store.unbooked(originChainId, { since: 1, limit: 1 })
  await store.bookTotals(originChainId)
  await store.bookDays([originChainId, destinationChainId], 1)
  await store.nextNonce(originChainId, evmAddress(user))
  await store.claimWebhooks({ apiKey: 'partner', now: 1, leaseMs: 1, limit: 1 })
}

describe.skipIf(serverUrl === undefined)('the queries on Postgres', () => {
  it('use an index, also if they were planned for empty tables', async () => {
    const home = await createPostgresHome()
    try {
      const store = await home.open()
      for (let times = 0; times < 8; times += 1) await use(store, 1)
      await use(store, 500)
      await store.close()
      // The server reports a connection's reads once it has ended.
      const read = () =>
        home.query(
          `select relname, seq_tup_read::int as scanned, idx_tup_fetch::int as fetched
           from pg_stat_user_tables where schemaname = 'public' order by relname`,
        )
      const fetched = async () =>
        Number((await read()).find(({ relname }) => relname === 'requests')?.['fetched'])
      await vi.waitUntil(async () => (await fetched()) > 50, patience)
      for (const each of await read()) expect(each).toMatchObject({ scanned: 0 })
      // They do not scan a whole index either.
      expect(await fetched()).toBeLessThan(400)
    } finally {
      await home.remove()
    }
  })
})
