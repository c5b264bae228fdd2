import type { ChainMarket } from '#src/pricing/market.ts'
import { requireUsdQuoted, usdQuoted } from '#src/pricing/usdConversion.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { Address } from '#src/units/address.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { wholeBps } from '#src/units/bps.ts'
import type { Currency } from '#src/units/currency.ts'
import { mulDivDown } from '#src/units/mulDiv.ts'
import { amountForUsdDown, convertUp, usdValueDown } from '#src/units/usd.ts'
import { type Budget, withDifferences } from './payoutBudget.ts'

type CostCase = Pick<
  SolverRequest,
  'subsidizedUsd' | 'fill' | 'order' | 'amountOut' | 'minimumAmountOut'
>

/** The currency whose price the costs of a fill lack, if one does: without it they have no bound. */
export function unpricedCurrency(
  { subsidizedUsd, fill: { topupUsd } }: CostCase,
  payout: Currency,
  market: ChainMarket,
): Address | undefined {
  const needed = [
    ...(subsidizedUsd > 0n || topupUsd !== undefined ? [market.chain.native] : []),
    ...(isWei(payout, market) ? [] : [market.chain.native, payout]),
  ]
  return needed.find((each) => usdQuoted(market, each) === undefined)?.address
}

/**
 * The gas top-up of the order, in wei, rounded down: what its value in US dollars is worth now. It never exceeds the
 * quoted amount, so that no change of the price makes it an option. 0 without one.
 * @throws NoPriceError without a price of the native currency
 */
export function topupOf({ order, fill: { topupUsd } }: CostCase, market: ChainMarket): Amount {
  const quoted = toAmount(order.output.payments[1]?.expectedAmount ?? 0n)
  if (topupUsd === undefined) return quoted
  const { decimals, price } = requireUsdQuoted(market, market.chain.native)
  const worth = amountForUsdDown(topupUsd, decimals, price)
  if (worth > quoted) return quoted
  return worth
}

/**
 * The budget once the fill costs `wei`, its top-up included, in place of what the quote reserved for it.
 * - A sponsored fill keeps its budget, as its sponsor pays the costs.
 * - What is missing comes out of the solver's fee first, then out of the output.
 * - What is left over is spent where the output is promised: its quote has a reserve for dearer gas.
 *
 * Undefined where the costs exceed what the deposits, or the sponsor, pay.
 * @throws NoPriceError as `unpricedCurrency` tells
 */
export function repricedBudget(
  { subsidizedUsd, fill, amountOut, minimumAmountOut }: CostCase,
  budget: Budget,
  market: ChainMarket,
  wei: Amount,
): Budget | undefined {
  if (subsidizedUsd > 0n) {
    const { decimals, price } = requireUsdQuoted(market, market.chain.native)
    const relayUsd = fill.relayUsd ?? 0n
    return usdValueDown(wei, decimals, price) + relayUsd <= subsidizedUsd ? budget : undefined
  }
  const difference = budget.reserved - inPayout(budget.payout, market, wei)
  const isPromised = amountOut === minimumAmountOut
  const gain = isPromised && difference > 0n ? difference : 0n
  const afterFee = difference + budget.maxSpend - budget.spend
  const repriced = withDifferences(budget, {
    spend: afterFee < 0n ? afterFee : gain,
    maxSpend: difference,
  })
  return repriced.spend > 0n ? repriced : undefined
}

/**
 * The budget of a fill whose deposit came after the deadline. What it costs more than the quote reserved comes out of the
 * output and of its minimum, rounded down, where the user tolerates as much. A sponsor bears it as usual. Undefined where
 * it costs more than that.
 * @throws NoPriceError as `unpricedCurrency` tells
 */
export function lateBudget(
  request: CostCase,
  budget: Budget,
  market: ChainMarket,
  wei: Amount,
): Budget | undefined {
  const rise = inPayout(budget.payout, market, wei) - budget.reserved
  if (request.subsidizedUsd > 0n || rise <= 0n) return repricedBudget(request, budget, market, wei)
  const { latePaymentBps = 0n } = request.fill
  if (rise * wholeBps > budget.reserved * latePaymentBps) return undefined
  const late = withDifferences(budget, { spend: -rise, maxSpend: -rise })
  if (late.spend === 0n) return undefined
  return { ...late, minOutput: toAmount(mulDivDown(budget.minOutput, late.spend, budget.spend)) }
}

/**
 * The budget of a fill without the order's calls, after one with them has reverted and cost `revertedWei`. The recipient
 * bears that, and not the solver's fee: only a sponsor's fees bear it. Undefined as `repricedBudget` tells.
 * @throws NoPriceError as `unpricedCurrency` tells
 */
export function budgetAfterRevert(
  request: CostCase,
  budget: Budget,
  market: ChainMarket,
  { wei, revertedWei }: Readonly<{ wei: Amount; revertedWei: Amount }>,
): Budget | undefined {
  if (request.subsidizedUsd > 0n)
    return repricedBudget(request, budget, market, toAmount(wei + revertedWei))
  const repriced = repricedBudget(request, budget, market, wei)
  if (repriced === undefined) return undefined
  const left = repriced.spend - inPayout(repriced.payout, market, revertedWei)
  if (left <= 0n) return undefined
  return { ...repriced, spend: toAmount(left), maxSpend: toAmount(left) }
}

/** Whether `spend` is worth at least `wei`, so that a fill that burns as much leaves no loss. */
export const coversWei = (
  payout: Currency,
  market: ChainMarket,
  { spend, wei }: Readonly<{ spend: Amount; wei: Amount }>,
): boolean => spend >= inPayout(payout, market, wei)

const isWei = ({ address }: Currency, { chain }: ChainMarket): boolean =>
  address === chain.native.address || address === chain.wrappedNative

/** Wei in the payout currency, rounded up. */
const inPayout = (payout: Currency, market: ChainMarket, wei: Amount): Amount =>
  isWei(payout, market)
    ? wei
    : convertUp(
        wei,
        requireUsdQuoted(market, market.chain.native),
        requireUsdQuoted(market, payout),
      )
