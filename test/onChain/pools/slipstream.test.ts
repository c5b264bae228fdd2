import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { swapExactInput, swapExactOutput } from '#src/core/pools/pool.ts'
import type { SwapMode } from '#src/core/pools/poolKind.ts'
import type { SlipstreamPool } from '#src/core/pools/slipstream/slipstream.ts'
import type { Address } from '#src/core/units/address.ts'
import { placeMulticall3 } from '#src/devnet/deployment/deployChain.ts'
import { slipstreamMarket } from '#src/market/kinds/slipstream/slipstreamMarket.ts'
import { findConfiguredPools } from '#src/market/pools/discovery/discoverPools.ts'
import { applyLogs } from '#src/market/pools/poolHistory.ts'
import { readAll } from '#src/market/reads/readAll.ts'
import { poolChangeOf } from '#src/market/replica/replicaChanges.ts'
import {
  amountOf,
  endOfLiquidity,
  type Move,
  move,
  positions,
} from '#test/support/arbitraries/poolArbitrary.ts'
import { slipstreamPools } from '#test/support/artifacts/slipstreamPools.ts'
import { createTestClient } from '#test/support/chains/testChain.ts'
import { runs } from '#test/support/runs.ts'
import { type Exchange, pairsOf, startExchange, unlessReverted } from './exchange.ts'
import { followPools } from './followedPools.ts'
import { type SlipstreamExchange, startSlipstreamPools } from './slipstreamPools.ts'

const { abi } = slipstreamPools

let exchange: Exchange
let client: ChainClient
let slipstream: SlipstreamExchange
let pools: readonly SlipstreamPool[]

beforeAll(async () => {
  exchange = await startExchange([18, 18, 18])
  client = createTestClient({ rpcUrls: [exchange.rpcUrl], id: exchange.chainId })
  await placeMulticall3(exchange.client)
  slipstream = await startSlipstreamPools(exchange, client)
  pools = await slipstream.read()
})

afterAll(async () => {
  client?.close()
  await exchange?.stop()
})

const swapOf = (mode: SwapMode) => (mode === 'exactInput' ? swapExactInput : swapExactOutput)

function argsOf(pool: SlipstreamPool, one: Move) {
  const { zeroForOne, mode } = one
  const amount = amountOf(pool, one)
  const specified = mode === 'exactInput' ? amount : -amount
  return [pool.address, zeroForOne, specified, endOfLiquidity(pool, zeroForOne)] as const
}

/** The pool's own answer; undefined if it reverts or ends at the last position. */
async function quote(pool: SlipstreamPool, one: Move) {
  const { client: anvil, queue } = exchange
  const simulated = await unlessReverted(
    anvil.simulateContract({
      address: slipstream.factory.factory,
      abi,
      functionName: 'swap',
      args: argsOf(pool, one),
      account: queue.account,
    }),
  )
  if (simulated === undefined) return undefined
  const [amount0, amount1] = simulated.result
  const [amountIn, amountOut] = one.zeroForOne ? [amount0, -amount1] : [amount1, -amount0]
  const isWhole = (one.mode === 'exactInput' ? amountIn : amountOut) === amountOf(pool, one)
  return isWhole && amountOut > 0n ? { amountIn, amountOut } : undefined
}

test('swap outputs equal the answers of the pools, to the wei, also after their fees have changed', async () => {
  expect(pools).toHaveLength(12)
  const answered = { exactInput: 0, exactOutput: 0, crossing: 0 }
  const oneSwap = fc.record({ at: fc.nat(pools.length - 1), one: move })
  await fc.assert(
    fc.asyncProperty(
      fc.array(oneSwap, { minLength: 100, maxLength: 100 }),
      fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 12, maxLength: 12 }),
      async (swaps, fees) => {
        for (const [at, { address }] of pools.entries())
          slipstream.send('setFee', [address, fees[at]])
        await exchange.queue.flush()
        pools = await slipstream.read()
        expect(pools.map(({ fee }) => fee)).toEqual(fees)
        await Promise.all(
          swaps.map(async ({ at, one }) => {
            const pool = pools[at] as SlipstreamPool
            const ours = swapOf(one.mode)(pool, one.zeroForOne, amountOf(pool, one))
            const { amountIn, amountOut } = ours ?? {}
            expect(ours && { amountIn, amountOut }).toEqual(await quote(pool, one))
            if (ours === undefined) return
            answered[one.mode] += 1
            if (ours.ticksCrossed > 0) answered.crossing += 1
          }),
        )
      },
    ),
    { numRuns: runs(10), endOnFailure: true },
  )
  expect(Math.min(...Object.values(answered))).toBeGreaterThan(50)
})

