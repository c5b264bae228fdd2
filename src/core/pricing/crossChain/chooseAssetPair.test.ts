import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { erc20Of, swapLeg } from '#src/core/pricing/leg/leg.ts'
import { legFailure } from '#src/core/pricing/leg/legFailure.ts'
import type { Order } from '#src/core/pricing/order.ts'
import type { Price } from '#src/core/pricing/price.ts'
import { routeOutputBound } from '#src/core/router/routeBounds.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { usdValueDown } from '#src/core/units/usd.ts'
import { currencyOf, destinationChain, market } from '#test/support/fixtures/markets.ts'
import { attempt, orders, priceOf } from '#test/support/orders/orders.ts'
import { runs } from '#test/support/runs.ts'
import { mostUsefulFailure } from './bestAssetPair.ts'

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

/** The largest output that the destination leg of an order could give, and from which currency, if that leg has no route. */
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
      expect(mostUsefulFailure(failures)?.message).toMatch(/USDC to ETH.* that works is \d/)
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
          // Asset pairs are compared by their widest paths, of which a limit may add up several: here, about one and a half.
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
