import { pad } from 'viem'
import { describe, expect, it } from 'vitest'
import type { FoundLog, LogSearch, SearchState } from '#src/chains/search/searchStore.ts'
import { toAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { storeHomes } from '#test/support/store/storeHome.ts'

const search: LogSearch = {
  chainId: toChainId(1),
  genesis: pad('0x01'),
  topic: pad('0x02'),
  address: toAddress(pad('0x03', { size: 20 })),
}
const begun: SearchState = {
  first: 5n,
  next: 5n,
  anchor: undefined,
  span: 2_000n,
  found: 0,
}
const logAt = (blockNumber: bigint, logIndex: number): FoundLog => ({
  blockNumber,
  logIndex,
  topics: [pad('0x02'), pad('0x09')],
  data: '0xabcd',
})

describe.each(storeHomes)('stored searches, on %s', (_, createHome) => {
  it('go on from their position, for one process at a time, and survive a restart', async () => {
    const home = await createHome()
    const store = await home.open()
    expect(await store.findSearch(search)).toBeUndefined()
    await store.beginSearch(search, begun)
    const logs = [logAt(7n, 3), logAt(7n, 12), logAt(10n, 0)]
    const anchor = { number: 10n, hash: pad('0x0a') }
    const state = { ...begun, next: 11n, anchor, span: 500n, found: 3 }
    expect(await store.advanceSearch(search, { after: 5n, state, logs })).toBe(true)
    // Another process that was at the same block comes too late, and stores nothing.
    const late = { after: 5n, state: { ...begun, next: 30n }, logs: [logAt(20n, 0)] }
    expect(await store.advanceSearch(search, late)).toBe(false)
    // Another chain under this id has its own search.
    const elsewhere = { ...search, genesis: pad('0xff') }
    expect(await store.advanceSearch(elsewhere, late)).toBe(false)
    expect(await store.findSearch(elsewhere)).toBeUndefined()
    await store.close()

    const again = await home.open()
    await again.beginSearch(search, begun)
    expect(await again.findSearch(search)).toEqual(state)
    expect(await again.foundLogs(search, { limit: 2 })).toEqual(logs.slice(0, 2))
    expect(await again.foundLogs(search, { after: logs[1], limit: 2 })).toEqual(logs.slice(2))
    await again.forgetChain(search.chainId)
    expect(await again.findSearch(search)).toBeUndefined()
    expect(await again.foundLogs(search, { limit: 2 })).toEqual([])
    await again.close()
    await home.remove()
  })

  it('give one holder the lease, until it is released or expires', async () => {
    const home = await createHome()
    const store = await home.open()
    const acquire = (holder: string, leaseMs: number) =>
      store.acquireLease({ duty: 'pools:1', holder, leaseMs })
    const release = (holder: string) => store.releaseLease({ duty: 'pools:1', holder })
    expect(await acquire('one', 60_000)).toBe(true)
    expect(await acquire('other', 60_000)).toBe(false)
    expect(await acquire('one', 60_000)).toBe(true)
    await release('other')
    expect(await acquire('other', 60_000)).toBe(false)
    await release('one')
    expect(await acquire('other', 0)).toBe(true)
    expect(await acquire('one', 0)).toBe(true)
    await release('one')
    await store.close()
    // No row stays that would look like a leader.
    expect(await home.query('select * from leases')).toEqual([])
    await home.remove()
  })
})
