import fc from 'fast-check'
import { encodeDeployData, encodeFunctionData, erc20Abi, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { ConcentratedPool } from '#src/core/pools/concentrated/concentratedPool.ts'
import { swapExactInput, swapExactOutput } from '#src/core/pools/pool.ts'
import type { SwapMode } from '#src/core/pools/poolKind.ts'
import { findRoute } from '#src/core/router/findRoute.ts'
import { createGraph } from '#src/core/router/graph.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { placeMulticall3 } from '#src/devnet/deployment/deployChain.ts'
import { applyLogs } from '#src/market/pools/poolHistory.ts'
import { swapCall, sweepCalls } from '#src/protocol/calls/routerCalls.ts'
import { router } from '#src/protocol/contracts/artifacts/router.ts'
import {
  amountOf,
  endOfLiquidity,
  type Move,
  move,
} from '#test/support/arbitraries/poolArbitrary.ts'
import { pancakePools } from '#test/support/artifacts/pancakePools.ts'
import { createTestClient } from '#test/support/chains/testChain.ts'
import { runs } from '#test/support/runs.ts'
import { type Exchange, startExchange, unlessReverted } from './exchange.ts'
import { type PancakeExchange, startPancakePools } from './pancakePools.ts'

const { abi } = pancakePools

let exchange: Exchange
let client: ChainClient
let pancake: PancakeExchange
let pools: readonly ConcentratedPool[]

beforeAll(async () => {
  exchange = await startExchange([18, 18, 18])
  client = createTestClient({ rpcUrls: [exchange.rpcUrl], id: exchange.chainId })
  await placeMulticall3(exchange.client)
  pancake = await startPancakePools(exchange, client)
  pools = await pancake.read()
})

afterAll(async () => {
  client?.close()
  await exchange?.stop()
})

const swapOf = (mode: SwapMode) => (mode === 'exactInput' ? swapExactInput : swapExactOutput)

function argsOf(pool: ConcentratedPool, one: Move) {
  const { zeroForOne, mode } = one
  const amount = amountOf(pool, one)
  const specified = mode === 'exactInput' ? amount : -amount
  return [pool.address, zeroForOne, specified, endOfLiquidity(pool, zeroForOne)] as const
}

/** The pool's own answer; undefined if it reverts or ends at the last position. */
async function quote(pool: ConcentratedPool, one: Move) {
  const { client: anvil, queue } = exchange
  const args = argsOf(pool, one)
  const simulated = await unlessReverted(
    anvil.simulateContract({
      address: pancake.factory,
      abi,
      functionName: 'swap',
      args,
      account: queue.account,
    }),
  )
  if (simulated === undefined) return undefined
  const [amount0, amount1] = simulated.result
  const [amountIn, amountOut] = one.zeroForOne ? [amount0, -amount1] : [amount1, -amount0]
  const isWhole = (one.mode === 'exactInput' ? amountIn : amountOut) === amountOf(pool, one)
  return isWhole && amountOut > 0n ? { amountIn, amountOut } : undefined
}

test('swap outputs equal the answers of the pools, to the wei', async () => {
  expect(pools).toHaveLength(12)
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

test('pools follow the events of their swaps to the state that we expect and the chain reports', async () => {
  const { client: anvil, queue } = exchange
  const from = await anvil.getBlockNumber()
  const expected = pools.map((pool, seed) => {
    let state = pool
    for (const one of fc.sample(move, { numRuns: runs(10), seed })) {
      const swap = swapOf(one.mode)(state, one.zeroForOne, amountOf(state, one))
      if (swap?.next.kind !== 'concentrated') continue
      const args = argsOf(state, one)
      const data = encodeFunctionData({ abi, functionName: 'swap', args })
      queue.send({ to: pancake.factory, data })
      state = swap.next
    }
    return state
  })
  await queue.flush()
  const logs = await anvil.getLogs({ fromBlock: from + 1n })
  const { changed, contradicted } = applyLogs(
    new Map(pools.map((pool) => [pool.address, pool])),
    logs,
  )
  const followed = new Map(changed.map((pool) => [pool.address, pool]))
  expect(contradicted).toEqual([])
  expect(changed.length).toBeGreaterThan(6)
  expect(pools.map((pool) => followed.get(pool.address) ?? pool)).toEqual(expected)
  expect(await pancake.read()).toEqual(expected)
})

test('our router pays the computed output of a route over several of the pools', async () => {
  const { client: anvil, queue, currencies } = exchange
  const [input, , output] = currencies
  const from = queue.account
  if (input === undefined || output === undefined) throw new Error('There are no currencies')
  const graph = createGraph(await pancake.read())
  // The capacity of a single pool depends on the earlier swaps.
  const route = [21n, 22n, 23n, 24n]
    .map((zeros) => toAmount(10n ** zeros))
    .map((amount) => findRoute(graph, { input, output, amount, mode: 'exactInput', gasPrice: 0 }))
    .find((each) => (each?.paths.flatMap(({ hops }) => hops).length ?? 0) > 1)
  if (route === undefined) throw new Error('There is no route over several pools')
  const amount = route.amountIn
  const address = queue.deploy(encodeDeployData({ ...router, args: [zeroAddress] }))
  const calls = [
    swapCall(address, route, { limitsOutput: false }),
    ...sweepCalls(address, [output], from),
  ]
  const balance = () =>
    anvil.readContract({ address: output, abi: erc20Abi, functionName: 'balanceOf', args: [from] })
  const before = await balance()
  for (const [to, data] of [
    [
      input,
      encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [address, amount] }),
    ],
    [
      address,
      encodeFunctionData({
        abi: router.abi,
        functionName: 'multicall',
        args: [calls, from, from, '0x'],
      }),
    ],
  ] as const)
    queue.send({ to, data })
  await queue.flush()
  expect((await balance()) - before).toBe(route.amountOut)
})
