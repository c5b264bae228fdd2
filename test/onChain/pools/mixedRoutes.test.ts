import fc from 'fast-check'
import { encodeDeployData, encodeFunctionData, erc20Abi, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { kindOf, type Pool } from '#src/core/pools/pool.ts'
import { type PoolId, poolIdOf, type SwapMode } from '#src/core/pools/poolKind.ts'
import { findRoute } from '#src/core/router/findRoute.ts'
import { createGraph } from '#src/core/router/graph.ts'
import {
  hasWrappedOutput,
  type Route,
  unwrappedHops,
  wrappedInput,
} from '#src/core/router/route.ts'
import { type Address, nativeAddress, toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { placeMulticall3 } from '#src/devnet/deployment/deployChain.ts'
import { applyLogs } from '#src/market/pools/poolHistory.ts'
import {
  conversionCalls,
  leftoverCurrencies,
  payCall,
  sweepCalls,
} from '#src/protocol/calls/routerCalls.ts'
import { router } from '#src/protocol/contracts/artifacts/router.ts'
import { magnitude } from '#test/support/arbitraries/poolArbitrary.ts'
import { createTestClient } from '#test/support/chains/testChain.ts'
import { runs } from '#test/support/runs.ts'
import { type Exchange, nearParity, startExchange } from './exchange.ts'
import { type PancakeExchange, startPancakePools } from './pancakePools.ts'
import { type SlipstreamExchange, startSlipstreamPools } from './slipstreamPools.ts'
import { createSolidlyPools, type SolidlyPools } from './solidlyPools.ts'
import { createV2Pools } from './v2Pools.ts'
import { createV3Pools } from './v3Pools.ts'
import { startV4Pools, type V4Exchange } from './v4Pools.ts'

let exchange: Exchange
let client: ChainClient
let solidly: SolidlyPools
let pancake: PancakeExchange
let slipstream: SlipstreamExchange
let v4: V4Exchange
/** All pools of the chain, read from their events. */
let known: readonly Pool[]
let ourRouter: Address

beforeAll(async () => {
  exchange = await startExchange([6, 8, 18, 18])
  client = createTestClient({ rpcUrls: [exchange.rpcUrl], id: exchange.chainId })
  const { client: anvil, queue, wrappedNative, unitOf } = exchange
  await placeMulticall3(anvil)
  const startTick = nearParity(exchange)
  v4 = await startV4Pools(exchange, client, startTick)
  pancake = await startPancakePools(exchange, client, startTick)
  slipstream = await startSlipstreamPools(exchange, client, startTick)
  solidly = await createSolidlyPools(exchange, {
    size: magnitude(20, 40),
    ratio: fc.bigInt(980n, 1_020n),
  })
  const v2 = await createV2Pools(exchange, ([one, other], at) => {
    const reserve = magnitude(14, 26)
    const [[whole, percent] = [1n, 100n]] = fc.sample(fc.tuple(reserve, fc.bigInt(97n, 103n)), {
      numRuns: 1,
      seed: at,
    })
    return [whole * unitOf(one), (whole * percent * unitOf(other)) / 100n]
  })
  const v3 = await createV3Pools(exchange, startTick)
  ourRouter = queue.deploy(encodeDeployData({ ...router, args: [zeroAddress] }))
  await anvil.setBalance({ address: queue.account, value: 1n << 110n })
  queue.send({ to: wrappedNative, data: '0xd0e30db0', value: 1n << 100n })
  await queue.flush()
  known = [
    ...(await v4.read()),
    ...(await pancake.read()),
    ...(await slipstream.read()),
    ...(await solidly.read(client)),
    ...v2,
    ...v3.pools,
  ]
})

afterAll(async () => {
  client?.close()
  await exchange?.stop()
})

/** The pools after the logs of the blocks above this one. */
async function follow(above: bigint): Promise<readonly Pool[]> {
  const logs = await exchange.client.getLogs({ fromBlock: above + 1n })
  const after = new Map<PoolId, Pool>(known.map((pool) => [poolIdOf(pool), pool]))
  const { changed, contradicted } = applyLogs(after, logs)
  expect(contradicted).toEqual([])
  for (const pool of changed) after.set(poolIdOf(pool), pool)
  return [...after.values()]
}

type Order = Readonly<{ input: Address; output: Address; mode: SwapMode }>

/** Swaps by our router for a new account. Returns what that got of the output. */
async function execute({ input, output, mode }: Order, route: Route): Promise<bigint> {
  const { client: anvil, queue, wrappedNative } = exchange
  const user = queue.account
  const recipient = toAddress(privateKeyToAddress(generatePrivateKey()))
  const conversion = {
    contracts: { router: ourRouter },
    wrappedNative,
    input,
    output,
    route,
    limitsOutput: mode === 'exactOutput',
  }
  const calls = [
    ...conversionCalls(conversion, route.amountIn),
    ...sweepCalls(ourRouter, leftoverCurrencies(route), user),
    payCall(ourRouter, output, { recipient, minimum: route.amountOut }),
  ]
  const args = [ourRouter, route.amountIn] as const
  if (input !== nativeAddress)
    queue.send({
      to: input,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
    })
  queue.send({
    to: ourRouter,
    value: input === nativeAddress ? route.amountIn : 0n,
    data: encodeFunctionData({
      abi: router.abi,
      functionName: 'multicall',
      args: [calls, user, user, '0x'],
    }),
  })
  await queue.flush()
  if (output === nativeAddress) return anvil.getBalance({ address: recipient })
  const ofRecipient = { abi: erc20Abi, functionName: 'balanceOf', args: [recipient] } as const
  return anvil.readContract({ address: output, ...ofRecipient })
}

test('our router pays the computed output of routes over pools of all kinds, to the wei', async () => {
  const { client: anvil, currencies, wrappedNative, unitOf } = exchange
  const order = fc.record({
    sides: fc.shuffledSubarray([...currencies, wrappedNative, nativeAddress], {
      minLength: 2,
      maxLength: 2,
    }),
    mode: fc.constantFrom<SwapMode>('exactInput', 'exactOutput'),
    /** Whether less than an exact output may arrive. */
    isExpected: fc.boolean(),
    /** In millionths of a whole unit. */
    size: magnitude(4, 40),
  })
  const swapped = {
    split: 0,
    severalHops: 0,
    severalKinds: 0,
    hasNative: 0,
    soldUnwrapped: 0,
    boughtUnwrapped: 0,
    expectedMoving: 0,
  }
  const erc20Of = (currency: Address) => (currency === nativeAddress ? wrappedNative : currency)
  const hopsOf = new Map<string, number>()
  for (const { sides, mode, isExpected, size } of fc.sample(order, runs(500, 200))) {
    const [input, output] = sides as [Address, Address]
    const amount = toAmount((size * unitOf(mode === 'exactInput' ? input : output)) / 1_000_000n)
    const ends = { input: erc20Of(input), output: erc20Of(output) }
    if (amount === 0n || ends.input === ends.output) continue
    const route = findRoute(createGraph(known), {
      ...ends,
      amount,
      mode,
      gasPrice: 0,
      ...(isExpected && { allowsMovingFees: true }),
    })
    if (route === undefined) continue
    const [isNativeIn, isNativeOut] = [input === nativeAddress, output === nativeAddress]
    const pools = route.paths.flatMap(({ hops }) => hops.map(({ pool }) => pool))
    for (const { source } of pools) hopsOf.set(source, (hopsOf.get(source) ?? 0) + 1)
    const moving = pools.filter((pool) => kindOf(pool).hasMovingFee).map(poolIdOf)
    expect(new Set(moving).size).toBe(moving.length)
    if (mode === 'exactOutput' && !isExpected) expect(moving).toEqual([])
    if (mode === 'exactOutput' && moving.length > 0) swapped.expectedMoving += 1
    if (route.paths.length > 1) swapped.split += 1
    if (route.paths.some(({ hops }) => hops.length > 1)) swapped.severalHops += 1
    if (new Set(pools.map(({ kind }) => kind)).size > 1) swapped.severalKinds += 1
    if (pools.some((pool) => pool.hasNative)) swapped.hasNative += 1
    if (isNativeIn && wrappedInput(route) < route.amountIn) swapped.soldUnwrapped += 1
    if (isNativeOut && !hasWrappedOutput(route)) swapped.boughtUnwrapped += 1
    const from = await anvil.getBlockNumber()
    expect(await execute({ input, output, mode }, route)).toBe(route.amountOut)
    known = await follow(from)
  }
  expect(Math.min(...Object.values(swapped))).toBeGreaterThan(0)
  expect([...hopsOf.keys()].sort()).toEqual([
    'aerodrome',
    'pancakeswap-v3',
    'slipstream',
    'uniswap-v2',
    'uniswap-v3',
    'uniswap-v4',
  ])
  const of = (source: string) => known.filter((pool) => pool.source === source)
  expect(of('uniswap-v4')).toEqual(await v4.read())
  expect(of('pancakeswap-v3')).toEqual(await pancake.read())
  expect(of('slipstream')).toEqual(await slipstream.read())
  expect(of('aerodrome')).toEqual(await solidly.read(client))
  expect(await anvil.getBalance({ address: ourRouter })).toBe(0n)
})

test.each(['exactInput', 'exactOutput'] as const)(
  'native currency passes unwrapped from pool to pool in a route of the mode %s',
  async (mode) => {
    const natives = known.filter(({ hasNative }) => hasNative)
    const [input, output] = exchange.currencies as [Address, Address]
    const amount = toAmount(exchange.unitOf(mode === 'exactInput' ? input : output) / 100n)
    const query = { input, output, amount, mode, gasPrice: 0 }
    const route = findRoute(createGraph(natives), query)
    if (route === undefined) throw new Error('There is no route')
    const ends = { isNativeIn: false, isNativeOut: false }
    for (const { hops } of route.paths) expect(unwrappedHops(hops, ends)).toEqual([true, true])
    const from = await exchange.client.getBlockNumber()
    expect(await execute({ input, output, mode }, route)).toBe(route.amountOut)
    const logs = await exchange.client.getLogs({
      address: exchange.wrappedNative,
      fromBlock: from + 1n,
    })
    expect(logs).toEqual([])
    known = await follow(from)
  },
)
