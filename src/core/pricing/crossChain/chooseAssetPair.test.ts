import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { depositTransaction, shapeOf } from '#src/core/pricing/gas/transactionSize.ts'
import { erc20Of, legFailure, swapLeg } from '#src/core/pricing/leg/leg.ts'
import { type Market, marketOf } from '#src/core/pricing/market.ts'
import type { Order } from '#src/core/pricing/order.ts'
import type { Price } from '#src/core/pricing/price.ts'
import { routeOutputBound } from '#src/core/router/routeBounds.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { amountForUsdUp, toUsd, usdValueDown } from '#src/core/units/usd.ts'
import {
  account,
  currencyOf,
  destinationChain,
  market,
  originChain,
} from '#test/support/fixtures/markets.ts'
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
import { mostUsefulFailure } from './bestAssetPair.ts'
import { assetPairsOf } from './chooseAssetPair.ts'
import { type CrossChainPrice, priceAcross } from './crossChainPrice.ts'
import { depositCost } from './netResultBounds.ts'

const crossChainPrices = orders.filter(
  ({ origin, destination }) => origin.chainId !== destination.chainId,
)

/** The value of the output less that of the input and of the origin gas, in millionths of a dollar. */
const gain = ({ currencyIn, currencyOut, fees }: Price): bigint =>
  (currencyOut.usd ?? 0n) - (currencyIn.usd ?? 0n) - (fees.gas.usd ?? 0n)

/** The value of one raw unit of the currency whose amount the order leaves open, in millionths of a dollar. */
function unitWorth({ origin, destination, tradeType }: Order): bigint {
  const currency = tradeType === 'EXACT_INPUT' ? destination : origin
  const price = priceOf(market.chains.get(currency.chainId), currency.address)
  return usdValueDown(toAmount(1n), currency.decimals, price)
}

describe('chooseAssetPair', () => {
  it('is no worse than any single asset', () => {
    fc.assert(
      fc.property(crossChainPrices, (order) => {
        const best = attempt(order)
        for (const asset of market.assets) {
          const single = attempt(order, { ...market, assets: [asset] })
          if (single instanceof AppError) continue
          if (best instanceof AppError) throw new Error(`Missed ${asset.symbol}`)
          // Each of the three figures is rounded down by less than one millionth, and the comparison rounds gas to
          // raw units of the currency whose amount the order leaves open.
          expect(gain(best)).toBeGreaterThanOrEqual(gain(single) - 4n - unitWorth(order))
        }
      }),
      { numRuns: runs(400) },
    )
  })
})

/**
 * The largest output that the destination leg of an order could give, and from which currency, if that leg has no
 * route.
 */
function limitOf(order: Order, assets = market.assets) {
  const failure = attempt(order, { ...market, assets })
  if (!(failure instanceof AppError) || failure.code !== 'NO_SWAP_ROUTES_FOUND') return undefined
  const { leg, maxAmount, inputCurrency } = failure.data ?? {}
  return leg === 'destination' && typeof maxAmount === 'string'
    ? { maxOutput: BigInt(maxAmount), from: inputCurrency }
    : undefined
}

describe('an exact output that no asset pair gives', () => {
  const tooLarge = crossChainPrices.map(
    (order): Order => ({
      ...order,
      tradeType: 'EXACT_OUTPUT',
      amount: toAmount(order.amount * 10n ** 12n),
    }),
  )

  it('is answered by the leg that gives the largest amount', () => {
    const chainMarket = market.chains.get(destinationChain)
    if (chainMarket === undefined) throw new Error('The fixture has the chain')
    const [shallow, deep] = (['DUST', 'ETH'] as const).map((symbol) => {
      const [input, output] = (['USDC', symbol] as const).map((each) =>
        currencyOf(destinationChain, each),
      ) as [Currency, Currency]
      const task = { market: chainMarket, input, output, limits: {} }
      return legFailure('destination', task, 'exactOutput', toAmount(10n ** 30n))
    }) as [AppError, AppError]
    for (const failures of [
      [shallow, deep],
      [deep, shallow],
    ])
      expect(mostUsefulFailure(failures)?.message).toMatch(/USDC to ETH.* that works is about \d/)
  })

  it('is answered with an amount that has a route, about the largest that any asset pair gives', () => {
    fc.assert(
      fc.property(tooLarge, (order) => {
        const limit = limitOf(order)
        if (limit === undefined) return
        for (const asset of market.assets) {
          const payout = asset.currencies.get(order.destination.chainId)
          const isLimiting = payout?.address === limit.from
          if (isLimiting)
            expect(
              limitOf({ ...order, amount: toAmount(limit.maxOutput) }, [asset]),
            ).toBeUndefined()
          // Asset pairs are compared by their widest paths, of which a limit may add up several: here, about one and a
          // half.
          const single = limitOf(order, [asset])?.maxOutput ?? 0n
          expect(single / 2n).toBeLessThanOrEqual(limit.maxOutput)
        }
      }),
      { numRuns: runs(300) },
    )
  })
})

describe('routeOutputBound', () => {
  it('bounds every swap', () => {
    fc.assert(
      fc.property(orders, ({ origin, destination, amount }) => {
        const chain = market.chains.get(origin.chainId)
        if (chain === undefined || origin.chainId !== destination.chainId) return
        const task = { market: chain, input: origin, output: destination, limits: {} }
        const leg = swapLeg(task, 'exactInput', amount)
        const ends = [erc20Of(chain, origin), erc20Of(chain, destination)] as const
        const { rate, extra } = routeOutputBound(chain.graph, ...ends)
        if (leg === undefined) return
        const bound = rate * Number(amount) * (1 + 1e-9) + extra
        expect(Number(leg.amountOut)).toBeLessThanOrEqual(bound)
      }),
      { numRuns: runs(500) },
    )
  })
})

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
  hasTokenAccount: 0,
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
