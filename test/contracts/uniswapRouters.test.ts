import fc from 'fast-check'
import { encodeFunctionData, maxUint256 } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Pool } from '#src/core/pools/pool.ts'
import type { Address } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { swapRouterAbi, uniswapV2RouterAbi } from '#src/devnet/deployment/deployUniswap.ts'
import { swapCall, sweepCalls } from '#src/protocol/calls/routerCalls.ts'
import { readLivePools } from '#test/support/chains/readChainPools.ts'
import { runs } from '#test/support/runs.ts'
import { type ContractRig, startContractRig, type Transaction } from './contractRig.ts'

let rig: ContractRig
let pools: readonly Pool[]
beforeAll(async () => {
  rig = await startContractRig()
  // A fee-on-transfer currency would give less through our router, because it charges two transfers instead of
  // one.
  pools = await readLivePools(rig.client, rig.deployed)
  const { uniswapV2Router02, uniswapV3SwapRouter } = rig.deployed.contracts
  for (const { address } of rig.deployed.currencies)
    for (const spender of [uniswapV2Router02, uniswapV3SwapRouter, rig.approvalProxy])
      await rig.allow(address, spender, 2n ** 255n)
})
afterAll(() => rig?.stop())

function byUniswap(pool: Pool, input: Address, output: Address, amountIn: bigint): Transaction {
  const { uniswapV2Router02, uniswapV3SwapRouter } = rig.deployed.contracts
  const { user } = rig
  if (pool.kind === 'constantProduct') {
    const data = encodeFunctionData({
      abi: uniswapV2RouterAbi,
      functionName: 'swapExactTokensForTokensSupportingFeeOnTransferTokens',
      args: [amountIn, 0n, [input, output], user, maxUint256],
    })
    return { to: uniswapV2Router02, data }
  }
  const params = {
    tokenIn: input,
    tokenOut: output,
    fee: pool.fee,
    recipient: user,
    deadline: maxUint256,
    amountIn,
    amountOutMinimum: 0n,
    sqrtPriceLimitX96: 0n,
  }
  const call = { abi: swapRouterAbi, functionName: 'exactInputSingle', args: [params] } as const
  return { to: uniswapV3SwapRouter, data: encodeFunctionData(call) }
}

function byUs(pool: Pool, input: Address, output: Address, amount: bigint): Transaction {
  const amounts = { amountIn: toAmount(amount), amountOut: toAmount(0n) }
  const zeroForOne = pool.currency0 === input
  const hops = [{ pool, zeroForOne, ...amounts, ticksCrossed: 0 }]
  const route = { input, output, ...amounts, paths: [{ ...amounts, hops }] }
  return rig.pullAndMulticall(
    [{ currency: input, amount }],
    [
      swapCall(rig.router, route, { limitsOutput: false }),
      ...sweepCalls(rig.router, [output], rig.user),
    ],
  )
}

test('a hop has the same input and output as through Uniswap’s routers', async () => {
  const { client, user } = rig
  const trade = fc.tuple(fc.nat(1000), fc.boolean(), fc.integer({ min: 1, max: 20_000 }))
  const compare = async ([choice, zeroForOne, share]: [number, boolean, number]) => {
    const pool = pools[choice % pools.length]
    if (pool === undefined) throw new Error('No pools')
    const { currency0, currency1 } = pool
    const [input, output] = zeroForOne ? [currency0, currency1] : [currency1, currency0]
    const holding = await rig.balance(input, user)
    const amount = (holding * BigInt(share)) / 1_000_000n
    const outcome = async (transaction: Transaction) => {
      const snapshot = await client.snapshot()
      const before = await rig.balance(output, user)
      const reason = await rig.send(transaction).then(
        () => undefined,
        (error: Error) => error.message,
      )
      const given = (await rig.balance(output, user)) - before
      const left = await rig.balance(input, user)
      await client.revert({ id: snapshot })
      return { given, left, reverted: reason !== undefined }
    }
    const uniswap = await outcome(byUniswap(pool, input, output, amount))
    expect(await outcome(byUs(pool, input, output, amount))).toEqual(uniswap)
    expect(uniswap.reverted).toBe(false)
  }
  await fc.assert(fc.asyncProperty(trade, compare), { numRuns: runs(60, 25) })
})
