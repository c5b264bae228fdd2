import { describe, expect, it } from 'vitest'
import type { ConcentratedPool } from '#src/core/pools/concentrated/concentratedPool.ts'
import { toManagedPoolId } from '#src/core/pools/poolKind.ts'
import { toProtocolFees } from '#src/core/pools/uniswapV4/uniswapV4.ts'
import type { LegSwap } from '#src/core/pricing/leg/leg.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { poolsOf } from '#src/core/router/graph.ts'
import type { Hop } from '#src/core/router/route.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import { account, currencyOf, market, originChain } from '#test/support/fixtures/markets.ts'
import { example, other } from '#test/support/orders/orders.ts'
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

const fill = (leg: LegSwap, order = toOther) => fillTransaction(shapeOf(leg), order)

const v2 = hop('constantProduct', weth, usdc)
const v3 = hop('concentrated', weth, usdc)
const ofManager = (like: Hop): Hop => ({
  ...like,
  pool: {
    ...(like.pool as ConcentratedPool),
    kind: 'uniswapV4',
    id: toManagedPoolId(`0x${'0'.repeat(64)}`),
    protocolFees: toProtocolFees(0),
  },
})
const two = [hop('constantProduct', weth, wbtc), hop('concentrated', wbtc, usdc)]

/** Measurements of our contracts on anvil: gas and bytes of calldata. */
const measured: readonly (readonly [string, TransactionSize, number, number])[] = [
  ['send native', swap(leg(eth, eth)), 21_000, 0],
  ['send ERC-20', swap(leg(usdc, usdc)), 52_116, 100],
  ['unwrap', swap(leg(weth, eth), example()), 35_580, 68],
  ['deposit native', deposit(leg(eth, eth)), 54_204, 68],
  ['deposit native, plain', deposit(leg(eth, eth), false), 53_601, 32],
  ['deposit ERC-20', deposit(leg(usdc, usdc)), 79_012, 132],
  ['deposit ERC-20, plain', deposit(leg(usdc, usdc), false), 35_016, 100],
  ['wrap for another', swap(leg(eth, weth)), 78_875, 1092],
  ['v2', swap(leg(weth, usdc, [v2])), 164_905, 2052],
  ['v3', swap(leg(weth, usdc, [v3])), 171_336, 2052],
  ['v3, 8 ticks', swap(leg(weth, usdc, [hop('concentrated', weth, usdc, 8)])), 489_545, 2052],
  ['v4', swap(leg(weth, usdc, [ofManager(v3)])), 176_907, 2052],
  ['v2+v3', swap(leg(weth, usdc, two)), 239_428, 2180],
  ['v2 ∥ v3', swap(leg(weth, usdc, [v2], [v3])), 223_420, 2276],
  ['v3 ∥ v2+v3', swap(leg(weth, usdc, [v3], two)), 297_858, 2404],
  ['native in', swap(leg(eth, usdc, [v3])), 150_860, 2148],
  ['native out', swap(leg(weth, eth, [v3])), 212_194, 2308],
  ['with an app fee', swap(leg(weth, usdc, [v3]), withFee), 199_606, 2564],
  ['with an app fee, native', swap(leg(eth, usdc, [v3]), withFee), 189_132, 2436],
  ['into a deposit of ERC-20', deposit(leg(weth, usdc, [v3])), 195_442, 2116],
  ['into a deposit of native', deposit(leg(weth, eth, [v3])), 220_281, 2340],
  ['from native into a deposit', deposit(leg(eth, usdc, [v3])), 179_859, 2212],
  ['with a call', swap(leg(weth, usdc, [v3]), withTx), 258_586, 2564],
  ['fill in native currency', fill(leg(eth, eth)), 106_293, 708],
  ['fill in an ERC-20', fill(leg(usdc, usdc)), 109_370, 772],
  ['fill with a call', fill(leg(usdc, usdc), withTx), 204_048, 1284],
  ['fill with a swap', fill(leg(weth, usdc, [v3])), 185_724, 1828],
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
})
