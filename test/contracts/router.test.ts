import {
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  parseEther,
  parseEventLogs,
} from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Pool, swapExactInput } from '#src/core/pools/pool.ts'
import type { Tx } from '#src/core/pricing/order.ts'
import { type Address, nativeAddress, toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { testNft } from '#src/devnet/artifacts/testNft.ts'
import {
  depositCall,
  executeCall,
  payCall,
  requireBeforeCall,
  swapCall,
  sweepCalls,
  unwrapCall,
  wrapCall,
} from '#src/protocol/calls/routerCalls.ts'
import { executorAddress } from '#src/protocol/calls/txSimulation.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'
import { router as routerArtifact } from '#src/protocol/contracts/artifacts/router.ts'
import { readChainPools } from '#test/support/chains/readChainPools.ts'
import { type Call, type ContractRig, startContractRig } from './contractRig.ts'
import { deployCode } from './deployCode.ts'

const id = `0x${'1d'.repeat(32)}` as const
const currencies = ['USDC', 'USDT', 'DUNE', 'FERN', 'WETH'] as const

let rig: ContractRig
let fresh: Address
let at: Record<(typeof currencies)[number], Address>
let count = 0
beforeAll(async () => {
  rig = await startContractRig()
  at = Object.fromEntries(
    currencies.map((symbol) => [symbol, rig.currency(symbol).address]),
  ) as typeof at
  for (const currency of Object.values(at)) await rig.allow(currency, rig.approvalProxy, 2n ** 255n)
})
afterAll(() => rig?.stop())
beforeEach(() => {
  fresh = `0x${(++count).toString(16).padStart(40, 'f')}` as Address
})

const pull = (currency: Address, amount: bigint, calls: readonly Call[]) =>
  rig.send(rig.pullAndMulticall([{ currency, amount }], calls))

test('the router emits the caller of a multicall if there is metadata', async () => {
  const { abi } = routerArtifact
  const { multicall, pullAndMulticall, send } = rig
  const [byUser, byProxy, silent] = [
    await send(multicall([], { metadata: id })),
    await send(pullAndMulticall([], [], { metadata: id })),
    await send(multicall([])),
  ].map(({ logs }) => parseEventLogs({ abi, logs }).map(({ args }) => args))
  expect(byUser).toEqual([
    { caller: expect.stringMatching(new RegExp(rig.user, 'i')), metadata: id },
  ])
  expect(byProxy).toMatchObject([
    { caller: expect.stringMatching(new RegExp(rig.approvalProxy, 'i')) },
  ])
  expect(silent).toEqual([])
})

test('the router wraps and unwraps the native currency', async () => {
  const { router } = rig
  const wrap = wrapCall(router, at.WETH, 1000n)
  const sweep = sweepCalls(router, [at.WETH], fresh)
  await rig.send(rig.multicall([wrap, ...sweep], { value: 1000n }))
  expect(await rig.balance(at.WETH, fresh)).toBe(1000n)
  const unwrap = unwrapCall(router, at.WETH)
  const pay = payCall(router, nativeAddress, { recipient: fresh, minimum: 500n })
  await pull(at.WETH, 500n, [unwrap, pay, unwrap])
  expect(await rig.balance(nativeAddress, fresh)).toBe(500n)
})

describe('deposits', () => {
  const deposit = (currency: Address, minimum: bigint, maximum: bigint) =>
    depositCall(rig.router, currency, {
      depositor: rig.user,
      id,
      minimum,
      maximum,
    })
  const depositEventsOf = (receipt: Awaited<ReturnType<ContractRig['send']>>) =>
    parseEventLogs({
      abi: depositoryArtifact.abi,
      eventName: ['RelayNativeDeposit', 'RelayErc20Deposit'],
      logs: receipt.logs,
    }).map(({ args }) => args)

  test.each(['USDC', 'USDT', 'DUNE', 'WETH'] as const)(
    'of %s can be made twice in one multicall',
    async (symbol) => {
      const calls = [deposit(at[symbol], 40n, 40n), deposit(at[symbol], 60n, maxUint256)]
      expect(depositEventsOf(await pull(at[symbol], 100n, calls))).toMatchObject([
        { amount: 40n, id, from: expect.stringMatching(new RegExp(rig.user, 'i')) },
        { amount: 60n },
      ])
      await expect(pull(at[symbol], 39n, [deposit(at[symbol], 40n, 40n)])).rejects.toThrow(
        /^TooLittleReceived/,
      )
    },
  )

  test('of a fee-on-transfer currency emit the amount received', async () => {
    // The currency charges its fee on both transfers: to the router and to the depository.
    expect(
      depositEventsOf(await pull(at.FERN, 10_000n, [deposit(at.FERN, 0n, maxUint256)])),
    ).toMatchObject([{ amount: 9604n }])
  })

  test('of native currency leave any amount above the maximum', async () => {
    const calls = [deposit(nativeAddress, 40n, 40n)]
    const receipt = await rig.send(rig.multicall(calls, { value: 100n, refundTo: fresh }))
    expect(depositEventsOf(receipt)).toMatchObject([{ amount: 40n, id }])
    expect(await rig.balance(nativeAddress, fresh)).toBe(60n)
    await expect(rig.send(rig.multicall(calls, { value: 39n }))).rejects.toThrow(
      /^TooLittleReceived/,
    )
  })
})

describe('an order’s calls', () => {
  const execute = (name: Hex, txs: readonly Tx[], currency = nativeAddress) =>
    executeCall(rig.router, {
      id: name,
      txs,
      currency,
      minimum: 0n,
      returned: [currency, at.WETH].filter((each) => each !== nativeAddress),
      recipient: fresh,
    })
  const name = (byte: string): Hex => `0x${byte.repeat(32)}`
  const txOf = (to: Address, data: Hex): Tx => ({ to, data, value: toAmount(0n) })

  test('run from the executor of their account and id, once', async () => {
    const { router, user } = rig
    const executor = executorAddress(router, user, name('a1'))
    const { abi } = routerArtifact
    const args = [user, name('a1')] as const
    const read = { address: router, abi, functionName: 'executorOf', args } as const
    expect(toAddress(await rig.client.readContract(read))).toBe(executor)
    const approve = { abi: erc20Abi, functionName: 'approve', args: [fresh, 3n] } as const
    const calls = [execute(name('a1'), [txOf(at.USDC, encodeFunctionData(approve))], at.USDC)]
    await pull(at.USDC, 5n, calls)
    expect(await rig.balance(at.USDC, fresh)).toBe(5n)
    const allowance = { address: at.USDC, abi: erc20Abi, functionName: 'allowance' } as const
    expect(await rig.client.readContract({ ...allowance, args: [executor, fresh] })).toBe(3n)
    expect(await rig.client.readContract({ ...allowance, args: [router, fresh] })).toBe(0n)
    await expect(pull(at.USDC, 5n, calls)).rejects.toThrow(/^IdUsed/)
  })

  test('forward the NFTs that they mint to the recipient of the run', async () => {
    const nft = await deployCode(rig, encodeDeployData(testNft))
    const { router, user } = rig
    const executor = executorAddress(router, user, name('b2'))
    const { abi } = testNft
    const mint721 = encodeFunctionData({ abi, functionName: 'mint721', args: [executor, 7n] })
    const mint1155 = encodeFunctionData({ abi, functionName: 'mint1155', args: [executor, 8n, 9n] })
    const calls = [execute(name('b2'), [txOf(nft, mint721), txOf(nft, mint1155)])]
    await rig.send(rig.multicall(calls, { nftRecipient: fresh }))
    const read = { address: nft, abi } as const
    const owner = await rig.client.readContract({ ...read, functionName: 'ownerOf', args: [7n] })
    expect(owner.toLowerCase()).toBe(fresh)
    const held = { functionName: 'balanceOf', args: [fresh, 8n] } as const
    expect(await rig.client.readContract({ ...read, ...held })).toBe(9n)
  })

  test('revert the run with the reason of a call that fails', async () => {
    const transfer = { abi: erc20Abi, functionName: 'transfer', args: [fresh, 6n] } as const
    const calls = [execute(name('c3'), [txOf(at.USDC, encodeFunctionData(transfer))], at.USDC)]
    await expect(pull(at.USDC, 5n, calls)).rejects.toThrow(/balance too low/)
  })

  test('are no calls of the router', async () => {
    const foreign = { target: at.USDC, callData: '0x' } as const
    await expect(rig.send(rig.multicall([foreign]))).rejects.toThrow(/^ForeignCall/)
  })
})

test('a run after its deadline reverts', async () => {
  await rig.send(rig.multicall([requireBeforeCall(rig.router, 4_000_000_000)]))
  await expect(rig.send(rig.multicall([requireBeforeCall(rig.router, 1)]))).rejects.toThrow(
    /^Expired\(1\)/,
  )
})

describe('swap edge cases', () => {
  const poolOf = async (one: Address, other: Address): Promise<Pool> => {
    const pools = await readChainPools(rig.client, rig.deployed)
    const found = pools.find(
      ({ currency0, currency1, kind }) =>
        kind === 'constantProduct' && [one, other].sort().join() === [currency0, currency1].join(),
    )
    if (found === undefined) throw new Error('No such pool')
    return found
  }
  const routeOf = (pool: Pool, input: Address, amountIn: bigint, amountOut = 0n) => {
    const amounts = { amountIn: toAmount(amountIn), amountOut: toAmount(amountOut) }
    const zeroForOne = pool.currency0 === input
    const output = zeroForOne ? pool.currency1 : pool.currency0
    const hops = [{ pool, zeroForOne, ...amounts, ticksCrossed: 0 }]
    return { input, output, ...amounts, paths: [{ ...amounts, hops }] }
  }

  test('a fee-on-transfer currency is swapped by the amount received', async () => {
    const pool = await poolOf(at.FERN, at.WETH)
    // Of 10^18, the router receives 98%, and the pool receives 98% of that.
    const sent = (10n ** 18n * 98n) / 100n
    const expected = swapExactInput(pool, pool.currency0 === at.FERN, toAmount((sent * 98n) / 100n))
    const swap = swapCall(rig.router, routeOf(pool, at.FERN, sent), { limitsOutput: false })
    await pull(at.FERN, 10n ** 18n, [swap, ...sweepCalls(rig.router, [at.WETH], fresh)])
    expect(await rig.balance(at.WETH, fresh)).toBe(expected?.amountOut)
  })

  test('an amount that was sent to a pool outside of a swap stays there', async () => {
    const pool = await poolOf(at.USDC, at.USDT)
    const transfer = payCall(rig.router, at.USDC, { recipient: pool.address, minimum: 0n })
    await pull(at.USDC, 5_000_000n, [transfer])
    const expected = swapExactInput(pool, pool.currency0 === at.USDC, toAmount(1_000_000n))
    const swap = swapCall(rig.router, routeOf(pool, at.USDC, 1_000_000n), {
      limitsOutput: false,
    })
    await pull(at.USDC, 1_000_000n, [swap, ...sweepCalls(rig.router, [at.USDT], fresh)])
    expect(await rig.balance(at.USDT, fresh)).toBe(expected?.amountOut)
  })

  test('a swap without input, an incomplete hop and an empty path revert', async () => {
    const pool = await poolOf(at.USDC, at.USDT)
    const swap = swapCall(rig.router, routeOf(pool, at.USDC, 0n), { limitsOutput: false })
    await expect(rig.send(rig.multicall([swap]))).rejects.toThrow(/INSUFFICIENT/)
    for (const hops of ['0x', `0x${'00'.repeat(43)}`] as const) {
      const args = [at.USDC, [{ amountIn: 1n, maxOut: 0n, hops }]] as const
      const { abi } = routerArtifact
      const callData = encodeFunctionData({ abi, functionName: 'swap', args })
      await expect(rig.send(rig.multicall([{ target: rig.router, callData }]))).rejects.toThrow(
        'InvalidHops',
      )
    }
  })

  test('a path pays at most the router’s balance', async () => {
    const pool = await poolOf(at.USDC, at.USDT)
    const swap = swapCall(rig.router, routeOf(pool, at.USDC, 1001n), { limitsOutput: false })
    await expect(pull(at.USDC, 1000n, [swap])).rejects.toThrow(/balance too low/)
  })

  test('an output limit above the reserve has no effect on a pool’s output', async () => {
    const pool = await poolOf(at.USDC, at.USDT)
    const expected = swapExactInput(pool, pool.currency0 === at.USDC, toAmount(1_000_000n))
    const route = routeOf(pool, at.USDC, 1_000_000n, parseEther('1000000'))
    const swap = swapCall(rig.router, route, { limitsOutput: true })
    await pull(at.USDC, 1_000_000n, [swap, ...sweepCalls(rig.router, [at.USDT], fresh)])
    expect(await rig.balance(at.USDT, fresh)).toBe(expected?.amountOut)
  })
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
