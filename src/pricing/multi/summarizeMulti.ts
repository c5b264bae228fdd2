import { OutputTooLowError } from '#src/pricing/failures.ts'
import { multiFees } from '#src/pricing/fees/multiFeeSummary.ts'
import { type Gathered, keptOf, totalOf } from '#src/pricing/fees/multiRelayFees.ts'
import { payoutFor } from '#src/pricing/fees/relayFees.ts'
import type { ChainMarket, Market } from '#src/pricing/market.ts'
import type { MultiOrder } from '#src/pricing/multiOrder.ts'
import type { MultiPrice } from '#src/pricing/multiPrice.ts'
import type { CurrencyAmount, Funding, Operation, Slippage } from '#src/pricing/price.ts'
import { currencyAmount } from '#src/pricing/summary/currencyAmount.ts'
import { impactsOf } from '#src/pricing/summary/impact.ts'
import { operationOf } from '#src/pricing/summary/operation.ts'
import { rateOf } from '#src/pricing/summary/rate.ts'
import { automaticSlippage } from '#src/pricing/summary/slippage.ts'
import { blockOf, legOf, slippageIn } from '#src/pricing/summary/summary.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { type Bps, toBps, wholeBps } from '#src/units/bps.ts'
import { toUsd, usdOf } from '#src/units/usd.ts'
import { breakdownOf } from './breakdown.ts'
import type { MultiBridge } from './multiBridge.ts'
import type { MultiCrossing } from './multiCrossing.ts'
import { createWorth } from './originValue.ts'

/** The price of a multi-input order: `MultiPrice` says whose currencies it is in. */
export function summarizeMulti(
  order: MultiOrder,
  market: Market,
  crossing: MultiCrossing,
): MultiPrice {
  const { bridge, gathered, destinationLeg } = crossing
  const { user, recipient, destination } = order
  const { market: chain } = bridge.task
  const { amountOut } = destinationLeg
  const slippageBps = toleranceOf(order, crossing)
  const slippage = slippageIn(chain, destination, amountOut, slippageBps)
  const fundings = fundingsOf(order, gathered, slippageBps)
  const worthOf = createWorth(destination, market, crossing)
  const currencyIn = paidIn(chain, destination, fundings, worthIn(order, gathered, worthOf))
  const least = toAmount(amountOut - slippage.value)
  const currencyOut = currencyAmount(chain, destination, amountOut, least)
  const spent = currencyAmount(chain, bridge.payout, destinationLeg.amountIn)
  const fees = multiFees(order, market, crossing)
  const breakdown = breakdownOf(crossing, amountOut)
  return {
    order,
    operation: operationOfAll(order, market, gathered),
    sender: user,
    recipient,
    currencyIn,
    currencyOut,
    fees,
    ...impactsOf(currencyIn, currencyOut, fees),
    rate: rateOf(sideOf(currencyIn), sideOf(currencyOut)),
    slippageBps,
    slippageTolerance: {
      origin: originSlippage(bridge, gathered, fundings),
      destination: slippage,
    },
    timeEstimate: breakdown.at(-1)?.timeEstimate ?? 0,
    breakdown,
    fundings,
    destination: legOf(destinationLeg, spent, currencyOut),
    blocks: blocksOf(chain, gathered),
    worthOf,
  }
}

/** An exact output has none, as for one deposit; else what the leg that needs the most does. */
function toleranceOf(order: MultiOrder, { gathered, destinationLeg }: MultiCrossing): Bps {
  if (order.output !== undefined) return toBps(0n)
  if (order.slippageTolerance !== undefined) return order.slippageTolerance
  const tolerances = gathered.map(({ leg }) => automaticSlippage([leg, destinationLeg], true))
  return tolerances.sort((one, other) => Number(other - one))[0] ?? toBps(0n)
}

function fundingsOf(
  order: MultiOrder,
  gathered: readonly Gathered[],
  bps: Bps,
): MultiPrice['fundings'] {
  const [first, ...others] = gathered.map((each, place) =>
    fundingOf(each, bps, isLimited(order, place, gathered)),
  )
  if (first === undefined) throw new Error('Nobody pays in')
  return [first, ...others]
}

/**
 * Of an exact output, the last pays in just what is missing, and all before it swap all that they pay in: so they
 * leave the pools as the next was priced on, to the unit.
 */
const isLimited = (order: MultiOrder, place: number, gathered: readonly Gathered[]): boolean =>
  order.output !== undefined && place === gathered.length - 1

function fundingOf(gathered: Gathered, bps: Bps, isLimited: boolean): Funding {
  const { source, leg } = gathered
  const { market, origin, deposit } = source
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
    payoutAmount: keptOf(gathered),
  }
}

/** @throws OutputTooLowError where it is not a single unit. */
function worthIn(
  { destination }: MultiOrder,
  gathered: readonly Gathered[],
  worthOf: MultiPrice['worthOf'],
): Amount {
  const worths = gathered.map(({ source, leg }) => worthOf(source.origin, leg.amountIn))
  const worth = worths.reduce((sum, each) => sum + each, 0n)
  if (worth === 0n) throw new OutputTooLowError(destination)
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
  gathered: readonly Gathered[],
  fundings: readonly Funding[],
): Slippage {
  const value = toAmount(
    fundings.reduce((sum, { leg: { output } }) => {
      const short = toAmount(output.amount - output.minimumAmount)
      return sum + payoutFor({ deposit: output.currency, payout }, short)
    }, 0n),
  )
  const total = totalOf(gathered)
  return {
    value,
    usd: usdOf(value, payout.decimals, payoutPrice),
    percentHundredths: (value * wholeBps) / total,
  }
}

/** What all of them do; of several things, what is the most. */
function operationOfAll(
  { destination }: MultiOrder,
  market: Market,
  gathered: readonly Gathered[],
): Operation {
  const chain = market.chains.get(destination.chainId) as ChainMarket
  const operations = new Set(
    gathered.map(({ source }) =>
      operationOf({ origin: source.origin.currency, destination }, market, {
        origin: source.market,
        destination: chain,
      }),
    ),
  )
  const [only, ...others] = operations
  if (only !== undefined && others.length === 0) return only
  return operations.has('swap') ? 'swap' : 'bridge'
}

function blocksOf(chain: ChainMarket, gathered: readonly Gathered[]): MultiPrice['blocks'] {
  const [first, ...others] = new Set([...gathered.map(({ source }) => source.market), chain])
  return [blockOf(first ?? chain), ...others.map(blockOf)]
}

const sideOf = ({ amount, currency: { decimals } }: CurrencyAmount) => ({ amount, decimals })
