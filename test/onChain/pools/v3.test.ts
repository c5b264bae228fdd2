import fc from 'fast-check'
import { encodeFunctionData, type Hex, maxUint256, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConcentratedPool } from '#src/core/pools/concentrated/concentratedPool.ts'
import { highestSqrtPrice, lowestSqrtPrice } from '#src/core/pools/concentrated/tickMap.ts'
import { type PoolSwap, swapExactInput, swapExactOutput } from '#src/core/pools/pool.ts'
import type { SwapMode } from '#src/core/pools/poolKind.ts'
import { positionManagerAbi } from '#src/devnet/deployment/deployUniswap.ts'
import {
  amountOf,
  endOfLiquidity,
  type Move,
  move,
} from '#test/support/arbitraries/poolArbitrary.ts'
import { amountReachingBoundary } from '#test/support/models/reachBoundary.ts'
import { times } from '#test/support/runs.ts'
import { type Exchange, startExchange, unlessReverted } from './exchange.ts'
import { createV3Pools, followV3Pool } from './v3Pools.ts'

/** @source v3-periphery 1.4.4 IQuoterV2; its functions simulate a swap and so are not `view`. */
const quoterAbi = parseAbi([
  'struct InputParams { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }',
  'struct OutputParams { address tokenIn; address tokenOut; uint256 amount; uint24 fee; uint160 sqrtPriceLimitX96; }',
  'function quoteExactInputSingle(InputParams params) view returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)',
  'function quoteExactOutputSingle(OutputParams params) view returns (uint256 amountIn, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)',
])

/** @source v3-periphery 1.4.4 ISwapRouter */
const routerAbi = parseAbi([
  'struct InputParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'struct OutputParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountOut; uint256 amountInMaximum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(InputParams params) returns (uint256 amountOut)',
  'function exactOutputSingle(OutputParams params) returns (uint256 amountIn)',
])

let exchange: Exchange
let pools: readonly ConcentratedPool[]
let positionCount: number

beforeAll(async () => {
  exchange = await startExchange(Array(5).fill(18))
  const created = await createV3Pools(exchange)
  pools = created.pools
  positionCount = created.positionCount
})

afterAll(() => exchange?.stop())

const swapOf = (mode: SwapMode) => (mode === 'exactInput' ? swapExactInput : swapExactOutput)

/**
 * The result of a swap in the form of `quote`. It omits the number of ticks crossed, because QuoterV2 rounds
 * negative ticks towards zero, so its count is sometimes off by one.
 */
const observedSwap = ({ amountIn, amountOut, next }: PoolSwap) => ({
  amountIn,
  amountOut,
  sqrtPriceX96: next.kind === 'concentrated' ? next.sqrtPriceX96 : 0n,
})

/**
 * The quote of QuoterV2. Undefined if it reverts, the output is zero, or the swap stops at the price limit,
 * because then QuoterV2 only quotes the part that it could swap.
 */
async function quote(pool: ConcentratedPool, one: Move) {
  const { client, uniswapV3 } = exchange
  const quoter = { address: uniswapV3.quoterV2, abi: quoterAbi } as const
  const amount = amountOf(pool, one)
  // With a tick spacing of 1, QuoterV2 takes a second from the last position to the minimum or maximum price.
  const limit = pool.tickSpacing === 1 ? endOfLiquidity(pool, one.zeroForOne) : 0n
  const params = { ...sidesOf(pool, one.zeroForOne), fee: pool.fee, sqrtPriceLimitX96: limit }
  const answer = await unlessReverted(
    one.mode === 'exactInput'
      ? client.readContract({
          ...quoter,
          functionName: 'quoteExactInputSingle',
          args: [{ ...params, amountIn: amount }],
        })
      : client.readContract({
          ...quoter,
          functionName: 'quoteExactOutputSingle',
          args: [{ ...params, amount }],
        }),
  )
  if (answer === undefined) return undefined
  const [other, sqrtPriceX96] = answer
  if (other === 0n || [limit, lowestSqrtPrice, highestSqrtPrice].includes(sqrtPriceX96))
    return undefined
  const amounts =
    one.mode === 'exactInput'
      ? { amountIn: amount, amountOut: other }
      : { amountIn: other, amountOut: amount }
  return { ...amounts, sqrtPriceX96 }
}

