import { describe, expect, it } from 'vitest'
import type { LegSwap } from '#src/pricing/leg/leg.ts'
import type { Order } from '#src/pricing/order.ts'
import { poolsOf } from '#src/pricing/router/graph.ts'
import type { Hop } from '#src/pricing/router/route.ts'
import { toAmount } from '#src/units/amount.ts'
import { toBps } from '#src/units/bps.ts'
import { account, currencyOf, market, originChain } from '#test/support/fixtures/markets.ts'
import { example, other } from '#test/support/fixtures/orders.ts'
import type { TransactionSize } from './gas.ts'
import { depositTransaction, fillTransaction, shapeOf, swapTransaction } from './transactionSize.ts'

const [eth, weth, usdc, wbtc] = (['ETH', 'WETH', 'USDC', 'WBTC'] as const).map(
  (symbol) => currencyOf(originChain, symbol).address,
) as [Order['user'], Order['user'], Order['user'], Order['user']]
const amount = toAmount(1000n)

/** The first pool of its kind with the two currencies. */
function hop(
  kind: 'constantProduct' | 'concentrated',
  input: Order['user'],
  output: Order['user'],
  ticksCrossed = 0,
): Hop {
  const { graph } = market.chains.get(originChain) ?? {}
  const pool =
    graph &&
    poolsOf(graph).find(
      (pool) =>
        pool.kind === kind &&
        [pool.currency0, pool.currency1].sort().join() === [input, output].sort().join(),
    )
  if (pool === undefined) throw new Error('No such pool')
  const zeroForOne = pool.currency0 === input
  return { pool, zeroForOne, amountIn: amount, amountOut: amount, ticksCrossed }
}

function leg(input: Order['user'], output: Order['user'], ...paths: Hop[][]): LegSwap {
  return {
    input,
    output,
    amountIn: amount,
    amountOut: amount,
    wraps: input === eth && output !== eth,
    unwraps: output === eth && input !== eth,
    route:
      paths.length === 0
        ? undefined
        : {
            input: weth,
            output: usdc,
            amountIn: amount,
            amountOut: amount,
            paths: paths.map((hops) => ({ amountIn: amount, amountOut: amount, hops })),
          },
  }
}

const toOther: Order = { ...example(), recipient: other }
const withFee: Order = { ...toOther, appFees: [{ recipient: other, fee: toBps(10n) }] }
const data = `0x${'11'.repeat(68)}` as const
const withTx: Order = {
  ...toOther,
  txs: [{ to: account('3'), value: toAmount(0n), data }],
  txsGasLimit: 30_000n,
}
const swap = (leg: LegSwap, order = toOther) => swapTransaction(shapeOf(leg), order)
const deposit = (leg: LegSwap, explicit = true) => depositTransaction(shapeOf(leg), explicit)

const v2 = hop('constantProduct', weth, usdc)
const v3 = hop('concentrated', weth, usdc)
const two = [hop('constantProduct', weth, wbtc), hop('concentrated', wbtc, usdc)]

/** Measurements of our contracts on anvil: gas and bytes of calldata. */
const measured: readonly (readonly [string, TransactionSize, number, number])[] = [
  ['send native', swap(leg(eth, eth)), 21_000, 0],
  ['send ERC-20', swap(leg(usdc, usdc)), 52_116, 100],
  ['unwrap', swap(leg(weth, eth), example()), 35_580, 68],
  ['deposit native', deposit(leg(eth, eth)), 23_947, 68],
  ['deposit native, plain', deposit(leg(eth, eth), false), 23_398, 32],
  ['deposit ERC-20', deposit(leg(usdc, usdc)), 49_039, 132],
  ['deposit ERC-20, plain', deposit(leg(usdc, usdc), false), 35_016, 100],
  ['wrap for another', swap(leg(eth, weth)), 75_842, 772],
  ['v2', swap(leg(weth, usdc, [v2])), 159_750, 1796],
  ['v3', swap(leg(weth, usdc, [v3])), 166_203, 1796],
  ['v3, 8 ticks', swap(leg(weth, usdc, [hop('concentrated', weth, usdc, 8)])), 484_412, 1796],
  ['v2+v3', swap(leg(weth, usdc, two)), 234_165, 1924],
  ['v2 ∥ v3', swap(leg(weth, usdc, [v2], [v3])), 218_240, 2020],
  ['v3 ∥ v2+v3', swap(leg(weth, usdc, [v3], two)), 292_570, 2148],
  ['native in', swap(leg(eth, usdc, [v3])), 147_262, 1828],
  ['native out', swap(leg(weth, eth, [v3])), 206_962, 2052],
  ['with an app fee', swap(leg(weth, usdc, [v3]), withFee), 194_569, 2308],
  ['with an app fee, native', swap(leg(eth, usdc, [v3]), withFee), 185_437, 2116],
  ['into a deposit of ERC-20', deposit(leg(weth, usdc, [v3])), 165_175, 1892],
  ['into a deposit of native', deposit(leg(weth, eth, [v3])), 185_417, 2116],
  ['from native into a deposit', deposit(leg(eth, usdc, [v3])), 153_947, 1924],
  ['with a call', swap(leg(weth, usdc, [v3]), withTx), 207_424, 2884],
]

describe('the size of a transaction', () => {
  it.each(measured)(
    '%s: to the byte, and the gas to a tenth',
    (_, { gas, bytes }, used, length) => {
      expect(Number(bytes)).toBe(120 + length)
      expect(Number(gas) / used).toBeGreaterThan(0.97)
      expect(Number(gas) / used).toBeLessThan(1.1)
    },
  )

  it('equals a plain payment for a fill without swap and calls', () => {
    const plain = fillTransaction(shapeOf(leg(usdc, usdc)), toOther)
    expect(plain).toEqual(swap(leg(usdc, usdc)))
    expect(fillTransaction(shapeOf(leg(usdc, usdc)), withTx).gas).toBeGreaterThan(plain.gas)
  })
})
