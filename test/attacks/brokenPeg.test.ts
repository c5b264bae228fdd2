import { expect, it } from 'vitest'
import { AppError } from '#src/errors.ts'
import type { Market } from '#src/pricing/market.ts'
import { planFill } from '#src/solver/fills/planFill.ts'
import { toAmount } from '#src/units/amount.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { formatUsd, toUsd, toUsdPrice, type UsdPrice } from '#src/units/usd.ts'
import {
  currencyOf,
  destinationChain,
  market,
  originChain,
} from '#test/support/fixtures/markets.ts'
import { depositFor, fillCaseOf, requestOf } from '#test/support/orders/fillCase.ts'
import { attempt, example } from '#test/support/orders/orders.ts'

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
  const changed = (prices: ReadonlyMap<typeof address, UsdPrice>) => {
    const others = new Map(prices)
    others.delete(address)
    return price === undefined ? others : others.set(address, toUsdPrice(price))
  }
  const usdPrices = changed(chain.usdPrices)
  const changes = { usdPrices, feedPrices: usdPrices }
  return { ...market, chains: new Map(market.chains).set(chainId, { ...chain, ...changes }) }
}

/** What the solver loses, in US dollars of the destination chain, if it pays `out` for a deposit at `price`. */
const said = (paid: bigint, out: bigint) =>
  `A deposit of $${formatUsd(toUsd(paid))} was paid with $${formatUsd(toUsd(out))}`

it.fails('a deposit of a failed bridged currency is not quoted at the value of another chain', () => {
  const quoted = attempt(usdcTo, usdcAt(dollar / 10n))
  const out = quoted instanceof AppError ? 0n : quoted.currencyOut.amount
  expect(out, said(50_000_000n, out)).toBeLessThanOrEqual(50_000_000n)
})

it.fails('a deposit whose currency has failed since its quote is not filled', () => {
  const quoted = attempt(usdcTo)
  if (quoted instanceof AppError) throw quoted
  const request = requestOf(quoted)
  const plan = planFill(fillCaseOf(request, [depositFor(request)], usdcAt(dollar / 10n)))
  const out = plan.kind === 'fill' ? plan.leg.amountOut : 0n
  expect(out, said(50_000_000n, out)).toBeLessThanOrEqual(50_000_000n)
})
