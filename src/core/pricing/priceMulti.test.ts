import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import type { Account } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { wideMarket } from '#test/support/fixtures/markets.ts'
import { multiOrders } from '#test/support/orders/multiOrders.ts'
import { plain } from '#test/support/orders/orders.ts'
import { runs } from '#test/support/runs.ts'
import { payoutFor } from './conversion.ts'
import { marketAfterSwaps } from './leg/swapSequence.ts'
import type { Market } from './market.ts'
import type { MultiOrder, Order, Origin } from './order.ts'
import type { Leg, MultiPrice, Price } from './price.ts'
import { priceMulti } from './priceMulti.ts'
import { priceSwap } from './priceSwap.ts'

/** A price without its order and its function. */
const essence = ({ order: _, originValueOf: __, ...price }: MultiPrice) => price

/**
 * The largest exact output of all origins. It may be above their output as inputs: those that cost more than they bring
 * can be left out.
 */
function largestOutput(order: MultiOrder): bigint {
  let output = priceMulti(order, wideMarket).currencyOut.amount
  for (;;) {
    output = toAmount(2n * output)
    try {
      priceMulti({ ...order, output }, wideMarket)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return BigInt(String(error.data?.['maxAmount']))
    }
  }
}

/** The same order for an exact output: a percentage of the largest one. */
const forShare = (order: MultiOrder, percent: number): MultiOrder => ({
  ...order,
  output: toAmount((largestOutput(order) * BigInt(percent) + 99n) / 100n),
})

const shares = fc.integer({ min: 1, max: 95 })

/** Orders in both modes: for all of the origins, and for an exact output. */
const eitherMode = (max: number): fc.Arbitrary<MultiOrder> =>
  fc
    .tuple(multiOrders(max), fc.option(shares, { nil: undefined }))
    .map(([order, percent]) => (percent === undefined ? order : forShare(order, percent)))

describe('priceMulti', () => {
  it('uses each origin whole or up to its maximum, and gives an exact output to the unit', () => {
    fc.assert(
      fc.property(eitherMode(6), (order) => {
        const { pricedOrigins, currencyOut } = priceMulti(order, wideMarket)
        const amounts = new Map(order.origins.map((each) => [keyOf(each), each.amount]))
        expect(new Set(pricedOrigins.map(originKey)).size).toBe(pricedOrigins.length)
        for (const origin of pricedOrigins) {
          const max = amounts.get(originKey(origin)) ?? 0n
          const { amount } = origin.leg.input
          if (order.output === undefined) expect(amount).toBe(max)
          else expect(amount <= max && amount > 0n).toBe(true)
        }
        if (order.output === undefined) expect(pricedOrigins).toHaveLength(order.origins.length)
        else
          expect(currencyOut).toMatchObject({ amount: order.output, minimumAmount: order.output })
      }),
      { numRuns: runs(100, 50) },
    )
  })

  it('does not depend on the order of the origins', () => {
    const shuffled = eitherMode(6).chain((order) =>
      fc.tuple(
        fc.constant(order),
        fc.shuffledSubarray([...order.origins], { minLength: order.origins.length }),
      ),
    )
    fc.assert(
      fc.property(shuffled, ([order, origins]) => {
        const price = priceMulti({ ...order, origins }, wideMarket)
        expect(essence(price)).toEqual(essence(priceMulti(order, wideMarket)))
      }),
      { numRuns: runs(60, 30) },
    )
  })

  it('spends all deposits less the relayer fees, to the unit', () => {
    fc.assert(
      fc.property(eitherMode(6), (order) => {
        const { pricedOrigins, fees, destination, currencyIn, currencyOut, ...rest } = priceMulti(
          order,
          wideMarket,
        )
        const { currency: payout } = destination.input
        const paid = pricedOrigins.map(({ leg: { output } }) =>
          payoutFor({ deposit: output.currency, payout }, output.amount),
        )
        expect(sum(paid)).toBe(destination.input.amount + fees.relayer.amount)
        expect(fees.relayer.amount).toBe(fees.relayerGas.amount + fees.relayerService.amount)
        // A missing deposit never reduces the spend by more than it pays for.
        expect(
          pricedOrigins.every(({ payoutAmount }, at) => payoutAmount <= (paid[at] ?? 0n)),
        ).toBe(true)
        expect(sum(rest.breakdown.map(({ value }) => value))).toBe(currencyOut.amount)
        expect(rest.breakdown.at(-1)?.timeEstimate).toBe(rest.timeEstimate)
        expect(rest.totalImpact?.usd).toBe((currencyOut.usd ?? 0n) - (currencyIn.usd ?? 0n))
        expect(currencyIn.usd).toBe(sum(pricedOrigins.map(({ leg }) => leg.input.usd ?? 0n)))
      }),
      { numRuns: runs(100, 50) },
    )
  })

  it.each([
    ['by the fees that are saved', wideMarket],
    ['even where no fee is fixed', withoutFixedFees(wideMarket)],
  ])('gives no less than separate quotes over the same asset, %s', (_, market) => {
    fc.assert(
      fc.property(multiOrders(5), (order) => {
        const together = priceMulti(order, market)
        const apart = separately(together, withAsset(market, together))
        // Splitting a route ends where it gains less than a ten-millionth of the output.
        const tolerance = apart / 10_000_000n
        expect(together.currencyOut.amount).toBeGreaterThanOrEqual(apart - tolerance)
      }),
      { numRuns: runs(100, 50) },
    )
  })
})

