import { payoutFor } from '#src/pricing/fees/relayFees.ts'
import type { Asset, Market } from '#src/pricing/market.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverRequest } from '#src/solver/solverRequest.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import type { Currency } from '#src/units/currency.ts'
import { mulDivDown, mulDivUp } from '#src/units/mulDiv.ts'
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
  const differences = gathered.map((each) => differenceOf(each, pairOf(each)))
  // Where a part is taken, what is missing takes no more off than its deposit was to add.
  const spared = gathered.map((each, at) => {
    const difference = differences[at] ?? 0n
    return takesPart && difference < lossOf(each) ? lossOf(each) : difference
  })
  const spend = adjusted(fill.payoutAmount, sum(spared))
  const isPart = takesPart && spend < fill.payoutAmount && !gathered.every(isAsOrdered)
  return {
    payout,
    spend,
    most: adjusted(fill.mostPayout, sum(differences)),
    minimum: isPart
      ? toAmount(mulDivDown(minimumAmountOut, spend, fill.payoutAmount))
      : minimumAmountOut,
    reckoned: reckonedOf(request, gathered, pairOf),
    isShort: differences.some((each) => each < 0n),
  }
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
  const { depositAmount } = input
  const amount = deposit?.amount ?? 0n
  return amount < depositAmount
    ? -mulDivUp(
        depositAmount - amount,
        10n ** BigInt(pair.payout.decimals),
        10n ** BigInt(pair.deposit.decimals),
      )
    : payoutFor(pair, toAmount(amount - depositAmount))
}

/** All that an input was to add: a unit more, as its part was rounded down. */
const lossOf = ({ input }: GatheredInput): bigint => -(input.payoutAmount + 1n)

/** A swap before the deposit may give less than was expected of it. */
const isAsOrdered = ({ input, deposit }: GatheredInput): boolean =>
  deposit !== undefined && deposit.amount >= input.leastDeposit

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, each) => total + each, 0n)

function adjusted(planned: Amount, difference: bigint): Amount {
  const left = planned + difference
  return toAmount(left > 0n ? left : 0n)
}

/** App fees are paid out of the deposit, of which their orders have one. */
function reckonedOf(
  { order, fill }: SolverRequest,
  gathered: readonly GatheredInput[],
  pairOf: (each: GatheredInput) => Pair,
): Amount {
  const owed = sum(order.fees.map(({ amount }) => amount))
  const left = sum(
    gathered.map((each, at) => {
      const own = each.input.depositAmount - (at === 0 ? owed : 0n)
      return payoutFor(pairOf(each), toAmount(own > 0n ? own : 0n))
    }),
  )
  const kept = left - fill.mostPayout
  return toAmount(kept > 0n ? kept : 0n)
}
