import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import type { Market } from '#src/core/pricing/market.ts'
import type { Order, SwapSourceFilter } from '#src/core/pricing/order.ts'
import type { Leg, Price } from '#src/core/pricing/price.ts'
import { createGraph, poolsOf } from '#src/core/router/graph.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { magnitude } from '#test/support/arbitraries/poolArbitrary.ts'
import { currencyOf, market, originChain } from '#test/support/fixtures/markets.ts'
import { attempt, example, orders, routeOptions } from '#test/support/orders/orders.ts'
import { runs } from '#test/support/runs.ts'
import { plannedAmount } from './leg.ts'

it('reuses a plan until the amount has fallen by more than a 64th', () => {
  fc.assert(
    fc.property(magnitude(20, 100), fc.integer({ min: 0, max: 1_000 }), (first, thousandths) => {
      const last = toAmount(first)
      const amount = toAmount(last - (last * BigInt(thousandths)) / 1_000n)
      const planned = plannedAmount(last, amount)
      expect([last, amount]).toContain(planned)
      // It is the plan of an amount that is at most a 63rd larger.
      expect((planned - amount) * 63n).toBeLessThanOrEqual(amount)
      if (thousandths <= 15) expect(planned).toBe(last)
    }),
  )
  expect(plannedAmount(undefined, toAmount(5n))).toBe(5n)
})

const limited = fc.tuple(orders, routeOptions).map(([order, options]) => ({ ...order, ...options }))

const passes = (source: string, { included, excluded }: SwapSourceFilter): boolean =>
  (included === undefined || included.has(source)) && !excluded.has(source)

/** The market without the pools that the filters of the order exclude. */
function filteredMarket({ origin, destination, swapSources }: Order): Market {
  const chains = [...market.chains].map(([chainId, chain]) => {
    const filters = [
      ...(chainId === origin.chainId ? [swapSources.origin] : []),
      ...(chainId === destination.chainId ? [swapSources.destination] : []),
    ]
    const pools = poolsOf(chain.graph).filter(({ source }) =>
      filters.every((filter) => passes(source, filter)),
    )
    return [chainId, { ...chain, graph: createGraph(pools) }] as const
  })
  return { ...market, chains: new Map(chains) }
}

const essence = (priced: Price | AppError) =>
  priced instanceof AppError ? priced.code : { ...priced, order: undefined }

const longest = ({ route }: Leg): number =>
  Math.max(0, ...(route?.paths.map(({ hops }) => hops.length) ?? []))

describe('limits on routes', () => {
  it('price an order as if the excluded pools did not exist', () => {
    fc.assert(
      fc.property(limited, (order) => {
        const { swapSources, ...unfiltered } = order
        const everything = { origin: { excluded: new Set<string>() } }
        const same = attempt(
          { ...unfiltered, swapSources: { ...everything, destination: everything.origin } },
          filteredMarket(order),
        )
        expect(essence(attempt(order))).toEqual(essence(same))
      }),
      { numRuns: runs(500) },
    )
  })

  it('keep every path to maxRouteLength', () => {
    fc.assert(
      fc.property(limited, (order) => {
        const price = attempt(order)
        if (price instanceof AppError || order.maxRouteLength === undefined) return
        expect(longest(price.origin)).toBeLessThanOrEqual(order.maxRouteLength)
        expect(longest(price.destination)).toBeLessThanOrEqual(order.maxRouteLength)
      }),
      { numRuns: runs(500) },
    )
  })

  it('are named if they are the reason for a failure', () => {
    const order: Order = {
      ...example(),
      origin: currencyOf(originChain, 'LONG'),
      destination: currencyOf(originChain, 'USDT'),
      amount: toAmount(10n ** 20n),
    }
    const allSources = { excluded: new Set<string>() }
    const v3Only = { included: new Set(['uniswap-v3']), excluded: new Set<string>() }
    const failureOf = (change: Partial<Order>) => {
      const failure = attempt({ ...order, ...change })
      if (!(failure instanceof AppError)) throw new Error('It was priced')
      return { message: failure.message, limitedBy: failure.data?.['limitedBy'] }
    }
    const swapSources = { origin: allSources, destination: v3Only }
    expect([
      failureOf({ maxRouteLength: 2 }),
      failureOf({ swapSources }),
      failureOf({ maxRouteLength: 1, swapSources }),
      failureOf({
        origin: currencyOf(originChain, 'WETH'),
        tradeType: 'EXACT_OUTPUT',
        amount: toAmount(22n * 10n ** 12n),
        swapSources,
      }),
    ]).toMatchInlineSnapshot(`
      [
        {
          "limitedBy": [
            "maxRouteLength",
          ],
          "message": "No swap route found (origin leg: chain 990001, LONG to USDT): no pools connect the two within 2 hops. A route exists without maxRouteLength.",
        },
        {
          "limitedBy": [
            "the lists of swap sources",
          ],
          "message": "No swap route found (origin leg: chain 990001, LONG to USDT): no pools connect the two within 4 hops through the included swap sources. A route exists without the lists of swap sources.",
        },
        {
          "limitedBy": [
            "maxRouteLength",
            "the lists of swap sources",
          ],
          "message": "No swap route found (origin leg: chain 990001, LONG to USDT): no pools connect the two within 1 hop through the included swap sources. A route exists without maxRouteLength and the lists of swap sources.",
        },
        {
          "limitedBy": undefined,
          "message": "No swap route found (origin leg: chain 990001, WETH to USDT): the pools are too shallow for 22000000.0 USDT; the largest amount that works is about 6316328.512629 USDT.",
        },
      ]
    `)
  })
})
