import { expect, test, vi } from 'vitest'
import { type Address, nativeAddress, toAddress } from '#src/core/units/address.ts'
import { uniswapV2FactoryAbi } from '#src/protocol/contracts/abis.ts'
import { messagesOf, patience, useMarketChain } from '#test/support/chains/useMarketChain.ts'

const rig = useMarketChain()

test('starts with the chain’s state of every pool', async () => {
  const { market, pools, status } = rig.start()
  await market.ready()
  expect(pools()).toEqual(await rig.routablePools())
  expect(status()).toMatchObject({
    differences: 0,
    resyncs: 0,
    head: { pools: 33, routedPools: 32 },
  })
})

test('follows swaps, new positions and withdrawals', async () => {
  // While anvil mines as fast as here, it may answer a read with the next block's state. That counts as a difference.
  const { market, pools, atHead, status } = rig.start({ verifyEverySeconds: 86_400 })
  await market.ready()
  const before = pools() ?? []
  for (let round = 0; round < 5; round++) {
    for (let blocks = 0; blocks < 8; blocks++) await rig.chain.churn()
    await atHead()
    expect(pools()).toEqual(await rig.routablePools())
  }
  const changed = (pools() ?? []).filter((pool, at) => pool !== before[at])
  expect(changed.length).toBeGreaterThan(20)
  expect(status()).toMatchObject({ resyncs: 0 })
})

test('tracks a pool from its creation, and drops it when the block is orphaned', async () => {
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

test('after a reorg, has the state of the new blocks', async () => {
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

test('reads a pool again if the block of its last read is orphaned', async () => {
  const { market, pools, atHead, lines } = rig.start()
  await market.ready()
  const before = await rig.chain.anvil.snapshot()
  const address = await futurePair('ACORN', 'CEDAR')
  const isTracked = () => pools()?.some((pool) => pool.address === address)
  const busy = { error: { code: -32_000, message: 'try again later' } }
  // Reads of the pool fail at the block that creates it.
  rig.proxy.behave({
    change: ({ params }, answer) =>
      JSON.stringify(params).includes(address.slice(2)) ? busy : answer,
  })
  await rig.chain.addPair('ACORN', 'CEDAR')
  await vi.waitFor(() => expect(messagesOf(lines)).toContain('Could not refresh pools'), patience)
  rig.proxy.behave('pass')
  expect(isTracked()).toBe(false)
  await rig.chain.anvil.mine({ blocks: 1 })
  await vi.waitFor(() => expect(isTracked()).toBe(true), patience)
  await rig.chain.reorg(1)
  await atHead()
  await vi.waitFor(() => expect(isTracked()).toBe(true), patience)
  await rig.chain.anvil.revert({ id: before })
})

/** The address of a pair that does not exist yet. */
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

test('reads everything again after a reorg deeper than the undo log', async () => {
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

test('has the same state after a restart', async () => {
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
