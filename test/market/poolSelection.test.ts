import { expect, test, vi } from 'vitest'
import type { ChainInput } from '#src/config/chain.ts'
import type { Address } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { tickReader } from '#src/protocol/contracts/artifacts/tickReader.ts'
import { patience } from '#test/support/patience.ts'
import type { SimulatedPool } from '#test/support/simulatedNode/simulatedState.ts'
import {
  concentratedOf,
  leaf,
  leafPairOf,
  pairOf,
  wholeFactories,
} from '#test/support/simulatedNode/starPools.ts'
import { useStarChains } from '#test/support/simulatedNode/useStarChains.ts'

const id = toChainId(990_105)
const chains = useStarChains(id)

const addressesOf = (pools: readonly SimulatedPool[]): readonly Address[] =>
  pools.map(({ pool }) => pool.address).sort()

/** A chain on which whole factories have these pools, and its market. */
async function start(
  pools: readonly SimulatedPool[],
  changes: Partial<ChainInput>,
  held?: ReadonlyMap<Address, bigint>,
) {
  const { chain, node, startMarket } = await chains.start(pools, held)
  const rig = startMarket(changes)
  await rig.market.ready()
  const routed = () => rig.market.latest(id)?.graph.pools.map(({ address }) => address) ?? []
  return {
    ...rig,
    chain,
    node,
    routed,
    status: () => rig.market.status()[0],
    /** Waits until exactly these pools are routed, while blocks come. */
    untilRouted: async (wanted: readonly SimulatedPool[]) =>
      vi.waitFor(() => {
        chain.mine()
        expect(routed()).toEqual(addressesOf(wanted))
      }, patience),
    tickReads: () =>
      node.calls.filter(({ params }) =>
        JSON.stringify(params).includes(tickReader.bytecode.slice(2)),
      ).length,
  }
}

const counted = (count: number, from = 0) => Array.from({ length: count }, (_, at) => from + at)

/** Looks at every pool all the time. */
const always = { verifyEverySeconds: 0.05, verifyCallsPerSecond: 1_000 }

/** Depth is 29 % of what a pair holds on a side. */
const deep = 10_000n
const shallow = 100n

test('reads the state of only the deep pools among thousands', async () => {
  const deepPairs = counted(20).map((at) => pairOf(id, at, deep))
  const shallowPairs = counted(2_000, 20).map((at) => pairOf(id, at, shallow))
  const concentrated = counted(200, 2_020).map((at) => concentratedOf(id, at))
  const deepOnes = concentrated.slice(0, 5)
  const held = new Map(concentrated.map(({ pool }) => [pool.address, 10n]))
  for (const { pool } of deepOnes) held.set(pool.address, 5_000n)
  const worthless = leafPairOf(id, [0, 1], 10n ** 12n)
  const pools = [...deepPairs, ...shallowPairs, ...concentrated, worthless]
  const bounded = await start(pools, { minPoolUsd: '1000', minPoolDepthUsd: '1000' }, held)
  expect(bounded.routed()).toEqual(addressesOf([...deepPairs, ...deepOnes]))
  // They are read together, and once.
  expect(bounded.tickReads()).toBe(1)
  expect(bounded.status()).toMatchObject({ discovered: 2_221, head: { pools: 25 } })
  expect(bounded.node.calls.length).toBeLessThan(150)
})

test('pools of configured pairs are followed even if they are shallow', async () => {
  const pools = [pairOf(id, 0, shallow), pairOf(id, 1, shallow), pairOf(id, 2, deep)]
  const { factories = [] } = wholeFactories()
  const [v2, v3] = factories
  if (v2 === undefined || v3 === undefined) throw new Error('No factories')
  const own = { ...v2, pairs: [[pools[0]?.pool.currency0, leaf(0)]] as [string, string][] }
  const { untilRouted } = await start(pools, { minPoolUsd: '1000', factories: [own, v2, v3] })
  await untilRouted([pools[0], pools[2]].filter((each) => each !== undefined))
})

