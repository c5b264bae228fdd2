import { encodeFunctionData, erc20Abi, type Hex, maxUint256, parseAbi, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { approvalProxy } from '#src/contracts/artifacts/approvalProxy.ts'
import { depositCall, swapCall, sweepCalls } from '#src/execution/calls/routerCalls.ts'
import type { Address } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import { readChainPools } from '#test/support/chains/readChainPools.ts'
import { type ContractRig, startContractRig } from './contractRig.ts'
import { deployHostile } from './hostile.ts'

let rig: ContractRig
let hostile: Awaited<ReturnType<typeof deployHostile>>
let usdc: Address
const some = 1_000_000n

beforeAll(async () => {
  rig = await startContractRig()
  hostile = await deployHostile(rig)
  usdc = rig.currency('USDC').address
  await rig.allow(usdc, rig.approvalProxy, maxUint256)
})
afterAll(() => rig?.stop())

describe('a multicall leaves behind', () => {
  const allowance = (currency: Address, spender: Address) =>
    rig.client.readContract({
      address: currency,
      abi: erc20Abi,
      functionName: 'allowance',
      args: [rig.router, spender],
    })

  test.each(['USDC', 'USDT', 'DUNE'])('no allowance of %s', async (symbol) => {
    const { address } = rig.currency(symbol)
    const args = [hostile.address, maxUint256] as const
    const callData = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
    await rig.send(rig.multicall([{ target: address, callData }]))
    expect(await allowance(address, hostile.address)).toBe(0n)
    // Sets the unused upper bits of the address argument.
    const dirty = callData.replace(/^(0x.{8})0{24}/, `$1${'f'.repeat(24)}`) as Hex
    await rig.send(rig.multicall([{ target: address, callData: dirty, allowFailure: true }]))
    expect(await allowance(address, hostile.address)).toBe(0n)
  })

  test('no other lasting permission', async () => {
    const rights = parseAbi([
      'function increaseAllowance(address spender, uint256 amount)',
      'function setApprovalForAll(address operator, bool approved)',
      'function authorizeOperator(address operator)',
      'function allow(address manager, bool allowed)',
    ])
    const { other } = rig
    for (const callData of [
      encodeFunctionData({ abi: rights, functionName: 'increaseAllowance', args: [other, 1n] }),
      encodeFunctionData({ abi: rights, functionName: 'setApprovalForAll', args: [other, true] }),
      encodeFunctionData({ abi: rights, functionName: 'authorizeOperator', args: [other] }),
      encodeFunctionData({ abi: rights, functionName: 'allow', args: [other, true] }),
      '0x095ea7b3' as const,
    ])
      await expect(
        rig.send(rig.multicall([{ target: usdc, callData, allowFailure: true }])),
      ).rejects.toThrow(/^CallForbidden/)
  })

  test('no allowance to a contract that poses as a depository', async () => {
    const deposit = depositCall(rig.router, usdc, {
      depository: hostile.address,
      depositor: rig.user,
      id: zeroHash,
      minimum: 1n,
      maximum: maxUint256,
    })
    await expect(
      rig.send(rig.pullAndMulticall([{ currency: usdc, amount: some }], [deposit])),
    ).rejects.toThrow(/^AllowanceLeft/)
  })

  test('an allowance that a later call of the same multicall can spend', async () => {
    const { router, user, other } = rig
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
    const before = await rig.balance(usdc, other)
    const call = { target: hostile.address, callData: '0x' } as const
    await rig.send(rig.pullAndMulticall([{ currency: usdc, amount: some }], [approve, call]))
    expect(await hostile.outcomes()).toEqual([true])
    expect((await rig.balance(usdc, other)) - before).toBe(some)
    expect(await rig.balance(usdc, user)).toBeGreaterThan(0n)
  })
})

test('the proxy requires one amount per currency, and returns the router’s result', async () => {
  const { user, approvalProxy: to } = rig
  const data = encodeFunctionData({
    abi: approvalProxy.abi,
    functionName: 'transferAndMulticall',
    args: [[usdc], [], [], user, user, '0x'],
  })
  await expect(rig.send({ to, data })).rejects.toThrow(/^LengthsDiffer/)
  const give = {
    target: usdc,
    callData: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [user, some] }),
  }
  const sent = rig.pullAndMulticall([{ currency: usdc, amount: some }], [give])
  const { data: answer } = await rig.client.call({ account: user, ...sent })
  expect(answer).toContain('1'.padStart(64, '0'))
})

test.each([
  ['CEDAR', 'WETH'],
  ['WBTC', 'DAI'],
])('a %s/%s pool without liquidity takes nothing from the user', async (...pair) => {
  const [input, output] = pair.map((symbol) => rig.currency(symbol).address)
  if (input === undefined || output === undefined) throw new Error('No such currencies')
  const pools = await readChainPools(rig.client, rig.deployed)
  const pool = pools.find(
    ({ kind, currency0, currency1 }) =>
      kind === 'concentrated' && [input, output].sort().join() === [currency0, currency1].join(),
  )
  if (pool === undefined) throw new Error('No such pool')
  const { user, router } = rig
  const amount = await rig.balance(input, user)
  await rig.allow(input, rig.approvalProxy, amount * 2n)
  for (const maxOut of [0n, 1n]) {
    const amounts = { amountIn: toAmount(amount), amountOut: toAmount(maxOut) }
    const hops = [{ pool, zeroForOne: pool.currency0 === input, ...amounts, ticksCrossed: 0 }]
    const route = { input, output, ...amounts, paths: [{ ...amounts, hops }] }
    const before = await rig.balance(output, user)
    // The swap moves the price to its limit, and a pool at its limit refuses to swap. So restore the pool.
    const snapshot = await rig.client.snapshot()
    const swap = swapCall(router, route, { limitsOutput: true })
    const sweep = sweepCalls(router, [input, output], user)
    await rig.send(rig.pullAndMulticall([{ currency: input, amount }], [swap, ...sweep]))
    expect(await rig.balance(input, user)).toBe(amount)
    expect(await rig.balance(output, user)).toBe(before)
    expect(await rig.balance(input, router)).toBe(0n)
    await rig.client.revert({ id: snapshot })
  }
})