test('pools follow their events to the state that we expect and the chain reports', async () => {
  const { client: anvil, queue } = exchange
  const from = await anvil.getBlockNumber()
  const expected = pools.map((pool, seed) => {
    let state = pool
    for (const one of fc.sample(move, { numRuns: runs(10), seed })) {
      const swap = swapOf(one.mode)(state, one.zeroForOne, amountOf(state, one))
      if (swap?.next.kind !== 'slipstream') continue
      slipstream.send('swap', argsOf(state, one))
      state = swap.next
    }
    return state
  })
  await queue.flush()
  const follow = async (known: readonly SlipstreamPool[], above: bigint) => {
    const logs = await anvil.getLogs({ fromBlock: above + 1n })
    const { changed, contradicted } = applyLogs(
      new Map(known.map((pool) => [pool.address, pool])),
      logs,
    )
    expect(contradicted).toEqual([])
    const after = new Map(changed.map((pool) => [pool.address, pool]))
    return known.map((pool) => after.get(pool.address) ?? pool)
  }
  expect(await follow(pools, from)).toEqual(expected)
  expect(await slipstream.read()).toEqual(expected)
  expect(expected.filter((pool, at) => pool !== pools[at]).length).toBeGreaterThan(6)

  const middle = await anvil.getBlockNumber()
  for (const [seed, { address, tickSpacing, tick }] of expected.entries()) {
    const [minted = []] = fc.sample(positions(tickSpacing, tick), { numRuns: 1, seed })
    for (const { tickLower, tickUpper, liquidity } of minted) {
      const added = (liquidity >> 30n) + 1_000n
      slipstream.send('mint', [address, tickLower, tickUpper, added])
      slipstream.send('burn', [address, tickLower, tickUpper, added / 3n])
    }
  }
  await queue.flush()
  const read = await slipstream.read()
  expect(await follow(expected, middle)).toEqual(read)
  expect(read).not.toEqual(expected)
  pools = read
})

test('the feed sends a changed fee without the ticks', async () => {
  const before = pools
  for (const { address } of before) slipstream.send('setFee', [address, 321])
  await exchange.queue.flush()
  pools = await slipstream.read()
  const known = new Map<string, SlipstreamPool>(before.map((pool) => [pool.address, pool]))
  for (const pool of pools) {
    const change = poolChangeOf(pool, known.get(pool.address))
    expect(change).toMatchObject({ kind: 'slipstreamPrice', fee: 321, ticks: [] })
  }
})

test('the check of a configuration distinguishes such a factory from others', async () => {
  const { hash } = await exchange.client.getBlock()
  const isRight = async (factory: Address) => {
    const { reads, judge } = slipstreamMarket.checkFactory({ ...slipstream.factory, factory })
    return judge((await readAll(client, { answers: reads }, hash)).answers)
  }
  const { factory, tickSpacings } = slipstream.factory
  expect(await isRight(factory)).toBe(true)
  expect(await isRight(exchange.uniswapV2.uniswapV2Factory)).toBe(false)
  expect(await isRight(exchange.uniswapV3.uniswapV3Factory)).toBe(false)
  // A factory whose pools can have hooks.
  const { judge } = slipstreamMarket.checkFactory(slipstream.factory)
  const fees = tickSpacings.map(() => 100)
  expect(judge([undefined, ...fees])).toBe(true)
  expect(judge([`0x${'0'.repeat(40)}`, ...fees])).toBe(false)
})

test('pools are found by their currencies as by their logs', async () => {
  const { hash } = await exchange.client.getBlock()
  const pairs = pairsOf(exchange.currencies).map(([one, other]): [Address, Address] => [other, one])
  const found = await findConfiguredPools(client, { ...slipstream.factory, pairs }, hash)
  expect(found.map(({ address }) => address).sort()).toEqual(
    pools.map(({ address }) => address).sort(),
  )
})

test('reads a fee without an event at each block, and at the parent after a reorg', async () => {
  const { client: anvil, queue } = exchange
  const { read, factory } = slipstream
  const followed = await followPools(exchange, client, { factory, read })
  const { take, graph, onChain } = followed
  const first = graph()
  expect(first).toEqual(await onChain())
  expect(first).toHaveLength(12)

  const snapshot = await anvil.snapshot()
  for (const { address } of first) slipstream.send('setFee', [address, 777])
  await queue.flush()
  const changed = await take()
  expect(graph()).toEqual(await onChain())
  expect(graph().every(({ fee }) => fee === 777)).toBe(true)

  followed.pools.undo([changed])
  await anvil.revert({ id: snapshot })
  expect(graph()).toEqual(first)
  await anvil.mine({ blocks: 1 })
  await take()
  expect(graph()).toEqual(await onChain())
  expect(followed.differences()).toBe(0)
})
