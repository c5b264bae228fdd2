import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type Pool, swapExactInput, swapExactOutput } from '#src/core/pools/pool.ts'
import { type PoolId, poolIdOf, type SwapMode } from '#src/core/pools/poolKind.ts'
import { swapFeeOf, type UniswapV4Pool } from '#src/core/pools/uniswapV4/uniswapV4.ts'
import { placeMulticall3 } from '#src/devnet/deployment/deployChain.ts'
import { parsePoolCreations } from '#src/market/pools/discovery/poolCreations.ts'
import { applyLogs } from '#src/market/pools/poolHistory.ts'
import {
  amountOf,
  endOfLiquidity,
  type Move,
  move,
  positions,
} from '#test/support/arbitraries/poolArbitrary.ts'
import { uniswapV4Pools } from '#test/support/artifacts/uniswapV4Pools.ts'
import { createTestClient } from '#test/support/chains/testChain.ts'
import { runs } from '#test/support/runs.ts'
import { type Exchange, startExchange, unlessReverted } from './exchange.ts'
import { keyOf, positionOf, startV4Pools, type V4Exchange, v4Tiers } from './v4Pools.ts'

const { abi } = uniswapV4Pools

let exchange: Exchange
let client: ChainClient
let v4: V4Exchange
let pools: readonly UniswapV4Pool[]

beforeAll(async () => {
  exchange = await startExchange([18, 18, 18])
  client = createTestClient({ rpcUrls: [exchange.rpcUrl], id: exchange.chainId })
  await placeMulticall3(exchange.client)
  v4 = await startV4Pools(exchange, client)
  pools = await v4.read()
})

afterAll(async () => {
  client?.close()
  await exchange?.stop()
})

const swapOf = (mode: SwapMode) => (mode === 'exactInput' ? swapExactInput : swapExactOutput)

function argsOf(pool: UniswapV4Pool, one: Move) {
  const { zeroForOne, mode } = one
  const amount = amountOf(pool, one)
  // A manager takes an exact input as a negative amount.
  const amountSpecified = mode === 'exactInput' ? -amount : amount
  const sqrtPriceLimitX96 = endOfLiquidity(pool, zeroForOne)
  return [keyOf(pool), { zeroForOne, amountSpecified, sqrtPriceLimitX96 }] as const
}

/** The manager's own answer; undefined if it reverts or ends at the last position. */
async function quote(pool: UniswapV4Pool, one: Move) {
  const { client: anvil, queue } = exchange
  const args = argsOf(pool, one)
  const simulated = await unlessReverted(
    anvil.simulateContract({
      address: v4.trader,
      abi,
      functionName: 'swap',
      args,
      account: queue.account,
    }),
  )
  if (simulated === undefined) return undefined
  const [amount0, amount1] = simulated.result
  const [amountIn, amountOut] = one.zeroForOne ? [-amount0, amount1] : [-amount1, amount0]
  const isWhole = (one.mode === 'exactInput' ? amountIn : amountOut) === amountOf(pool, one)
  return isWhole && amountOut > 0n ? { amountIn, amountOut } : undefined
}

test('finds the pools of the pairs, also those of the native currency', () => {
  expect(pools).toHaveLength(5 * v4Tiers.length)
  expect(pools.filter(({ hasNative }) => hasNative)).toHaveLength(2 * v4Tiers.length)
  expect(new Set(pools.map(({ id }) => id)).size).toBe(pools.length)
  expect(
    new Set(pools.map((pool) => swapFeeOf(pool, true) - swapFeeOf(pool, false))).size,
  ).toBeGreaterThan(2)
})

test('swap outputs equal the answers of the manager, to the wei', async () => {
  const answered = { exactInput: 0, exactOutput: 0, crossing: 0 }
  const oneSwap = fc.record({ pool: fc.constantFrom(...pools), one: move })
  await fc.assert(
    fc.asyncProperty(fc.array(oneSwap, { minLength: 100, maxLength: 100 }), async (swaps) => {
      await Promise.all(
        swaps.map(async ({ pool, one }) => {
          const ours = swapOf(one.mode)(pool, one.zeroForOne, amountOf(pool, one))
          const { amountIn, amountOut } = ours ?? {}
          expect(ours && { amountIn, amountOut }).toEqual(await quote(pool, one))
          if (ours === undefined) return
          answered[one.mode] += 1
          if (ours.ticksCrossed > 0) answered.crossing += 1
        }),
      )
    }),
    { numRuns: runs(10), endOnFailure: true },
  )
  expect(Math.min(...Object.values(answered))).toBeGreaterThan(50)
})

/** The pools after the logs of the blocks above this one. */
async function follow(known: readonly Pool[], above: bigint): Promise<readonly Pool[]> {
  const logs = await exchange.client.getLogs({ fromBlock: above + 1n })
  const before = new Map<PoolId, Pool>(known.map((pool) => [poolIdOf(pool), pool]))
  const { changed, contradicted } = applyLogs(before, logs)
  expect(contradicted).toEqual([])
  for (const pool of changed) before.set(poolIdOf(pool), pool)
  return [...before.values()]
}

test('pools follow the events of the manager to the state that we expect and the chain reports', async () => {
  const { client: anvil, queue } = exchange
  const from = await anvil.getBlockNumber()
  const expected = pools.map((pool, seed) => {
    let state = pool
    for (const one of fc.sample(move, { numRuns: runs(10), seed })) {
      const swap = swapOf(one.mode)(state, one.zeroForOne, amountOf(state, one))
      if (swap?.next.kind !== 'uniswapV4') continue
      v4.send('swap', argsOf(state, one))
      state = swap.next
    }
    return state
  })
  await queue.flush()
  expect(await follow(pools, from)).toEqual(expected)
  expect(await v4.read()).toEqual(expected)
  expect(expected.filter((pool, at) => pool !== pools[at]).length).toBeGreaterThan(12)

  const middle = await anvil.getBlockNumber()
  expected.forEach((pool, seed) => {
    const key = keyOf(pool)
    const [minted = []] = fc.sample(positions(pool.tickSpacing, pool.tick), { numRuns: 1, seed })
    for (const [at, position] of minted.entries()) {
      const added = positionOf(position, at + 1)
      v4.send('mint', [key, added])
      // Takes fees, and then a part of the position.
      v4.send('mint', [key, { ...added, liquidityDelta: 0n }])
      v4.send('mint', [key, { ...added, liquidityDelta: -(added.liquidityDelta / 3n) }])
    }
    if (seed % 2 === 0) v4.send('setProtocolFee', [key, 300 + (seed << 12)])
    if (pool.liquidity > 0n) v4.send('donate', [key, 7n, 8n])
  })
  await queue.flush()
  const read = await v4.read()
  expect(await follow(expected, middle)).toEqual(read)
  expect(read).not.toEqual(expected)
  pools = read
})

test('a log of another contract with the id of a pool changes nothing', async () => {
  const { client: anvil } = exchange
  const logs = await anvil.getLogs({ address: v4.manager.factory, fromBlock: 0n })
  const forged = logs.map((log) => ({ ...log, address: v4.trader }))
  const known = new Map<PoolId, Pool>(pools.map((pool) => [pool.id, pool]))
  expect(applyLogs(known, forged)).toEqual({ changed: [], contradicted: [] })
  expect(parsePoolCreations(v4.manager, forged)).toEqual([])
  expect(new Set(parsePoolCreations(v4.manager, logs).map(({ id }) => id))).toEqual(
    new Set(pools.map(({ id }) => id)),
  )
})
