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
import { type Call, type ContractRig, startContractRig } from './contractRig.ts'
import { deployCode, deployHostile } from './hostile.ts'

let rig: ContractRig
let hostile: Awaited<ReturnType<typeof deployHostile>>
let usdc: Address
const some = 1_000_000n

beforeAll(async () => {
  rig = await startContractRig()
  usdc = rig.currency('USDC').address
  // `user` is the victim: it grants unlimited allowances to the proxy and the depository.
  await rig.allow(usdc, rig.approvalProxy, maxUint256)
  await rig.allow(usdc, rig.depository, maxUint256)
})
afterAll(() => rig?.stop())
beforeEach(async () => {
  hostile = await deployHostile(rig)
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

/** Every call by which an attacker might take the router’s balance. */
const thefts = (thief: Address) => {
  const { router, approvalProxy: proxy, multicall, pullAndMulticall } = rig
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
    chainId: toChainId(rig.deployed.plan.id),
    address: pool,
    currency0: usdc,
    currency1: rig.currency('DAI').address,
    fee: toPips(3000),
    kind,
  } as unknown as Pool
  const amounts = { amountIn: toAmount(amountIn), amountOut: toAmount(maxOut) }
  const hops = [{ pool: named, zeroForOne: true, ...amounts, ticksCrossed: 0 }]
  const route = { input: usdc, output: named.currency1, ...amounts, paths: [{ ...amounts, hops }] }
  return swapCall(rig.router, route, { limitsOutput: true })
}

describe('an allowance of a user', () => {
  test('cannot be spent through calls by the router', async () => {
    const { user, other: thief, depository, approvalProxy: proxy } = rig
    const pull = pullFrom(user, thief)
    const asVictim = rig.pullAndMulticall([{ currency: usdc, amount: some }], [])
    for (const call of [
      { target: usdc, callData: pull },
      { target: proxy, callData: asVictim.data },
      { target: proxy, callData: pull },
      { target: depository, callData: pull },
    ])
      await expect(
        rig.send(rig.multicall([call], { from: thief })),
        JSON.stringify(call),
      ).rejects.toThrow(/ledger|busy|reverted|notadeposit/i)
  })

  test('can be spent through the proxy by the user only', async () => {
    const { user, other: thief } = rig
    const before = await rig.balance(usdc, user)
    await expect(
      rig.send(
        rig.pullAndMulticall(
          [{ currency: usdc, amount: some }],
          sweepCalls(rig.router, [usdc], thief),
          { from: thief },
        ),
      ),
    ).rejects.toThrow(/ledger: allowance too low/i)
    expect(await rig.balance(usdc, user)).toBe(before)
  })
})

test('functions that the router calls on itself are refused to all other callers', async () => {
  const { router, other } = rig
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
    await expect(rig.send({ to: router, data: callData })).rejects.toThrow(/^NotTheRouter/)
  for (const data of [callback(1n, 1n), '0x12345678'] as const)
    await expect(rig.send({ to: router, data })).rejects.toThrow(/^UnexpectedCall/)
  await expect(rig.send({ to: router, data: '0x', value: 1n })).rejects.toThrow(/^NotTheRouter/)
})

describe('during a user’s multicall', () => {
  /** Checks that every attempt failed and that the user got everything back. */
  async function expectAllRefused(before: bigint): Promise<void> {
    const outcomes = await hostile.outcomes()
    expect(outcomes.length).toBeGreaterThan(0)
    expect(outcomes).toEqual(outcomes.map(() => false))
    expect(await rig.balance(usdc, hostile.address)).toBe(0n)
    expect(await rig.balance(usdc, rig.router)).toBe(0n)
    expect(await rig.balance(usdc, rig.user)).toBe(before)
  }

  const pulled = () => [{ currency: usdc, amount: some }] as const
  const sweep = () => sweepCalls(rig.router, [usdc], rig.user)

  test('a recipient of native currency can take nothing', async () => {
    const { user, router } = rig
    await hostile.prepare(thefts(hostile.address))
    const before = await rig.balance(usdc, user)
    const fee = feeCalls(router, nativeAddress, [{ recipient: hostile.address, amount: 7n }])
    const value = parseEther('1')
    await rig.send(rig.pullAndMulticall(pulled(), [...fee, ...sweep()], { value }))
    await expectAllRefused(before)
    expect(await rig.balance(nativeAddress, hostile.address)).toBe(7n)
  })

  test('a contract called by the user can take nothing', async () => {
    await hostile.prepare(thefts(hostile.address))
    const before = await rig.balance(usdc, rig.user)
    const call = { target: hostile.address, callData: '0x' } as const
    await rig.send(rig.pullAndMulticall(pulled(), [call, ...sweep()]))
    await expectAllRefused(before)
  })

  test('a currency that gives an attacker control before the multicall starts can take nothing', async () => {
    await hostile.prepare(thefts(hostile.address))
    const before = await rig.balance(usdc, rig.user)
    const both = [...pulled(), { currency: hostile.address, amount: 1n }]
    await rig.send(rig.pullAndMulticall(both, sweep()))
    await expectAllRefused(before)
  })

  test('a constant-product pool keeps its own input but can take nothing else', async () => {
    await hostile.prepare(thefts(hostile.address))
    const before = await rig.balance(usdc, rig.user)
    // The pool holds its input, so the swap maths sees an incoming amount.
    const hop = hopThrough(hostile.address, 'constantProduct', some / 4n)
    await expect(rig.send(rig.pullAndMulticall(pulled(), [hop, ...sweep()]))).rejects.toThrow(
      /panic/i,
    )
    expect(await rig.balance(usdc, rig.user)).toBe(before)
  })

  test('a concentrated pool is paid once, at most its hop’s input, and in the hop’s input currency', async () => {
    const { router, user } = rig
    const before = await rig.balance(usdc, user)
    const part = some / 4n
    const asks = [callback(part + 1n, 0n), callback(part, 0n), callback(1n, 0n)]
    await hostile.prepare([
      { target: router, data: asks[0] ?? '0x' },
      ...thefts(hostile.address).slice(0, 3),
      { target: router, data: asks[1] ?? '0x' },
      { target: router, data: asks[2] ?? '0x' },
    ])
    const hop = hopThrough(hostile.address, 'concentrated', part)
    await rig.send(rig.pullAndMulticall(pulled(), [hop, ...sweep()]))
    expect(await hostile.outcomes()).toEqual([false, false, false, false, true, false])
    expect(await rig.balance(usdc, hostile.address)).toBe(part)
    expect(await rig.balance(usdc, user)).toBe(before - part)
    expect(await rig.balance(usdc, router)).toBe(0n)
  })

  test.each([0n, 9n])(
    'a pool that skips its callback is not paid later, with maximum output %s',
    async (maxOut) => {
      const hop = hopThrough(hostile.address, 'concentrated', 5n, maxOut)
      await hostile.prepare([{ target: rig.router, data: callback(1n, 1n) }], 1n)
      const before = await rig.balance(usdc, rig.user)
      const call = { target: hostile.address, callData: '0x' } as const
      await rig.send(rig.pullAndMulticall(pulled(), [hop, call, ...sweep()]))
      await expectAllRefused(before)
    },
  )

  test('a currency with a transfer hook can re-enter neither the router nor the proxy', async () => {
    const holdings = [{ holder: rig.user, amount: parseEther('100') }]
    const hooked = await deployCode(rig, encodeDeployData({ ...hookedCurrency, args: [holdings] }))
    const { abi } = hookedCurrency
    const args = [hostile.address] as const
    await rig.allow(hooked, rig.approvalProxy, maxUint256)
    await rig.send({
      to: hooked,
      data: encodeFunctionData({ abi, functionName: 'setHook', args }),
    })
    await hostile.prepare([
      ...thefts(hostile.address),
      {
        target: rig.router,
        data: rig.multicall(sweepCalls(rig.router, [hooked], hostile.address)).data,
      },
    ])
    const before = await rig.balance(usdc, rig.user)
    const both = [...pulled(), { currency: hooked, amount: 10n }]
    const all = sweepCalls(rig.router, [usdc, hooked], rig.user)
    await rig.send(rig.pullAndMulticall(both, all))
    await expectAllRefused(before)
    expect(await rig.balance(hooked, rig.user)).toBe(parseEther('100'))
  })
})