test('a pool joins once it is deep, and a new deep pool joins too', async () => {
  // The leaf of the first pool has a price, but by that pool: what the worthless pair holds proves nothing.
  const worthless = leafPairOf(id, [0, 1], 10n ** 12n)
  const pools = [pairOf(id, 0, deep), pairOf(id, 1, shallow), worthless]
  const options = { minPoolUsd: '1000', minPoolDepthUsd: '1000', ...always }
  const { chain, market, routed, untilRouted } = await start(pools, options)
  expect(market.latest(id)?.usdPrices.has(leaf(0))).toBe(true)
  expect(routed()).toHaveLength(1)
  chain.mine([pairOf(id, 1, deep)])
  await untilRouted([pairOf(id, 0, deep), pairOf(id, 1, deep)])
  const created = [pairOf(id, 2, deep), pairOf(id, 3, shallow)]
  chain.mine(created)
  await untilRouted(counted(3).map((at) => pairOf(id, at, deep)))
})

test('a pool leaves with its currency once it stays below half of the minimum, and a reorg does not return it', async () => {
  const pairs = counted(4).map((at) => pairOf(id, at, deep))
  const beside = concentratedOf(id, 2)
  const staying = [...pairs.slice(0, 2), beside]
  const { chain, market, status, untilRouted } = await start(
    [...pairs, beside],
    { minPoolUsd: '1000', minPoolDepthUsd: '1000', ...always },
    new Map([[beside.pool.address, 5_000n]]),
  )
  expect(market.latest(id)?.usdPrices.has(leaf(3))).toBe(true)
  // Depths of $732 and $293: above half of the minimum, and below.
  chain.mine([pairOf(id, 1, 2_500n), pairOf(id, 2, 1_000n), pairOf(id, 3, 1_000n)])
  await untilRouted(staying)
  expect([1, 2, 3].map((at) => market.latest(id)?.usdPrices.has(leaf(at)))).toEqual([
    false,
    true,
    false,
  ])
  expect(status()).toMatchObject({ discovered: 5, head: { pools: 3 } })
  chain.reorg(1)
  await untilRouted(staying)
  expect(status()).toMatchObject({ resyncs: 0, differences: 0 })
})

test('only the deepest pools are followed if their number is limited', async () => {
  const pools = counted(2_100).map((at) => pairOf(id, at, deep + BigInt(at)))
  const { chain, untilRouted } = await start(pools, { maxPools: 10, ...always })
  await untilRouted(pools.slice(-10))
  // It must be twice as deep to take the place of another.
  chain.mine([pairOf(id, 0, 2n * deep), pairOf(id, 1, 3n * deep)])
  await untilRouted([...pools.slice(-9), pairOf(id, 1, 3n * deep)])
})

test('the pools of a requested currency join, and the request makes no call', async () => {
  const pools = [pairOf(id, 0, deep), ...counted(300, 1).map((at) => pairOf(id, at, shallow))]
  const beside = leafPairOf(id, [0, 7], 50n)
  const { market, node, untilRouted } = await start([...pools, beside], { minPoolUsd: '1000' })
  const ask = (at: number) => market.ask({ chainId: id, address: leaf(at) })
  const before = node.calls.length
  expect(ask(7)).toBeGreaterThan(0)
  expect(ask(0)).toBeUndefined()
  expect(market.ask({ chainId: id, address: leaf(999) })).toBeUndefined()
  expect(node.calls.length).toBe(before)
  await untilRouted([...[pools[0], pools[7]].filter((each) => each !== undefined), beside])
  expect(ask(7)).toBeUndefined()
})

test('a caller that requests every currency makes the market read only a few at a time', async () => {
  const pools = [pairOf(id, 0, deep), ...counted(300, 1).map((at) => pairOf(id, at, shallow))]
  const { chain, market, routed } = await start(pools, {
    minPoolUsd: '1000',
    verifyCallsPerSecond: 1_000,
  })
  const askAll = () =>
    counted(300, 1).filter((at) => market.ask({ chainId: id, address: leaf(at) }) !== undefined)
  expect(askAll()).toHaveLength(16)
  await vi.waitFor(() => {
    chain.mine()
    askAll()
    expect(routed()).toHaveLength(65)
  }, patience)
  expect(askAll()).toEqual([])
})
