import { expect, test, vi } from 'vitest'
import { uniswapV2FactoryAbi } from '#src/contracts/abis.ts'
import { type Address, nativeAddress, toAddress } from '#src/units/address.ts'
import { messagesOf, patience, useMarketChain } from '#test/support/chains/useMarketChain.ts'

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

test('a pool that was read at a block that is undone is read again', async () => {
  const { market, pools, atHead, lines } = rig.start()
  await market.ready()
  const before = await rig.chain.anvil.snapshot()
  const address = await futurePair('ACORN', 'CEDAR')
  const isHeld = () => pools()?.some((pool) => pool.address === address)
  const busy = { error: { code: -32_000, message: 'try again later' } }
  // The block that makes the pool goes by before it can be read.
  rig.proxy.behave({
    change: ({ params }, answer) =>
      JSON.stringify(params).includes(address.slice(2)) ? busy : answer,
  })
  await rig.chain.addPair('ACORN', 'CEDAR')
  await vi.waitFor(() => expect(messagesOf(lines)).toContain('Could not check pools'), patience)
  rig.proxy.behave('pass')
  expect(isHeld()).toBe(false)
  await rig.chain.anvil.mine({ blocks: 1 })
  await vi.waitFor(() => expect(isHeld()).toBe(true), patience)
  await rig.chain.reorg(1)
  await atHead()
  await vi.waitFor(() => expect(isHeld()).toBe(true), patience)
  await rig.chain.anvil.revert({ id: before })
})

/** Where the pair of two currencies will be. */
async function futurePair(one: string, other: string): Promise<Address> {
  const { anvil, deployed } = rig.chain
  const [a, b] = [one, other].map((wanted) =>
    deployed.currencies.find(({ symbol }) => symbol === wanted),
  )
  const { result } = await anvil.simulateContract({
    address: deployed.contracts.uniswapV2Factory,
    abi: uniswapV2FactoryAbi,
    functionName: 'createPair',
    args: [a?.address ?? nativeAddress, b?.address ?? nativeAddress],
  })
  return toAddress(result)
}

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
