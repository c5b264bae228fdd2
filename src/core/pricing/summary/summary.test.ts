import { describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { priceSwap } from '#src/core/pricing/priceSwap.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { type Amount, formatAmount, toAmount } from '#src/core/units/amount.ts'
import { toUsd, usdValueDown } from '#src/core/units/usd.ts'
import {
  currencyOf,
  destinationChain,
  market,
  originChain,
} from '#test/support/fixtures/markets.ts'
import { attempt, example, other, priceOf, withChain } from '#test/support/orders/orders.ts'
import { impactOf, rateOf } from './summary.ts'

describe('the parts of a price', () => {
  it('operations by name', () => {
    const named = (change: Partial<Order>) => {
      const price = attempt({ ...example(), amount: toAmount(10n ** 12n), ...change })
      return price instanceof AppError ? price.message : price.operation
    }
    const [eth, weth, usdc] = (['ETH', 'WETH', 'USDC'] as const).map((symbol) =>
      currencyOf(originChain, symbol),
    ) as [Order['origin'], Order['origin'], Order['origin']]
    const amount = toAmount(10n ** 17n)
    expect({
      send: named({ origin: eth, destination: eth, recipient: other, amount }),
      wrap: named({ origin: eth, destination: weth, amount }),
      unwrap: named({ origin: weth, destination: eth, amount }),
      swap: named({ origin: eth, destination: usdc, amount }),
      bridge: named({ origin: weth, destination: currencyOf(destinationChain, 'ETH'), amount }),
      'cross-chain swap': named({ origin: eth, amount }),
    }).toMatchInlineSnapshot(`
      {
        "bridge": "bridge",
        "cross-chain swap": "swap",
        "send": "send",
        "swap": "swap",
        "unwrap": "unwrap",
        "wrap": "wrap",
      }
    `)
  })

  it('a whole cross-chain price', () => {
    const price = priceSwap(
      { ...example(), destination: currencyOf(destinationChain, 'LONG') },
      market,
    )
    const brief = (amount: { amount: Amount; currency: { symbol: string; decimals: number } }) =>
      `${formatAmount(amount.amount, amount.currency.decimals)} ${amount.currency.symbol}`
    expect({
      in: brief(price.currencyIn),
      out: brief(price.currencyOut),
      fees: Object.fromEntries(Object.entries(price.fees).map(([key, fee]) => [key, brief(fee)])),
      rate: price.rate,
      slippageBps: price.slippageBps,
      totalImpact: price.totalImpact,
      timeEstimate: price.timeEstimate,
      via: [price.origin.router, brief(price.origin.output), price.destination.router],
    }).toMatchInlineSnapshot(`
      {
        "fees": {
          "app": "0.0 USDC",
          "gas": "0.0006456672 ETH",
          "relayer": "1.467564 USDC",
          "relayerGas": "0.835864 USDC",
          "relayerService": "0.6317 USDC",
          "subsidized": "0.0 USDC",
        },
        "in": "100.0 USDC",
        "out": "392.768140576277591611 LONG",
        "rate": "3.927681405762775916",
        "slippageBps": 118n,
        "timeEstimate": 6,
        "totalImpact": {
          "percentHundredths": -181n,
          "usd": -1807965n,
        },
        "via": [
          "relay",
          "100.0 USDC",
          "crossquote",
        ],
      }
    `)
  })

  it('USD figures are absent without a price', () => {
    const long = currencyOf(originChain, 'LONG')
    const usdPrices = new Map(market.chains.get(originChain)?.usdPrices)
    usdPrices.delete(long.address)
    const order = { ...example(), origin: long, amount: toAmount(10n ** 21n) }
    const price = priceSwap(order, withChain(originChain, { usdPrices }))
    expect([price.currencyIn.usd, price.totalImpact, price.swapImpact]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(price.currencyOut.usd).toBeGreaterThan(0n)
  })

  it('rates have 18 significant digits at most and round down', () => {
    const side = (amount: bigint, decimals: number) => ({ amount: toAmount(amount), decimals })
    expect([
      rateOf(side(100_000_000n, 6), side(99_950_900n, 6)),
      rateOf(side(3n, 0), side(1n, 0)),
      rateOf(side(1n, 18), side(1n, 0)),
      rateOf(side(10n ** 18n, 18), side(1n, 18)),
    ]).toEqual(['0.999509', '0.333333333333333333', '1000000000000000000', '0.000000000000000001'])
  })

  it('impacts round to the nearest hundredth of a percent, halves away from zero', () => {
    expect(impactOf(-49_092n, toUsd(99_983_200n)).percentHundredths).toBe(-5n)
    expect(impactOf(50n, toUsd(1_000_000n)).percentHundredths).toBe(1n)
    expect(impactOf(-50n, toUsd(1_000_000n)).percentHundredths).toBe(-1n)
    expect(impactOf(1n, toUsd(0n)).percentHundredths).toBe(0n)
  })

  it('gas has the USD price of the native currency', () => {
    const { fees } = priceSwap(example(), market)
    const price = priceOf(market.chains.get(originChain), nativeAddress)
    expect(fees.gas.usd).toBe(usdValueDown(fees.gas.amount, 18, price))
  })
})
