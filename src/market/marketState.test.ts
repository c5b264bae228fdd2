import { expect, test, vi } from 'vitest'
import { patience, useMarketChain } from '#test/useMarketChain.ts'

const rig = useMarketChain()

test('begins with the state of every pool as the chain has it', async () => {
  const { market, pools, status } = rig.start()
  await market.ready()
  expect(pools()).toEqual(await rig.routablePools())
  expect(status()).toMatchObject({
    differences: 0,
    resyncs: 0,
    head: { pools: 33, routedPools: 32 },
  })
})

test('stays equal to the chain through swaps, new positions and withdrawals', async () => {
  const { market, pools, atHead, status } = rig.start()
  await market.ready()
  const before = pools() ?? []
  for (let round = 0; round < 5; round++) {
    for (let blocks = 0; blocks < 8; blocks++) await rig.chain.churn()
    await atHead()
    expect(pools()).toEqual(await rig.routablePools())
  }
  const changed = (pools() ?? []).filter((pool, at) => pool !== before[at])
  expect(changed.length).toBeGreaterThan(20)
  expect(status()).toMatchObject({ differences: 0, resyncs: 0 })
})

test('follows a pool from the block that makes it, and forgets it when that is undone', async () => {
  const { market, pools, atHead, status } = rig.start()
  await market.ready()
  const before = await rig.chain.anvil.snapshot()
  await rig.chain.addPair('ACORN', 'BIRCH')
  await atHead()
  await vi.waitFor(() => expect(pools()).toHaveLength(33), patience)
  await rig.chain.churn()
  await atHead()
  const all = await rig.routablePools()
  expect(pools()?.filter(({ address }) => all.some((pool) => pool.address === address))).toEqual(
    all,
  )
  await rig.chain.anvil.revert({ id: before })
  for (let blocks = 0; blocks < 3; blocks++) await rig.chain.churn()
  await atHead()
  expect(pools()).toEqual(await rig.routablePools())
  expect(status()).toMatchObject({ differences: 0, resyncs: 0 })
})

test('a reorg leaves the state of the blocks that replace the old ones', async () => {
  const { market, pools, atHead, status } = rig.start()
  await market.ready()
  for (let round = 0; round < 3; round++) {
    for (let blocks = 0; blocks < 5; blocks++) await rig.chain.churn()
    await atHead()
    const before = pools()
    await rig.chain.reorg(4)
    await atHead()
    expect(pools()).not.toEqual(before)
    expect(pools()).toEqual(await rig.routablePools())
    await rig.chain.churn()
    await atHead()
    expect(pools()).toEqual(await rig.routablePools())
  }
  expect(status()).toMatchObject({ differences: 0, resyncs: 0 })
})

test('a reorg deeper than is remembered has everything read anew', async () => {
  const { market, pools, atHead, status } = rig.start({ finalityDepth: 3 })
  await market.ready()
  const before = await rig.chain.anvil.snapshot()
  for (let blocks = 0; blocks < 8; blocks++) await rig.chain.churn()
  await atHead()
  await rig.chain.anvil.revert({ id: before })
  for (let blocks = 0; blocks < 9; blocks++) await rig.chain.churn()
  await atHead()
  const expected = await rig.routablePools()
  await vi.waitFor(() => expect(pools()).toEqual(expected), patience)
  expect(status().resyncs).toBeGreaterThanOrEqual(1)
})

test('a restart begins with the same state', async () => {
  const one = rig.start()
  await one.market.ready()
  for (let blocks = 0; blocks < 5; blocks++) await rig.chain.churn()
  await one.atHead()
  const other = rig.start()
  await other.market.ready()
  await other.atHead()
  expect(other.pools()).toEqual(one.pools())
  expect(other.market.latest(other.chainId)?.usdPrices).toEqual(
    one.market.latest(one.chainId)?.usdPrices,
  )
})