const keyOf = ({ user, currency }: Pick<Origin, 'user' | 'currency'>): string =>
  `${currency.chainId} ${currency.address} ${user}`

const originKey = ({ user, leg }: Readonly<{ user: Account; leg: Leg }>): string =>
  keyOf({ user, currency: leg.input.currency })

const sum = (amounts: readonly bigint[]): bigint =>
  amounts.reduce((total, amount) => total + amount, 0n)

function withoutFixedFees(market: Market): Market {
  const feeSchedule = { ...market.feeSchedule, flat: toUsd(0n) }
  const chains = [...market.chains].map(([id, chain]) => {
    const gas = { ...chain.gas, baseFeePerGas: 0n, priorityFeePerGas: 0n }
    return [id, { ...chain, gas }] as const
  })
  return { ...market, feeSchedule, chains: new Map(chains) }
}

/** The market with only the asset pair of a price. */
function withAsset(market: Market, { destination }: MultiPrice): Market {
  const { chainId, address } = destination.input.currency
  const assets = market.assets.filter(
    ({ currencies }) => currencies.get(chainId)?.address === address,
  )
  return { ...market, assets }
}

/** The output of separate quotes for the same origins, each on the pools after the quotes before it. */
function separately({ order, pricedOrigins }: MultiPrice, market: Market): bigint {
  let current = market
  let output = 0n
  for (const { user, leg } of pricedOrigins) {
    const alone = attempt(
      {
        ...plain,
        user,
        recipient: order.recipient,
        refundTo: user,
        origin: leg.input.currency,
        destination: order.destination,
        amount: leg.input.amount,
        tradeType: 'EXACT_INPUT',
        forceSolverExecution: true,
        originGasOverhead: order.originGasOverhead,
      },
      current,
    )
    if (alone === undefined) continue
    output += alone.currencyOut.amount
    current = after(current, alone)
  }
  return output
}

function attempt(order: Order, market: Market): Price | undefined {
  try {
    return priceSwap(order, market)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return undefined
  }
}

function after(market: Market, { origin, destination }: Price): Market {
  const legOf = ({ input, output, route }: Leg) => ({
    input: input.currency.address,
    output: output.currency.address,
    amountIn: input.amount,
    amountOut: output.amount,
    route,
    wraps: false,
    unwraps: false,
  })
  const once = marketAfterSwaps(market, origin.input.currency.chainId, [legOf(origin)])
  return marketAfterSwaps(once, destination.input.currency.chainId, [legOf(destination)])
}