const sidesOf = ({ currency0, currency1 }: ConcentratedPool, zeroForOne: boolean) =>
  zeroForOne
    ? { tokenIn: currency0, tokenOut: currency1 }
    : { tokenIn: currency1, tokenOut: currency0 }

/** Of 200 quotes each. With all of them, more than 1,000 of each kind are compared. */
const batches = times(16, 16, 4)

/** Compares quotes, and returns how many swaps QuoterV2 could quote. */
async function compareQuotes(answered: Record<SwapMode | 'crossing', number>): Promise<void> {
  const oneSwap = fc.record({ pool: fc.constantFrom(...pools), one: move })
  await fc.assert(
    fc.asyncProperty(fc.array(oneSwap, { minLength: 200, maxLength: 200 }), async (swaps) => {
      const compared = swaps.map(async ({ pool, one }) => {
        const ours = swapOf(one.mode)(pool, one.zeroForOne, amountOf(pool, one))
        expect(ours && observedSwap(ours)).toEqual(await quote(pool, one))
        if (ours === undefined) return
        answered[one.mode] += 1
        if (ours.ticksCrossed > 0) answered.crossing += 1
      })
      await Promise.all(compared)
    }),
    { numRuns: batches, endOnFailure: true },
  )
}

/** Swaps several times in each pool, sometimes exactly to a tick, and checks the resulting pool states. */
async function trade(): Promise<void> {
  const { queue, uniswapV3 } = exchange
  const expected = pools.map((pool, seed) => {
    let now = pool
    for (const one of fc.sample(move, { numRuns: 4, seed })) {
      const amount = amountReachingBoundary(now, one) ?? amountOf(now, one)
      const next = swapOf(one.mode)(now, one.zeroForOne, amount)?.next
      if (next?.kind !== 'concentrated') continue
      queue.send({ to: uniswapV3.uniswapV3SwapRouter, data: encodeSwap(now, one, amount) })
      now = next
    }
    return now
  })
  await mineAndFollow()
  expect(pools).toEqual(expected)
}

function encodeSwap(pool: ConcentratedPool, { zeroForOne, mode }: Move, amount: bigint): Hex {
  const params = {
    ...sidesOf(pool, zeroForOne),
    fee: pool.fee,
    recipient: exchange.queue.account,
    deadline: maxUint256,
    sqrtPriceLimitX96: 0n,
  }
  return mode === 'exactInput'
    ? encodeFunctionData({
        abi: routerAbi,
        functionName: 'exactInputSingle',
        args: [{ ...params, amountIn: amount, amountOutMinimum: 0n }],
      })
    : encodeFunctionData({
        abi: routerAbi,
        functionName: 'exactOutputSingle',
        args: [{ ...params, amountOut: amount, amountInMaximum: maxUint256 }],
      })
}

/** Removes half or all liquidity of every other position. */
async function withdraw(): Promise<void> {
  const { client, queue, uniswapV3 } = exchange
  const abi = positionManagerAbi
  const manager = { address: uniswapV3.nonfungiblePositionManager, abi } as const
  for (let tokenId = 2n; tokenId <= positionCount; tokenId += 2n) {
    const call = { ...manager, functionName: 'positions', args: [tokenId] } as const
    const held = (await client.readContract(call))[7]
    const liquidity = tokenId % 4n === 0n ? held : (held + 1n) / 2n
    const params = { tokenId, liquidity, amount0Min: 0n, amount1Min: 0n, deadline: maxUint256 }
    const data = encodeFunctionData({ abi, functionName: 'decreaseLiquidity', args: [params] })
    queue.send({ to: manager.address, data })
  }
  await mineAndFollow()
}

async function mineAndFollow(): Promise<void> {
  const mined = await exchange.client.getBlockNumber()
  await exchange.queue.flush()
  pools = await Promise.all(pools.map((pool) => followV3Pool(exchange, pool, mined + 1n)))
}

test('exact-input and exact-output quotes equal those of QuoterV2', async () => {
  const answered = { exactInput: 0, exactOutput: 0, crossing: 0 }
  await compareQuotes(answered)
  await trade()
  await compareQuotes(answered)
  await withdraw()
  await compareQuotes(answered)
  expect(Math.min(answered.exactInput, answered.exactOutput, answered.crossing)).toBeGreaterThan(
    65 * batches,
  )
})
