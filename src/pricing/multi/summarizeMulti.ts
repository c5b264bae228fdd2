import { summarizeMultiFees } from '#src/pricing/fees/feeSummary.ts'
import { netPayout, totalGrossPayout } from '#src/pricing/fees/multiRelayFees.ts'
import { payoutFor } from '#src/pricing/fees/shares.ts'
import { OutputTooLowError } from '#src/pricing/leg/outputTooLowError.ts'
import type { ChainMarket, Market } from '#src/pricing/market.ts'
import type { MultiOrder, Origin } from '#src/pricing/multiOrder.ts'
import type { MultiPrice } from '#src/pricing/multiPrice.ts'
import type { CurrencyAmount, Funding, Operation, Slippage } from '#src/pricing/price.ts'
import { currencyAmount } from '#src/pricing/summary/currencyAmount.ts'
import { impactsOf } from '#src/pricing/summary/impact.ts'
import { operationOf } from '#src/pricing/summary/operation.ts'
import { rateOf } from '#src/pricing/summary/rate.ts'
import { automaticSlippage } from '#src/pricing/summary/slippage.ts'
import { blockOf, legOf, secondsAcross, slippageIn } from '#src/pricing/summary/summary.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { type Bps, toBps, wholeBps } from '#src/units/bps.ts'
import { toUsd, usdValueDown } from '#src/units/usd.ts'
import type { OriginSwap } from './bridgeOrigin.ts'
import type { MultiBridge } from './multiBridge.ts'
import type { MultiCrossing } from './multiCrossing.ts'
import { createOriginValue } from './originValue.ts'

/** The price of a multi-input order: `MultiPrice` says whose currencies it is in. */
export function summarizeMulti(
  order: MultiOrder,
  market: Market,
  crossing: MultiCrossing,
): MultiPrice {
  const { bridge, origins, destinationLeg } = crossing
  const { user, recipient, destination } = order
  const { market: chain } = bridge.task
  const { amountOut } = destinationLeg
  const slippageBps = toleranceOf(order, crossing)
  const slippage = slippageIn(chain, destination, amountOut, slippageBps)
  const fundings = fundingsOf(order, origins, slippageBps)
  const worthOf = createOriginValue(order, market, crossing)
  const currencyIn = paidIn(chain, destination, fundings, worthIn(order, origins, worthOf))
  const least = toAmount(amountOut - slippage.value)
  const currencyOut = currencyAmount(chain, destination, amountOut, least)
  const spent = currencyAmount(chain, bridge.payout, destinationLeg.amountIn)
  const fees = summarizeMultiFees(order, market, chain, bridge.payout, crossing.fees, origins)
  const breakdown = breakdownOf(crossing, amountOut)
  return {
    order,
    operation: operationOfAll(order, market, origins),
    sender: user,
    recipient,
    currencyIn,
    currencyOut,
    fees,
    ...impactsOf(currencyIn, currencyOut, fees),
    rate: rateOf(sideOf(currencyIn), sideOf(currencyOut)),
    slippageBps,
    slippageTolerance: {
      origin: originSlippage(bridge, origins, fundings),
      destination: slippage,
    },
    timeEstimate: breakdown.at(-1)?.timeEstimate ?? 0,
    breakdown,
    fundings,
    destination: legOf(destinationLeg, spent, currencyOut),
    blocks: blocksOf(chain, origins),
    worthOf,
  }
}

/** An exact output has none, as for one deposit; else what the leg that needs the most does. */
function toleranceOf(order: MultiOrder, { origins, destinationLeg }: MultiCrossing): Bps {
  if (order.output !== undefined) return toBps(0n)
  if (order.slippageTolerance !== undefined) return order.slippageTolerance
  const tolerances = origins.map(({ leg }) => automaticSlippage([leg, destinationLeg], true))
  return tolerances.sort((one, other) => Number(other - one))[0] ?? toBps(0n)
}

function fundingsOf(
  order: MultiOrder,
  origins: readonly OriginSwap[],
  bps: Bps,
): MultiPrice['fundings'] {
  const [first, ...others] = origins.map((each, place) =>
    fundingOf(each, bps, isLimited(order, place, origins)),
  )
  if (first === undefined) throw new Error('Nobody pays in')
  return [first, ...others]
}

/**
 * Of an exact output, the last pays in just what is missing, and all before it swap all that they pay in: so they
 * leave the pools as the next was priced on, to the unit.
 */
const isLimited = (order: MultiOrder, place: number, origins: readonly OriginSwap[]): boolean =>
  order.output !== undefined && place === origins.length - 1

