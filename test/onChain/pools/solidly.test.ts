import fc from 'fast-check'
import { encodeDeployData, encodeFunctionData, erc20Abi, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { swapExactInput, swapExactOutput } from '#src/core/pools/pool.ts'
import type { SolidlyPool } from '#src/core/pools/solidly/swapSolidly.ts'
import { findRoute } from '#src/core/router/findRoute.ts'
import { createGraph } from '#src/core/router/graph.ts'
import type { Address } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { solidlyMarket } from '#src/market/kinds/solidly/solidlyMarket.ts'
import { findConfiguredPools } from '#src/market/pools/discovery/discoverPools.ts'
import { applyLogs } from '#src/market/pools/poolHistory.ts'
import { readAll } from '#src/market/reads/readAll.ts'
import { swapCall, sweepCalls } from '#src/protocol/calls/routerCalls.ts'
import { router } from '#src/protocol/contracts/artifacts/router.ts'
import { amountOf, move } from '#test/support/arbitraries/poolArbitrary.ts'
import { createTestClient } from '#test/support/chains/testChain.ts'
import { solidlyTestAbi } from '#test/support/fixtures/solidlyCode.ts'
import { runs } from '#test/support/runs.ts'
import { type Exchange, startExchange, unlessReverted } from './exchange.ts'
import { createSolidlyPools, type SolidlyPools } from './solidlyPools.ts'

let exchange: Exchange
let client: ChainClient
let solidly: SolidlyPools
let pools: readonly SolidlyPool[]
let ourRouter: Address

beforeAll(async () => {
  exchange = await startExchange([6, 6, 8, 18, 18])
  client = createTestClient({ rpcUrls: [exchange.rpcUrl], id: exchange.chainId })
  solidly = await createSolidlyPools(exchange)
  ourRouter = exchange.queue.deploy(encodeDeployData({ ...router, args: [zeroAddress] }))
  await exchange.queue.flush()
  pools = await solidly.read(client)
})

afterAll(async () => {
  client?.close()
  await exchange?.stop()
})

/** The pool's own answer; undefined if it reverts, or pays nothing or all that it has. */
async function answer(pool: SolidlyPool, zeroForOne: boolean, amountIn: bigint) {
  const out = await unlessReverted(
    exchange.client.readContract({
      address: pool.address,
      abi: solidlyTestAbi,
      functionName: 'getAmountOut',
      args: [amountIn, zeroForOne ? pool.currency0 : pool.currency1],
    }),
  )
  const reserve = zeroForOne ? pool.reserve1 : pool.reserve0
  return out === 0n || out === undefined || out >= reserve ? undefined : out
}

test('swap outputs equal the answers of the pools, to the wei, and inputs are minimal', async () => {
  expect(pools).toHaveLength(20)
  const answered = { exactInput: 0, exactOutput: 0, stable: 0 }
  const oneSwap = fc.record({ pool: fc.constantFrom(...pools), one: move })
  await fc.assert(
    fc.asyncProperty(fc.array(oneSwap, { minLength: 120, maxLength: 120 }), async (swaps) => {
      await Promise.all(
        swaps.map(async ({ pool, one }) => {
          const { zeroForOne, mode } = one
          const amount = amountOf(pool, one)
          const swap = mode === 'exactInput' ? swapExactInput : swapExactOutput
          const ours = swap(pool, zeroForOne, amount)
          if (mode === 'exactInput')
            expect(ours?.amountOut).toEqual(await answer(pool, zeroForOne, amount))
          else if (ours !== undefined) {
            const { amountIn } = ours
            expect((await answer(pool, zeroForOne, amountIn)) ?? 0n).toBeGreaterThanOrEqual(amount)
            expect((await answer(pool, zeroForOne, amountIn - 1n)) ?? 0n).toBeLessThan(amount)
          }
          if (ours === undefined) return
          answered[mode] += 1
          if (pool.stable) answered.stable += 1
        }),
      )
    }),
    { numRuns: runs(10), endOnFailure: true },
  )
  expect(Math.min(...Object.values(answered))).toBeGreaterThan(200)
})

/** The calls by which the account swaps in one pool by our router. */
function swapBy(
  pool: SolidlyPool,
  zeroForOne: boolean,
  amounts: { amountIn: bigint; maxOut: bigint },
) {
  const { queue } = exchange
  const [input, output] = zeroForOne
    ? [pool.currency0, pool.currency1]
    : [pool.currency1, pool.currency0]
  const hop = { pool, zeroForOne, ticksCrossed: 0 }
  const amountIn = toAmount(amounts.amountIn)
  const amountOut = toAmount(amounts.maxOut)
  const path = { amountIn, amountOut, hops: [{ ...hop, amountIn, amountOut }] }
  const route = { input, output, amountIn, amountOut, paths: [path] }
  const calls = [
    swapCall(ourRouter, route, { limitsOutput: true }),
    ...sweepCalls(ourRouter, [input, output], queue.account),
  ]
  const args = [ourRouter, amountIn] as const
  queue.send({
    to: input,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
  })
  queue.send({
    to: ourRouter,
    data: encodeFunctionData({
      abi: router.abi,
      functionName: 'multicall',
      args: [calls, queue.account, queue.account, '0x'],
    }),
  })
}

test('executed swaps leave the pools in the computed state, and their events report it', async () => {
  const { client: anvil, queue } = exchange
  const from = await anvil.getBlockNumber()
  const before = await solidly.read(client)
  const expected = before.map((pool, seed) => {
    let state = pool
    for (const one of fc.sample(move, { numRuns: runs(6), seed })) {
      const swap = one.mode === 'exactInput' ? swapExactInput : swapExactOutput
      const swapped = swap(state, one.zeroForOne, amountOf(state, one))
      if (swapped?.next.kind !== 'solidly') continue
      const { amountIn, amountOut } = swapped
      swapBy(state, one.zeroForOne, { amountIn, maxOut: amountOut })
      state = swapped.next
    }
    return state
  })
  await queue.flush()
  const logs = await anvil.getLogs({ fromBlock: from + 1n })
  const known = new Map(before.map((pool) => [pool.address, pool]))
  const { changed, contradicted } = applyLogs(known, logs)
  const followed = new Map(changed.map((pool) => [pool.address, pool]))
  expect(contradicted).toEqual([])
  expect(changed.length).toBeGreaterThan(12)
  expect(before.map((pool) => followed.get(pool.address) ?? pool)).toEqual(expected)
  expect(await solidly.read(client)).toEqual(expected)
})

test.each(['exactInput', 'exactOutput'] as const)(
  'our router pays the computed output of a route of the mode %s over several pools',
  async (mode) => {
    const { client: anvil, queue } = exchange
    const from = queue.account
    const states = await solidly.read(client)
    const graph = createGraph(states)
    const [deep] = states.toSorted((one, other) => Number(other.reserve0 - one.reserve0))
    if (deep === undefined) throw new Error('There are no pools')
    const { currency0: input, currency1: output, reserve0, reserve1 } = deep
    const amount = toAmount((mode === 'exactInput' ? reserve0 : reserve1) / 3n)
    const route = findRoute(graph, { input, output, amount, mode, gasPrice: 0 })
    if (route === undefined) throw new Error('There is no route')
    const balance = () =>
      anvil.readContract({
        address: output,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [from],
      })
    const before = await balance()
    const calls = [
      swapCall(ourRouter, route, { limitsOutput: mode === 'exactOutput' }),
      ...sweepCalls(ourRouter, [output], from),
    ]
    const args = [ourRouter, route.amountIn] as const
    queue.send({
      to: input,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
    })
    queue.send({
      to: ourRouter,
      data: encodeFunctionData({
        abi: router.abi,
        functionName: 'multicall',
        args: [calls, from, from, '0x'],
      }),
    })
    await queue.flush()
    expect((await balance()) - before).toBe(route.amountOut)
  },
)

test('reads changed fees and a pause', async () => {
  const { queue } = exchange
  const [one] = pools
  if (one === undefined) throw new Error('There are no pools')
  solidly.call('setCustomFee', [one.address, 33n])
  solidly.call('setFee', [true, 7n])
  solidly.call('setPauseState', [true])
  await queue.flush()
  const paused = await solidly.read(client)
  expect(paused.find(({ address }) => address === one.address)?.fee).toBe(3_300)
  expect(paused.filter(({ stable, fee }) => stable && fee === 700).length).toBeGreaterThan(3)
  for (const pool of paused) expect(swapExactInput(pool, true, toAmount(10n ** 6n))).toBeUndefined()
  solidly.call('setPauseState', [false])
  await queue.flush()
})

test('the check of a configuration distinguishes such a factory from others', async () => {
  const { hash } = await exchange.client.getBlock()
  const isRight = async (factory: Address) => {
    const named = { source: 'aerodrome', fromBlock: 0n, pairs: [] }
    const { reads, judge } = solidlyMarket.checkFactory({ kind: 'solidly', factory, ...named })
    return judge((await readAll(client, { answers: reads }, hash)).answers)
  }
  expect(await isRight(solidly.factory)).toBe(true)
  expect(await isRight(exchange.uniswapV2.uniswapV2Factory)).toBe(false)
  expect(await isRight(exchange.uniswapV3.uniswapV3Factory)).toBe(false)
})

test('pools are found by their currencies as by their logs', async () => {
  const { hash } = await exchange.client.getBlock()
  const factory = {
    kind: 'solidly' as const,
    source: 'aerodrome',
    factory: solidly.factory,
    fromBlock: 0n,
    pairs: pools.map(({ currency0, currency1 }): [Address, Address] => [currency1, currency0]),
  }
  const found = await findConfiguredPools(client, factory, hash)
  const addresses = new Set(found.map(({ address }) => address))
  expect([...addresses].sort()).toEqual(pools.map(({ address }) => address).sort())
})
