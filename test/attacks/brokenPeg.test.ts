import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { areEqualPrices } from '#src/core/pricing/crossChain/peg.ts'
import type { ChainMarket, Market } from '#src/core/pricing/market.ts'
import { priceMulti } from '#src/core/pricing/priceMulti.ts'
import type { Account } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { formatUsd, toUsd, toUsdPrice, type UsdPrice } from '#src/core/units/usd.ts'
import { planFill } from '#src/solver/fills/planFill.ts'
import {
  account,
  currencyOf,
  destinationChain,
  market,
  originChain,
  thirdChain,
  wideMarket,
} from '#test/support/fixtures/markets.ts'
import { depositFor, fillCaseOf, requestOf } from '#test/support/orders/fillCase.ts'
import { attempt, example, withChain } from '#test/support/orders/orders.ts'

const dollar = 10n ** 18n
const usdcTo = {
  ...example(),
  amount: toAmount(500_000_000n),
  destination: currencyOf(destinationChain, 'USDC'),
}

/** The market with a feed of USDC on one chain at this price; without a price if it is undefined. */
function usdcAt(price: bigint | undefined, chainId: ChainId = originChain): Market {
  const chain = market.chains.get(chainId)
  if (chain === undefined) throw new Error('No chain')
  const { address } = currencyOf(chainId, 'USDC')
  const changed = (prices: ReadonlyMap<Account, UsdPrice>) => {
    const others = new Map(prices)
    others.delete(address)
    return price === undefined ? others : others.set(address, toUsdPrice(price))
  }
  const usdPrices = changed(chain.usdPrices)
  const changes = { usdPrices, feedPrices: usdPrices }
  // Over other assets the pools would exchange the currency at their own price, which is no loss of the solver.
  const assets = market.assets.filter(({ symbol }) => symbol === 'USDC')
  return {
    ...market,
    assets,
    chains: new Map(market.chains).set(chainId, { ...chain, ...changes }),
  }
}

/** What the solver loses, in US dollars of the destination chain, if it pays `out` for a deposit at `price`. */
const said = (paid: bigint, out: bigint) =>
  `A deposit of $${formatUsd(toUsd(paid))} was paid with $${formatUsd(toUsd(out))}`

it('a deposit of a failed bridged currency is not quoted at the value of another chain', () => {
  const quoted = attempt(usdcTo, usdcAt(dollar / 10n))
  const out = quoted instanceof AppError ? 0n : quoted.currencyOut.amount
  expect(out, said(50_000_000n, out)).toBeLessThanOrEqual(50_000_000n)
})

it('a deposit whose currency has failed since its quote is not filled', () => {
  const quoted = attempt(usdcTo)
  if (quoted instanceof AppError) throw quoted
  const request = requestOf(quoted)
  const plan = planFill(fillCaseOf(request, [depositFor(request)], usdcAt(dollar / 10n)))
  const out = plan.kind === 'fill' ? plan.leg.amountOut : 0n
  expect(out, said(50_000_000n, out)).toBeLessThanOrEqual(50_000_000n)
})

it('a payout worth more or less than the deposit is refused by quotes and waits at fills, beyond the tolerance', () => {
  const quoted = attempt(usdcTo)
  if (quoted instanceof AppError) throw quoted
  const request = requestOf(quoted)
  const kindOn = (current: Market) =>
    planFill(fillCaseOf(request, [depositFor(request)], current)).kind
  for (const chainId of [originChain, destinationChain]) {
    for (const price of [(990n * dollar) / 1_000n, (1_010n * dollar) / 1_000n]) {
      expect(attempt(usdcTo, usdcAt(price, chainId))).not.toBeInstanceOf(AppError)
      expect(kindOn(usdcAt(price, chainId))).toBe('fill')
    }
    for (const price of [(989n * dollar) / 1_000n, (1_011n * dollar) / 1_000n, 2n * dollar]) {
      expect(attempt(usdcTo, usdcAt(price, chainId))).toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        data: { asset: 'USDC', peg: 'broken' },
      })
      expect(kindOn(usdcAt(price, chainId))).toBe('wait')
    }
    expect(attempt(usdcTo, usdcAt(undefined, chainId))).toMatchObject({
      code: 'PRICE_FETCH_FAILED',
    })
    expect(kindOn(usdcAt(undefined, chainId))).toBe('wait')
  }
})

it('a stopped asset is neither taken nor paid out, and its deposits are refunded', () => {
  const quoted = attempt(usdcTo)
  if (quoted instanceof AppError) throw quoted
  const request = requestOf(quoted)
  for (const chainId of [originChain, destinationChain]) {
    const stopped = withChain(chainId, { stoppedAssets: new Set(['USDC']) })
    const only = { ...stopped, assets: market.assets.filter(({ symbol }) => symbol === 'USDC') }
    expect(attempt(usdcTo, only)).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      data: { asset: 'USDC', peg: 'stopped' },
    })
    expect(planFill(fillCaseOf(request, [depositFor(request)], stopped))).toEqual({
      kind: 'refund',
      reason: 'NO_QUOTES',
    })
  }
})

it('an order with several inputs needs the peg of each of its chains', () => {
  const inputOn = (chainId: ChainId) => ({
    user: account('1'),
    refundTo: account('1'),
    currency: currencyOf(chainId, 'USDC'),
    amount: toAmount(500_000_000n),
  })
  const order = {
    user: account('1'),
    recipient: account('1'),
    originGasOverhead: 0n,
    txs: [],
    origins: [inputOn(originChain), inputOn(thirdChain)],
    destination: currencyOf(destinationChain, 'USDC'),
  }
  const { chains } = usdcAt(dollar / 10n)
  const broken = {
    ...wideMarket,
    assets: wideMarket.assets.filter(({ symbol }) => symbol === 'USDC'),
    chains: new Map(wideMarket.chains).set(originChain, chains.get(originChain) as ChainMarket),
  }
  expect(priceMulti(order, wideMarket).currencyOut.amount).toBeGreaterThan(0n)
  expect(() => priceMulti(order, broken)).toThrow(
    expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }),
  )
})

it('prices agree within the tolerance regardless of their order', () => {
  const price = fc.bigInt(1n, 10n ** 24n).map(toUsdPrice)
  fc.assert(
    fc.property(price, price, fc.bigInt(0n, 10_000n).map(toBps), (one, other, tolerance) => {
      const areEqual = areEqualPrices(one, other, tolerance)
      expect(areEqualPrices(other, one, tolerance)).toBe(areEqual)
      expect(areEqualPrices(one, one, tolerance)).toBe(true)
      const [low, high] = one < other ? [one, other] : [other, one]
      expect(areEqual).toBe((high - low) * 10_000n <= tolerance * high)
    }),
  )
})