function fundingOf(swapped: OriginSwap, bps: Bps, isLimited: boolean): Funding {
  const { origin, leg } = swapped
  const { market, deposit } = origin
  const slippage = slippageIn(market, deposit, leg.amountOut, leg.route ? bps : toBps(0n))
  const least = toAmount(leg.amountOut - slippage.value)
  return {
    user: origin.user,
    refundTo: origin.refundTo,
    leg: legOf(
      leg,
      currencyAmount(market, origin.currency, leg.amountIn),
      currencyAmount(market, deposit, leg.amountOut, least),
    ),
    tradeType: isLimited ? 'EXACT_OUTPUT' : 'EXACT_INPUT',
    explicitDeposit: true,
    payoutAmount: netPayout(swapped),
  }
}

/** @throws OutputTooLowError where it is not a single unit. */
function worthIn(
  order: MultiOrder,
  origins: readonly OriginSwap[],
  worthOf: MultiPrice['worthOf'],
): Amount {
  const worths = origins.map(({ origin, leg }) =>
    worthOf(order.origins[origin.index] as Origin, leg.amountIn),
  )
  const worth = worths.reduce((sum, each) => sum + each, 0n)
  if (worth === 0n) throw new OutputTooLowError(order.destination)
  return toAmount(worth)
}

/** In US dollars it is what each origin is worth by its own price. */
function paidIn(
  chain: ChainMarket,
  destination: MultiOrder['destination'],
  fundings: readonly Funding[],
  amount: Amount,
): CurrencyAmount {
  const usd = fundings.reduce<bigint | undefined>((sum, { leg: { input } }) => {
    return sum === undefined || input.usd === undefined ? undefined : sum + input.usd
  }, 0n)
  const worth = usd === undefined ? undefined : toUsd(usd)
  return { ...currencyAmount(chain, destination, amount), usd: worth }
}

/** What the deposits may fall short by, in the payout currency: each rounded down. */
function originSlippage(
  { payout, payoutPrice }: MultiBridge,
  origins: readonly OriginSwap[],
  fundings: readonly Funding[],
): Slippage {
  const value = toAmount(
    fundings.reduce((sum, { leg: { output } }) => {
      const short = toAmount(output.amount - output.minimumAmount)
      return sum + payoutFor({ deposit: output.currency, payout }, short)
    }, 0n),
  )
  const total = totalGrossPayout(origins)
  return {
    value,
    usd: usdValueDown(value, payout.decimals, payoutPrice),
    percentHundredths: (value * wholeBps) / total,
  }
}

/** What all of them do; of several things, what is the most. */
function operationOfAll(
  { destination }: MultiOrder,
  market: Market,
  origins: readonly OriginSwap[],
): Operation {
  const chain = market.chains.get(destination.chainId) as ChainMarket
  const operations = new Set(
    origins.map(({ origin }) =>
      operationOf({ origin: origin.currency, destination }, market, {
        origin: origin.market,
        destination: chain,
      }),
    ),
  )
  const [only, ...others] = operations
  if (only !== undefined && others.length === 0) return only
  return operations.has('swap') ? 'swap' : 'bridge'
}

function blocksOf(chain: ChainMarket, origins: readonly OriginSwap[]): MultiPrice['blocks'] {
  const [first, ...others] = new Set([...origins.map(({ origin }) => origin.market), chain])
  return [blockOf(first ?? chain), ...others.map(blockOf)]
}

const sideOf = ({ amount, currency: { decimals } }: CurrencyAmount) => ({ amount, decimals })

/**
 * Splits the output by the arrival time of the deposits that pay for it: in proportion to their net payouts, rounded
 * down. The last arrival gets the remainder.
 */
function breakdownOf({ bridge, origins }: MultiCrossing, output: Amount): MultiPrice['breakdown'] {
  const { market: destination } = bridge.task
  const netBySeconds = new Map<number, bigint>()
  for (const each of origins) {
    const seconds = secondsAcross({ origin: each.origin.market, destination })
    netBySeconds.set(seconds, (netBySeconds.get(seconds) ?? 0n) + netPayout(each))
  }
  const arrivals = [...netBySeconds].toSorted(([one], [other]) => one - other)
  const total = arrivals.reduce((sum, [, net]) => sum + net, 0n)
  let given = 0n
  return arrivals.map(([timeEstimate, net], at) => {
    const isLast = at === arrivals.length - 1
    const value = isLast ? output - given : (output * net) / total
    given += value
    return { value: toAmount(value), timeEstimate }
  })
}
