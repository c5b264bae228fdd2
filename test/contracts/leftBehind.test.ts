import { encodeFunctionData, erc20Abi, type Hex, maxUint256, parseAbi, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { approvalProxy } from '#src/contracts/artifacts/approvalProxy.ts'
import { depositCall, swapCall, sweepCalls } from '#src/execution/calls/routerCalls.ts'
import type { Address } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import { readChainPools } from '#test/support/chains/readChainPools.ts'
import { type Ground, startGround } from './ground.ts'
import { deployHostile } from './hostile.ts'

let ground: Ground
let hostile: Awaited<ReturnType<typeof deployHostile>>
let usdc: Address
const some = 1_000_000n

beforeAll(async () => {
  ground = await startGround()
  hostile = await deployHostile(ground)
  usdc = ground.currency('USDC').address
  await ground.allow(usdc, ground.approvalProxy, maxUint256)
})
afterAll(() => ground?.stop())

describe('what a multicall leaves for the next one', () => {
  const allowance = (currency: Address, spender: Address) =>
    ground.client.readContract({
      address: currency,
      abi: erc20Abi,
      functionName: 'allowance',
      args: [ground.router, spender],
    })

  test.each(['USDC', 'USDT', 'DUNE'])('no allowance of %s', async (symbol) => {
    const { address } = ground.currency(symbol)
    const args = [hostile.address, maxUint256] as const
    const callData = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
    await ground.send(ground.multicall([{ target: address, callData }]))
    expect(await allowance(address, hostile.address)).toBe(0n)
    // Whatever stands in the word's upper bits.
    const dirty = callData.replace(/^(0x.{8})0{24}/, `$1${'f'.repeat(24)}`) as Hex
    await ground.send(ground.multicall([{ target: address, callData: dirty, allowFailure: true }]))
    expect(await allowance(address, hostile.address)).toBe(0n)
  })

  test('no lasting right', async () => {
    const rights = parseAbi([
      'function increaseAllowance(address spender, uint256 amount)',
      'function setApprovalForAll(address operator, bool approved)',
      'function authorizeOperator(address operator)',
      'function allow(address manager, bool allowed)',
    ])
    const { other } = ground
    for (const callData of [
      encodeFunctionData({ abi: rights, functionName: 'increaseAllowance', args: [other, 1n] }),
      encodeFunctionData({ abi: rights, functionName: 'setApprovalForAll', args: [other, true] }),
      encodeFunctionData({ abi: rights, functionName: 'authorizeOperator', args: [other] }),
      encodeFunctionData({ abi: rights, functionName: 'allow', args: [other, true] }),
      '0x095ea7b3' as const,
    ])
      await expect(
        ground.send(ground.multicall([{ target: usdc, callData, allowFailure: true }])),
      ).rejects.toThrow(/^CallForbidden/)
  })

  test('no allowance to one that poses as a depository', async () => {
    const deposit = depositCall(ground.router, usdc, {
      depository: hostile.address,
      depositor: ground.user,
      id: zeroHash,
      minimum: 1n,
      maximum: maxUint256,
    })
    await expect(
      ground.send(ground.pullAndMulticall([{ currency: usdc, amount: some }], [deposit])),
    ).rejects.toThrow(/^AllowanceLeft/)
  })

  test('a call may use within its multicall what a call before approved', async () => {
    const { router, user, other } = ground
    const args = [hostile.address, some] as const
    const approve = {
      target: usdc,
      callData: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }),
    }
    await hostile.prepare([
      {
        target: usdc,
        data: encodeFunctionData({
          abi: erc20Abi,
          functionName: 'transferFrom',
          args: [router, other, some],
        }),
      },
    ])
    const before = await ground.balance(usdc, other)
    const call = { target: hostile.address, callData: '0x' } as const
    await ground.send(ground.pullAndMulticall([{ currency: usdc, amount: some }], [approve, call]))
    expect(await hostile.outcomes()).toEqual([true])
    expect((await ground.balance(usdc, other)) - before).toBe(some)
    expect(await ground.balance(usdc, user)).toBeGreaterThan(0n)
  })
})

test('the proxy takes as many amounts as currencies, and its answer is the router’s', async () => {
  const { user, approvalProxy: to } = ground
  const data = encodeFunctionData({
    abi: approvalProxy.abi,
    functionName: 'transferAndMulticall',
    args: [[usdc], [], [], user, user, '0x'],
  })
  await expect(ground.send({ to, data })).rejects.toThrow(/^LengthsDiffer/)
  const give = {
    target: usdc,
    callData: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [user, some] }),
  }
  const sent = ground.pullAndMulticall([{ currency: usdc, amount: some }], [give])
  const { data: answer } = await ground.client.call({ account: user, ...sent })
  expect(answer).toContain('1'.padStart(64, '0'))
})

test.each([
  ['CEDAR', 'WETH'],
  ['WBTC', 'DAI'],
])('all that a pool of %s and %s without liquidity does not take comes back', async (...pair) => {
  const [input, output] = pair.map((symbol) => ground.currency(symbol).address)
  if (input === undefined || output === undefined) throw new Error('No such currencies')
  const pools = await readChainPools(ground.client, ground.deployed)
  const pool = pools.find(
    ({ kind, currency0, currency1 }) =>
      kind === 'concentrated' && [input, output].sort().join() === [currency0, currency1].join(),
  )
  if (pool === undefined) throw new Error('No such pool')
  const { user, router } = ground
  const amount = await ground.balance(input, user)
  await ground.allow(input, ground.approvalProxy, amount * 2n)
  for (const maxOut of [0n, 1n]) {
    const amounts = { amountIn: toAmount(amount), amountOut: toAmount(maxOut) }
    const hops = [{ pool, zeroForOne: pool.currency0 === input, ...amounts, ticksCrossed: 0 }]
    const route = { input, output, ...amounts, paths: [{ ...amounts, hops }] }
    const before = await ground.balance(output, user)
    // The price has gone to its end by then, and a pool that stands there refuses to swap.
    const snapshot = await ground.client.snapshot()
    const swap = swapCall(router, route, { limitsOutput: true })
    const sweep = sweepCalls(router, [input, output], user)
    await ground.send(ground.pullAndMulticall([{ currency: input, amount }], [swap, ...sweep]))
    expect(await ground.balance(input, user)).toBe(amount)
    expect(await ground.balance(output, user)).toBe(before)
    expect(await ground.balance(input, router)).toBe(0n)
    await ground.client.revert({ id: snapshot })
  }
})
