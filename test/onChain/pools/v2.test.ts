import fc from 'fast-check'
import { encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConstantProductPool } from '#src/core/pools/constantProduct/constantProduct.ts'
import { type PoolSwap, swapExactInput, swapExactOutput } from '#src/core/pools/pool.ts'
import { uniswapV2PairAbi } from '#src/protocol/contracts/abis.ts'
import { amountOf, type Move, magnitude, move } from '#test/support/arbitraries/poolArbitrary.ts'
import { type Exchange, startExchange, unlessReverted } from './exchange.ts'
import { createV2Pools, followV2Pool } from './v2Pools.ts'

/** @source v2-periphery IUniswapV2Router02 */
const quoteAbi = parseAbi([
  'function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[] amounts)',
  'function getAmountsIn(uint256 amountOut, address[] path) view returns (uint256[] amounts)',
])

let exchange: Exchange
let pools: ConstantProductPool[]

beforeAll(async () => {
  exchange = await startExchange(Array(7).fill(18))
  const any = magnitude(12, 111)
  const reserves = fc.sample(fc.tuple(any, any), { numRuns: 21, seed: 1 })
  pools = await createV2Pools(exchange, (_, at) => reserves[at] ?? [1n, 1n])
})

afterAll(() => exchange?.stop())

const pathOf = (pool: ConstantProductPool, zeroForOne: boolean) =>
  zeroForOne ? [pool.currency0, pool.currency1] : [pool.currency1, pool.currency0]

const amountsOf = ({ amountIn, amountOut }: PoolSwap) => ({ amountIn, amountOut })

/** The router’s quote. Undefined if it reverts, the output is zero, or the reserves would overflow. */
async function quote(pool: ConstantProductPool, one: Move) {
  const { client, uniswapV2 } = exchange
  const answer = await unlessReverted(
    client.readContract({
      address: uniswapV2.uniswapV2Router02,
      abi: quoteAbi,
      functionName: one.mode === 'exactInput' ? 'getAmountsOut' : 'getAmountsIn',
      args: [amountOf(pool, one), pathOf(pool, one.zeroForOne)],
    }),
  )
  if (answer === undefined) return undefined
  const [amountIn = 0n, amountOut = 0n] = answer
  const reserveIn = one.zeroForOne ? pool.reserve0 : pool.reserve1
  return amountOut === 0n || reserveIn + amountIn >= 1n << 112n
    ? undefined
    : { amountIn, amountOut }
}

test('more than 1,000 exact-input and exact-output quotes each equal the router’s', async () => {
  const answered = { exactInput: 0, exactOutput: 0 }
  const oneSwap = fc.record({ pool: fc.constantFrom(...pools), one: move })
  await fc.assert(
    fc.asyncProperty(fc.array(oneSwap, { minLength: 200, maxLength: 200 }), async (swaps) => {
      const compared = swaps.map(async ({ pool, one }) => {
        const swap = one.mode === 'exactInput' ? swapExactInput : swapExactOutput
        const ours = swap(pool, one.zeroForOne, amountOf(pool, one))
        expect(ours && amountsOf(ours)).toEqual(await quote(pool, one))
        if (ours !== undefined) answered[one.mode] += 1
      })
      await Promise.all(compared)
    }),
    { numRuns: 20, endOnFailure: true },
  )
  expect(Math.min(answered.exactInput, answered.exactOutput)).toBeGreaterThan(1_000)
})

test('a pair pays the computed output and not a unit more, and ends with the computed reserves', async () => {
  const { client, queue } = exchange
  const payment = move.map((any): Move => ({ ...any, mode: 'exactInput' }))
  const swaps = pools.flatMap((pool, seed) =>
    fc.sample(payment, { numRuns: 1, seed }).flatMap((one) => {
      const swapped = swapExactInput(pool, one.zeroForOne, amountOf(pool, one))
      return swapped === undefined ? [] : [{ pool, zeroForOne: one.zeroForOne, ...swapped }]
    }),
  )
  expect(swaps.length).toBeGreaterThan(10)

  for (const { pool, zeroForOne, amountIn } of swaps) {
    const args = [pool.address, amountIn] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    queue.send({ to: zeroForOne ? pool.currency0 : pool.currency1, data })
  }
  await queue.flush()

  const { account } = queue
  const take = (zeroForOne: boolean, amount: bigint) =>
    ({
      abi: uniswapV2PairAbi,
      functionName: 'swap',
      args: [zeroForOne ? 0n : amount, zeroForOne ? amount : 0n, account, '0x'],
    }) as const
  for (const { pool, zeroForOne, amountOut } of swaps) {
    const tooMuch = { address: pool.address, account, ...take(zeroForOne, amountOut + 1n) }
    await expect(client.simulateContract(tooMuch)).rejects.toThrow(
      /UniswapV2: (K|INSUFFICIENT_LIQUIDITY)/,
    )
    queue.send({ to: pool.address, data: encodeFunctionData(take(zeroForOne, amountOut)) })
  }
  await queue.flush()
  for (const { pool, next } of swaps) expect(await followV2Pool(exchange, pool)).toEqual(next)
})
