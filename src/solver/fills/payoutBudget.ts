import { payoutFor } from '#src/core/pricing/conversion.ts'
import { shareUp } from '#src/core/pricing/fees/relayFees.ts'
import type { Asset, Market } from '#src/core/pricing/market.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { mulDivDown, mulDivUp } from '#src/core/units/arithmetic.ts'
import { toBps } from '#src/core/units/bps.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { orderSeconds } from '#src/protocol/order/order.ts'
import type { RequestInput } from '#src/requests/quotedRequest.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { FailReason } from '#src/requests/state/requestState.ts'
import {
  deadlineOf,
  lastDepositTime,
  type SolverRequest,
} from '#src/requests/state/solverRequest.ts'

/** Maximum cost of a fill for the solver. Amounts are in the payout currency, except `minOutput`. */
export type Budget = Readonly<{
  /** The asset of the deposits and the payout. */
  asset: Asset
  /** The currency that the solver spends. */
  payout: Currency
  /** The quoted amount plus the difference between actual and ordered deposits; at least 0. */
  netInput: Amount
  /** `netInput` plus the solver's service fee, minus the cost of settlements. */
  maxNetInput: Amount
  /** Minimum amount for the recipient, in the destination currency. */
  minOutput: Amount
  /** The amount of the ordered deposits that the quote reserved for gas and the top-up. */
  reserved: Amount
  /** Whether any deposit is smaller than ordered. */
  isShort: boolean
}>

/** An input of a request with the deposit that funds it; undefined if the input was missed. */
type FundedInput = Readonly<{ input: RequestInput; deposit: Deposit | undefined }>

/** In the order of the request's inputs. `deposits` are all deposits that fund the request. */
function fundedInputs(
  { inputs, state: { inputStates } }: SolverRequest,
  deposits: readonly Deposit[],
): readonly FundedInput[] {
  return inputs.map((input, at) => {
    const state = inputStates[at]
    const funds = ({ depositId }: Deposit) =>
      state?.status === 'funded' && state.depositId === depositId
    return { input, deposit: deposits.find(funds) }
  })
}

/**
 * The tolerance of a surplus if the output is promised to the unit: the automatic one of a crossing with one swap. The
 * promise covers the ordered deposit only.
 */
const surplusTolerance = toBps(100n)

/**
 * The budget for all deposits that fund a request. If the user accepts a partial fill and the deposits are short,
 * `netInput` shrinks by the missing amounts, and `minOutput` in proportion, rounded down. A surplus raises both in
 * proportion: nobody signed a minimum for it, so it has the quote's.
 * Undefined if the currencies no longer belong to one asset: the solver does not exchange one asset for another.
 */
export function budgetOf(
  request: SolverRequest,
  deposits: readonly Deposit[],
  { assets }: Market,
): Budget | undefined {
  const { fill, minimumAmountOut, funding } = request
  const asset = assets.find((each) => hasAllCurrencies(each, request))
  const payout = asset?.currencies.get(request.destinationChainId)
  if (asset === undefined || payout === undefined) return undefined
  const inputs = fundedInputs(request, deposits)
  const pairOf = ({ input }: FundedInput) => {
    const deposit = asset.currencies.get(input.chainId)
    if (deposit === undefined) throw new Error(`${asset.symbol} is not on chain ${input.chainId}`)
    return { deposit, payout }
  }
  const isPartialAllowed = funding?.partial === true
  const differences = inputs.map((each) => differenceOf(each, pairOf(each)))
  // In a partial fill, a short input reduces `netInput` by at most its own contribution.
  const bounded = inputs.map((each, at) => {
    const difference = differences[at] ?? 0n
    return isPartialAllowed && difference < -contributionOf(each)
      ? -contributionOf(each)
      : difference
  })
  const netInput = adjust(fill.payoutAmount, sum(bounded))
  const isPartial = isPartialAllowed && netInput < fill.payoutAmount && !inputs.every(isAsOrdered)
  return {
    asset,
    payout,
    netInput,
    maxNetInput: adjust(fill.maxPayout, sum(differences)),
    minOutput:
      isPartial || netInput > fill.payoutAmount
        ? scaledMinimum(request, netInput)
        : minimumAmountOut,
    reserved: reservedIn(request, inputs, pairOf),
    isShort: differences.some((each) => each < 0n),
  }
}

/** The minimum output for `netInput` at the quote's rate, rounded down. The solver keeps the surplus of a true exact output. */
function scaledMinimum(
  { tradeType, fill, amountOut, minimumAmountOut }: SolverRequest,
  netInput: Amount,
): Amount {
  const scaled = toAmount(mulDivDown(minimumAmountOut, netInput, fill.payoutAmount))
  if (scaled <= minimumAmountOut) return scaled
  if (tradeType === 'EXACT_OUTPUT' && fill.enableTrueExactOutput) return minimumAmountOut
  const isPromised = minimumAmountOut === amountOut
  const slippage = isPromised ? shareUp(toAmount(scaled - minimumAmountOut), surplusTolerance) : 0n
  return toAmount(scaled - slippage)
}

const hasAllCurrencies = (
  { currencies }: Asset,
  { inputs, fill, destinationChainId }: SolverRequest,
): boolean =>
  currencies.get(destinationChainId)?.address === fill.payoutCurrency &&
  inputs.every(
    ({ chainId, depositCurrency }) => currencies.get(chainId)?.address === depositCurrency,
  )

