import {
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  maxUint256,
  parseAbi,
  parseEther,
  zeroHash,
} from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { router as routerArtifact } from '#src/contracts/artifacts/router.ts'
import { hookedCurrency } from '#src/devnet/artifacts/hookedCurrency.ts'
import {
  depositCall,
  feeCalls,
  payCall,
  swapCall,
  sweepCalls,
  unwrapCall,
} from '#src/execution/calls/routerCalls.ts'
import type { Pool } from '#src/pools/pool.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import { toChainId } from '#src/units/chainId.ts'
import { toPips } from '#src/units/pips.ts'
import { type Call, type Ground, startGround } from './ground.ts'
import { deployCode, deployHostile } from './hostile.ts'

let ground: Ground
let hostile: Awaited<ReturnType<typeof deployHostile>>
let usdc: Address
const some = 1_000_000n

beforeAll(async () => {
  ground = await startGround()
  usdc = ground.currency('USDC').address
  // The victim of all that follows, and one with an open hand.
  await ground.allow(usdc, ground.approvalProxy, maxUint256)
  await ground.allow(usdc, ground.depository, maxUint256)
})
afterAll(() => ground?.stop())
beforeEach(async () => {
  hostile = await deployHostile(ground)
})

const { abi: routerAbi } = routerArtifact
const pullAbi = parseAbi(['function transferFrom(address from, address to, uint256 amount)'])
const callbackAbi = parseAbi([
  'function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes data)',
])

const pullFrom = (victim: Address, to: Address): Hex =>
  encodeFunctionData({ abi: pullAbi, functionName: 'transferFrom', args: [victim, to, some] })
const callback = (amount0: bigint, amount1: bigint): Hex =>
  encodeFunctionData({
    abi: callbackAbi,
    functionName: 'uniswapV3SwapCallback',
    args: [amount0, amount1, '0x'],
  })

/** Every way in which another's calls might take what the router holds. */
const thefts = (thief: Address) => {
  const { router, approvalProxy: proxy, multicall, pullAndMulticall } = ground
  const sweep = sweepCalls(router, [usdc], thief)
  return [
    { target: router, data: multicall(sweep, { refundTo: thief }).data },
    { target: proxy, data: pullAndMulticall([], sweep, { refundTo: thief }).data },
    ...sweep.map(({ callData }) => ({ target: router, data: callData })),
    {
      target: router,
      data: payCall(router, nativeAddress, { recipient: thief, minimum: 0n }).callData,
    },
    { target: router, data: unwrapCall(router, usdc).callData },
    { target: router, data: callback(some, some) },
    { target: router, data: encodeFunctionData({ abi: routerAbi, functionName: 'hold' }) },
    { target: usdc, data: pullFrom(router, thief) },
  ]
}

/** Makes `pool` swap `amountIn` of USDC. */
const hopThrough = (pool: Address, kind: Pool['kind'], amountIn: bigint, maxOut = 0n): Call => {
  const named = {
    chainId: toChainId(ground.deployed.plan.id),
    address: pool,
    currency0: usdc,
    currency1: ground.currency('DAI').address,
    fee: toPips(3000),
    kind,
  } as unknown as Pool
  const amounts = { amountIn: toAmount(amountIn), amountOut: toAmount(maxOut) }
  const hops = [{ pool: named, zeroForOne: true, ...amounts, ticksCrossed: 0 }]
  const route = { input: usdc, output: named.currency1, ...amounts, paths: [{ ...amounts, hops }] }
  return swapCall(ground.router, route, { limitsOutput: true })
}

describe('what a user has approved', () => {
  test('is out of reach of calls by the router', async () => {
    const { user, other: thief, depository, approvalProxy: proxy } = ground
    const pull = pullFrom(user, thief)
    const asVictim = ground.pullAndMulticall([{ currency: usdc, amount: some }], [])
    for (const call of [
      { target: usdc, callData: pull },
      { target: proxy, callData: asVictim.data },
      { target: proxy, callData: pull },
      { target: depository, callData: pull },
    ])
      await expect(
        ground.send(ground.multicall([call], { from: thief })),
        JSON.stringify(call),
      ).rejects.toThrow(/ledger|busy|reverted|notadeposit/i)
  })

  test('is pulled by the proxy from its caller alone', async () => {
    const { user, other: thief } = ground
    const before = await ground.balance(usdc, user)
    await expect(
      ground.send(
        ground.pullAndMulticall(
          [{ currency: usdc, amount: some }],
          sweepCalls(ground.router, [usdc], thief),
          { from: thief },
        ),
      ),
    ).rejects.toThrow(/ledger: allowance too low/i)
    expect(await ground.balance(usdc, user)).toBe(before)
  })
})

test('what only the router may ask of itself is refused to all others', async () => {
  const { router, other } = ground
  const calls = [
    swapCall(
      router,
      { input: usdc, output: usdc, amountIn: toAmount(0n), amountOut: toAmount(0n), paths: [] },
      { limitsOutput: false },
    ),
    unwrapCall(router, usdc),
    payCall(router, usdc, { recipient: other, minimum: 0n }),
    depositCall(router, usdc, {
      depository: other,
      depositor: other,
      id: zeroHash,
      minimum: 0n,
      maximum: 1n,
    }),
    depositCall(router, nativeAddress, {
      depository: other,
      depositor: other,
      id: zeroHash,
      minimum: 0n,
      maximum: 1n,
    }),
    ...sweepCalls(router, [usdc], other),
    ...feeCalls(router, nativeAddress, [{ recipient: other, amount: 1n }]),
  ]
  for (const { callData } of calls)
    await expect(ground.send({ to: router, data: callData })).rejects.toThrow(/^NotTheRouter/)
  for (const data of [callback(1n, 1n), '0x12345678'] as const)
    await expect(ground.send({ to: router, data })).rejects.toThrow(/^UnexpectedCall/)
  await expect(ground.send({ to: router, data: '0x', value: 1n })).rejects.toThrow(/^NotTheRouter/)
})

