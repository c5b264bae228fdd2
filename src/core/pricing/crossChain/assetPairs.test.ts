import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { depositTransaction, shapeOf } from '#src/core/pricing/gas/transactionSize.ts'
import { type Market, marketOf } from '#src/core/pricing/market.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { amountForUsdUp, toUsd } from '#src/core/units/usd.ts'
import { account, currencyOf, market, originChain } from '#test/support/fixtures/markets.ts'
import {
  anyOrders,
  attempt,
  essence,
  example,
  orders,
  priceOf,
} from '#test/support/orders/orders.ts'
import { runs } from '#test/support/runs.ts'
import type { AssetPair, AssetPairTerms } from './assetPair.ts'
import { assetPairsOf } from './assetPairs.ts'
import { type CrossChainPrice, priceAcross } from './crossChainPrice.ts'
import { depositCost } from './netResultBounds.ts'

/** The same market, with empty caches. */
const unknown = (): Market => ({
  ...market,
  chains: new Map(Array.from(market.chains, ([id, chain]) => [id, { ...chain }])),
})

const deposits: fc.Arbitrary<Partial<Order>> = fc.oneof(
  fc.constant({}),
  fc.constant({ useDepositAddress: true, forceSolverExecution: true }),
  fc
    .record({
      kind: fc.constantFrom('eip3009', 'permit2', 'eip2612'),
      payer: fc.option(fc.constant(account('5')), { nil: undefined }),
    })
    .map(({ kind, payer }) => ({ permit: { kind, ...(payer && { payer }) } })),
)

/** The terms of asset pairs, apart from the two currencies. */
const options = Object.keys({
  tradeType: 0,
  appFees: 0,
  explicitDeposit: 0,
  useDepositAddress: 0,
  permit: 0,
  disableOriginSwaps: 0,
  fixedRate: 0,
  topup: 0,
  sponsorship: 0,
  maxRouteLength: 0,
  swapSources: 0,
  txs: 0,
  txsGasLimit: 0,
  authorizationList: 0,
} satisfies Record<
  Exclude<keyof AssetPairTerms, 'origin' | 'destination'>,
  0
>) as (keyof AssetPairTerms)[]

const full = fc
  .tuple(anyOrders, deposits)
  .map(([order, deposit]): Order => ({ ...order, ...deposit, forceSolverExecution: true }))

/** An order, and others between the same two currencies that each differ in one option. */
const alike = fc
  .tuple(full, full, fc.bigInt(10n ** 6n, 10n ** 11n))
  .map(([order, other, millionths]) =>
    [undefined, ...options].map((option): Order => {
      const mixed = { ...order, ...(option && { [option]: other[option] }) }
      const given = mixed.tradeType === 'EXACT_INPUT' ? order.origin : order.destination
      const price = priceOf(market.chains.get(given.chainId), given.address)
      return { ...mixed, amount: amountForUsdUp(toUsd(millionths), given.decimals, price) }
    }),
  )

/** A dollar, which is worth an asset pair of its own if a sponsor pays the fees. */
const dollar: Order = {
  ...example(),
  origin: currencyOf(originChain, 'ETH'),
  destination: currencyOf(originChain, 'USDC'),
  tradeType: 'EXACT_OUTPUT',
  amount: toAmount(1_000_000n),
  explicitDeposit: false,
  forceSolverExecution: true,
}

describe('assetPairsOf', () => {
  it('changes no price after any other prices on the same blocks', () => {
    fc.assert(
      fc.property(alike, (several) => {
        const known = unknown()
        for (const order of several)
          expect(essence(attempt(order, known))).toEqual(essence(attempt(order, unknown())))
      }),
      { numRuns: runs(60), examples: [[[dollar, { ...dollar, sponsorship: {} }]]] },
    )
  })

  it('bounds the net result over each asset pair, the tighter bound below the looser one', () => {
    fc.assert(
      fc.property(anyOrders, (order) => {
        const origin = marketOf(market, order.origin)
        const destination = marketOf(market, order.destination)
        const amount = Number(order.amount)
        for (const { assetPair, bound } of assetPairsOf(order, market, { origin, destination })
          .assetPairs) {
          expect(bound.marginal(amount)).toBeGreaterThanOrEqual(bound.withImpact(amount))
          const crossChainPrice = tryPrice(order, assetPair)
          if (crossChainPrice === undefined) continue
          const { originLeg } = crossChainPrice
          const shape = shapeOf(originLeg)
          const transaction = depositTransaction(shape, order.explicitDeposit, order.permit?.kind)
          const net = Number(resultOf(crossChainPrice) - depositCost(assetPair, transaction))
          expect(bound.withImpact(amount)).toBeGreaterThanOrEqual(net)
          if (order.tradeType === 'EXACT_INPUT')
            expect(bound.afterOrigin(originLeg, transaction)).toBeGreaterThanOrEqual(net)
        }
      }),
      { numRuns: runs(300) },
    )
  })

  it('is found once for all amounts, and again for each block, asset or fee schedule', () => {
    fc.assert(
      fc.property(orders, orders, (order, { amount }) => {
        const on = unknown()
        const origin = marketOf(on, order.origin)
        const destination = marketOf(on, order.destination)
        const chains = { origin, destination }
        const found = assetPairsOf(order, on, chains)
        expect(assetPairsOf({ ...order, amount } as Order, on, chains)).toBe(found)
        const others = [
          assetPairsOf(order, on, { origin: { ...origin }, destination }),
          assetPairsOf(order, on, { origin, destination: { ...destination } }),
          assetPairsOf(order, { ...on, assets: [...on.assets] }, chains),
          assetPairsOf(order, { ...on, feeSchedule: { ...on.feeSchedule } }, chains),
        ]
        for (const other of others) expect(other).not.toBe(found)
      }),
      { numRuns: runs(50) },
    )
  })
})

function tryPrice(order: Order, assetPair: AssetPair): CrossChainPrice | undefined {
  try {
    return priceAcross(order, assetPair)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** The output, or the negative input. */
const resultOf = ({ assetPair, originLeg, destinationLeg }: CrossChainPrice): bigint =>
  assetPair.terms.tradeType === 'EXACT_INPUT' ? destinationLeg.amountOut : -originLeg.amountIn