type Pair = Readonly<{ deposit: Currency; payout: Currency }>

/**
 * Actual minus ordered deposit, in the payout currency. A surplus pays `surplusBps` of fees. Rounds against the taker:
 * surpluses down, shortfalls up.
 */
function differenceOf({ input, deposit }: FundedInput, pair: Pair): bigint {
  const { depositAmount, surplusBps } = input
  const amount = deposit?.amount ?? 0n
  if (amount < depositAmount)
    return -mulDivUp(
      depositAmount - amount,
      10n ** BigInt(pair.payout.decimals),
      10n ** BigInt(pair.deposit.decimals),
    )
  const surplus = toAmount(amount - depositAmount)
  return payoutFor(pair, toAmount(surplus - shareUp(surplus, surplusBps)))
}

/** The quoted contribution of an input to the payout, plus one unit, because the quote rounded it down. */
const contributionOf = ({ input }: FundedInput): bigint => input.payoutAmount + 1n

/** A swap before the deposit may give less than expected, down to `leastDeposit`. */
const isAsOrdered = ({ input, deposit }: FundedInput): boolean =>
  deposit !== undefined && deposit.amount >= input.leastDeposit

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, each) => total + each, 0n)

/** The budget with the differences added to `netInput` and `maxNetInput`; each at least 0. */
export const withDifferences = (
  budget: Budget,
  { netInput, maxNetInput }: Readonly<{ netInput: bigint; maxNetInput: bigint }>,
): Budget => ({
  ...budget,
  netInput: adjust(budget.netInput, netInput),
  maxNetInput: adjust(budget.maxNetInput, maxNetInput),
})

function adjust(planned: Amount, difference: bigint): Amount {
  const left = planned + difference
  return toAmount(left > 0n ? left : 0n)
}

/** App fees come out of the first deposit: orders with app fees have only one input. */
function reservedIn(
  { order, fill }: SolverRequest,
  inputs: readonly FundedInput[],
  pairOf: (each: FundedInput) => Pair,
): Amount {
  const appFees = sum(order.fees.map(({ amount }) => amount))
  const ordered = sum(
    inputs.map((each, at) => {
      const own = each.input.depositAmount - (at === 0 ? appFees : 0n)
      return payoutFor(pairOf(each), toAmount(own > 0n ? own : 0n))
    }),
  )
  const settlements = sum(inputs.map(({ input }) => input.settlement))
  const left = ordered - fill.maxPayout - settlements
  return toAmount(left > 0n ? left : 0n)
}

const forcedRefund = 'debug-force-refund'

/**
 * Minimum time in seconds between a fill and the first exit of its deposits, so that they are settled before. Otherwise
 * the depositor could be filled and also take the deposit back.
 */
const exitMarginSeconds = 7 * 86_400

/**
 * The reason to refund a request independently of the market; undefined if its deposits have no fault.
 * @param options `now` in seconds since 1970; `forcesRefunds` for devnets, on which the referrer can force a refund
 */
export function depositFault(
  request: SolverRequest,
  deposits: readonly Deposit[],
  { forcesRefunds, now }: Readonly<{ forcesRefunds: boolean; now: number }>,
): FailReason | undefined {
  // The protocol has no reason for a forced refund.
  if (forcesRefunds && request.referrer === forcedRefund) return 'UNKNOWN'
  // A refused payment to an open address, reopened by a reorg: it has no rate for what is paid for it now.
  if (request.fill.payoutAmount === 0n) return 'NO_QUOTES'
  const inputs = fundedInputs(request, deposits)
  if (inputs.some(hasOtherCurrency)) return 'INCORRECT_DEPOSIT_CURRENCY'
  const deadline = deadlineOf(request)
  const lastDeposit = lastDepositTime(request)
  const { depositDeadline, partial } = request.funding ?? {
    depositDeadline: lastDeposit,
    partial: true,
  }
  const lastTimestamp = Math.min(depositDeadline, lastDeposit)
  // Deposits in time must be filled by the deadline, late ones within `orderSeconds` of the first late deposit.
  const late = deposits.filter(({ timestamp }) => timestamp > deadline)
  const ends =
    late.length === 0 ? [deadline] : late.map(({ timestamp }) => timestamp + orderSeconds)
  const lastFill = Math.min(...ends, ...deposits.flatMap(lastFillBeforeExit))
  if (now > lastFill || deposits.some(({ timestamp }) => timestamp > lastTimestamp))
    return 'ORDER_EXPIRED'
  const isMissed = inputs.some(({ deposit }) => deposit === undefined)
  return isMissed && !partial ? 'ORDER_EXPIRED' : undefined
}

/** Whether a deposit came after the deadline of the order. */
export const isPaidLate = (request: SolverRequest, deposits: readonly Deposit[]): boolean =>
  deposits.some(({ timestamp }) => timestamp > deadlineOf(request))

/** Empty for a plain transfer, which cannot be taken back. */
const lastFillBeforeExit = ({ record }: Deposit): readonly number[] =>
  record === undefined ? [] : [record.exitTime - exitMarginSeconds]

const hasOtherCurrency = ({ input, deposit }: FundedInput): boolean =>
  deposit !== undefined && deposit.currency !== input.depositCurrency
