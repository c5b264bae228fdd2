import type { Asset, Market } from '#src/pricing/market.ts'
import { payoutFor } from '#src/pricing/relay.ts'
import type { Deposit } from '#src/requests/deposit.ts'
import type { SolverRequest } from '#src/solver/solverRequest.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import type { Currency } from '#src/units/currency.ts'
import { mulDivDown, mulDivUp } from '#src/units/ratio.ts'
import { type GatheredInput, gatheredInputs } from './gatheredInputs.ts'

/** What a fill may cost the solver. */
export type Budget = Readonly<{
  /** What it spends. */
  payout: Currency
  /** What the quote reckoned with, more or less by what was deposited more or less: 0 where nothing is left. */
  spend: Amount
  /** The same with the solver's own margin. */
  most: Amount
  /** The least that the recipient is to get for it. */
  minimum: Amount
  /** What the quote keeps of what was ordered to be deposited: for gas, and for what is paid on top. */
  reckoned: Amount
  /** Whether less was deposited than was ordered. */
  isShort: boolean
}>

/**
 * For all deposits that a request counts on. Where not all has come that was ordered, and the user takes a part, it is
 * the quote's share of what its fixed costs leave of them.
 * Undefined where all the currencies are of one asset no more: the solver does not take one for the other.
 */
export function budgetOf(
  request: SolverRequest,
  deposits: readonly Deposit[],
  { assets }: Market,
): Budget | undefined {
  const { fill, minimumAmountOut, gathering } = request
  const asset = assets.find((each) => isOfAll(each, request))
  const payout = asset?.currencies.get(request.destinationChainId)
  if (asset === undefined || payout === undefined) return undefined
  const gathered = gatheredInputs(request, deposits)
  const pairOf = ({ input }: GatheredInput) => {
    const deposit = asset.currencies.get(input.chainId)
    if (deposit === undefined) throw new Error(`${asset.symbol} is not on chain ${input.chainId}`)
    return { deposit, payout }
  }
  const takesPart = gathering?.partial === true
  const difference = gathered.reduce((sum, each) => {
    const own = differenceOf(each, pairOf(each))
    return sum + (takesPart && own < leastOf(each) ? leastOf(each) : own)
  }, 0n)
  const shared = {
    payout,
    reckoned: reckonedOf(request, gathered, pairOf),
    isShort: gathered.some(
      ({ input, deposit }) => deposit === undefined || deposit.amount < input.depositAmount,
    ),
  }
  const spend = adjusted(fill.payoutAmount, difference)
  if (!takesPart || difference >= 0n || gathered.every(isAsOrdered))
    return {
      ...shared,
      spend,
      most: adjusted(fill.mostPayout, difference),
      minimum: minimumAmountOut,
    }
  const shareOf = (whole: Amount) => toAmount(mulDivDown(whole, spend, fill.payoutAmount))
  return { ...shared, spend, most: shareOf(fill.mostPayout), minimum: shareOf(minimumAmountOut) }
}

const isOfAll = (
  { currencies }: Asset,
  { inputs, fill, destinationChainId }: SolverRequest,
): boolean =>
  currencies.get(destinationChainId)?.address === fill.payoutCurrency &&
  inputs.every(
    ({ chainId, depositCurrency }) => currencies.get(chainId)?.address === depositCurrency,
  )

type Pair = Readonly<{ deposit: Currency; payout: Currency }>

/** Against the taker: less is added for a surplus, and more taken off for what is missing. */
function differenceOf({ input, deposit }: GatheredInput, pair: Pair): bigint {
  if (deposit === undefined) return leastOf({ input })
  const { amount } = deposit
  const { depositAmount } = input
  return amount < depositAmount
    ? -mulDivUp(
        depositAmount - amount,
        10n ** BigInt(pair.payout.decimals),
        10n ** BigInt(pair.deposit.decimals),
      )
    : payoutFor(pair, toAmount(amount - depositAmount))
}

/** All that an input adds: one unit more, as its part was rounded down. */
const leastOf = ({ input }: Pick<GatheredInput, 'input'>): bigint => -(input.payoutAmount + 1n)

/** A swap before the deposit may give less than was expected of it. */
const isAsOrdered = ({ input, deposit }: GatheredInput): boolean =>
  deposit !== undefined && deposit.amount >= input.leastDeposit

function adjusted(planned: Amount, difference: bigint): Amount {
  const sum = planned + difference
  return toAmount(sum > 0n ? sum : 0n)
}

/** App fees are paid out of the deposit, of which their orders have one. */
function reckonedOf(
  { order, fill }: SolverRequest,
  gathered: readonly GatheredInput[],
  pairOf: (each: GatheredInput) => Pair,
): Amount {
  const owed = order.fees.reduce((sum, fee) => sum + fee.amount, 0n)
  const left = gathered.reduce((sum, each, at) => {
    const kept = each.input.depositAmount - (at === 0 ? owed : 0n)
    return sum + payoutFor(pairOf(each), toAmount(kept > 0n ? kept : 0n))
  }, 0n)
  const kept = left - fill.mostPayout
  return toAmount(kept > 0n ? kept : 0n)
}