describe('in the middle of a user’s multicall', () => {
  /** That nothing of what it tried came about, and that all there was went back to the user. */
  async function expectAllRefused(before: bigint): Promise<void> {
    const outcomes = await hostile.outcomes()
    expect(outcomes.length).toBeGreaterThan(0)
    expect(outcomes).toEqual(outcomes.map(() => false))
    expect(await ground.balance(usdc, hostile.address)).toBe(0n)
    expect(await ground.balance(usdc, ground.router)).toBe(0n)
    expect(await ground.balance(usdc, ground.user)).toBe(before)
  }

  const pulled = () => [{ currency: usdc, amount: some }] as const
  const sweep = () => sweepCalls(ground.router, [usdc], ground.user)

  test('a recipient of native currency gets at nothing', async () => {
    const { user, router } = ground
    await hostile.prepare(thefts(hostile.address))
    const before = await ground.balance(usdc, user)
    const fee = feeCalls(router, nativeAddress, [{ recipient: hostile.address, amount: 7n }])
    const value = parseEther('1')
    await ground.send(ground.pullAndMulticall(pulled(), [...fee, ...sweep()], { value }))
    await expectAllRefused(before)
    expect(await ground.balance(nativeAddress, hostile.address)).toBe(7n)
  })

  test('a call of the user’s own leads to nothing else', async () => {
    await hostile.prepare(thefts(hostile.address))
    const before = await ground.balance(usdc, ground.user)
    const call = { target: hostile.address, callData: '0x' } as const
    await ground.send(ground.pullAndMulticall(pulled(), [call, ...sweep()]))
    await expectAllRefused(before)
  })

  test('a currency that hands over control before the multicall has begun gets at nothing', async () => {
    await hostile.prepare(thefts(hostile.address))
    const before = await ground.balance(usdc, ground.user)
    const both = [...pulled(), { currency: hostile.address, amount: 1n }]
    await ground.send(ground.pullAndMulticall(both, sweep()))
    await expectAllRefused(before)
  })

  test('a constant-product pool keeps what it is paid, and gets at nothing else', async () => {
    await hostile.prepare(thefts(hostile.address))
    const before = await ground.balance(usdc, ground.user)
    // The pool holds what it was sent; so the maths sees an arrival.
    const hop = hopThrough(hostile.address, 'constantProduct', some / 4n)
    await expect(ground.send(ground.pullAndMulticall(pulled(), [hop, ...sweep()]))).rejects.toThrow(
      /panic/i,
    )
    expect(await ground.balance(usdc, ground.user)).toBe(before)
  })

  test('a concentrated pool is paid once, no more than its part, in the currency of the hop', async () => {
    const { router, user } = ground
    const before = await ground.balance(usdc, user)
    const part = some / 4n
    const asks = [callback(part + 1n, 0n), callback(part, 0n), callback(1n, 0n)]
    await hostile.prepare([
      { target: router, data: asks[0] ?? '0x' },
      ...thefts(hostile.address).slice(0, 3),
      { target: router, data: asks[1] ?? '0x' },
      { target: router, data: asks[2] ?? '0x' },
    ])
    const hop = hopThrough(hostile.address, 'concentrated', part)
    await ground.send(ground.pullAndMulticall(pulled(), [hop, ...sweep()]))
    expect(await hostile.outcomes()).toEqual([false, false, false, false, true, false])
    expect(await ground.balance(usdc, hostile.address)).toBe(part)
    expect(await ground.balance(usdc, user)).toBe(before - part)
    expect(await ground.balance(usdc, router)).toBe(0n)
  })

  test.each([0n, 9n])(
    'a pool that let its turn to be paid pass is not paid later, its output limited to %s',
    async (maxOut) => {
      const hop = hopThrough(hostile.address, 'concentrated', 5n, maxOut)
      await hostile.prepare([{ target: ground.router, data: callback(1n, 1n) }], 1n)
      const before = await ground.balance(usdc, ground.user)
      const call = { target: hostile.address, callData: '0x' } as const
      await ground.send(ground.pullAndMulticall(pulled(), [hop, call, ...sweep()]))
      await expectAllRefused(before)
    },
  )

  test('a currency with a hook re-enters neither router nor proxy', async () => {
    const holdings = [{ holder: ground.user, amount: parseEther('100') }]
    const hooked = await deployCode(
      ground,
      encodeDeployData({ ...hookedCurrency, args: [holdings] }),
    )
    const { abi } = hookedCurrency
    const args = [hostile.address] as const
    await ground.allow(hooked, ground.approvalProxy, maxUint256)
    await ground.send({
      to: hooked,
      data: encodeFunctionData({ abi, functionName: 'setHook', args }),
    })
    await hostile.prepare([
      ...thefts(hostile.address),
      {
        target: ground.router,
        data: ground.multicall(sweepCalls(ground.router, [hooked], hostile.address)).data,
      },
    ])
    const before = await ground.balance(usdc, ground.user)
    const both = [...pulled(), { currency: hooked, amount: 10n }]
    const all = sweepCalls(ground.router, [usdc, hooked], ground.user)
    await ground.send(ground.pullAndMulticall(both, all))
    await expectAllRefused(before)
    expect(await ground.balance(hooked, ground.user)).toBe(parseEther('100'))
  })
})
