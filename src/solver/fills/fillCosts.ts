import { requireUsdQuoted, usdQuoted } from '#src/core/pricing/conversion.ts'
import { type TransactionSize, transactionCost } from '#src/core/pricing/gas/gas.ts'
import type { LegShape } from '#src/core/pricing/gas/transactionSize.ts'
import { sizesOf } from '#src/core/pricing/gas/transactionSizes.ts'
import type { ChainMarket, Market } from '#src/core/pricing/market.ts'
import type { FillCalls, Tx } from '#src/core/pricing/order.ts'
import type { Account } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { mulDivDown } from '#src/core/units/arithmetic.ts'
import { wholeBps } from '#src/core/units/bps.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { amountForUsdDown, convertUp } from '#src/core/units/usd.ts'
import { decodeOrderCall } from '#src/protocol/order/protocolOrder.ts'
import { ownSteps } from '#src/requests/progress.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { inputFundedBy } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { type Budget, withDifferences } from './payoutBudget.ts'

type CostCase = Pick<SolverRequest, 'subsidizedUsd' | 'inputs' | 'fill' | 'order' | 'tradeType'>

/** A currency that the cost of a fill depends on and that has no price; undefined if all prices are known. */
export function unpricedCurrency(
  { subsidizedUsd, fill: { topupUsd } }: CostCase,
  payout: Currency,
  market: ChainMarket,
): Account | undefined {
  const needed = [
    ...(subsidizedUsd > 0n || topupUsd !== undefined ? [market.chain.native] : []),
    ...(isWei(payout, market) ? [] : [market.chain.native, payout]),
  ]
  return needed.find((each) => usdQuoted(market, each) === undefined)?.address
}

/**
 * The order's gas top-up in wei: its value in US dollars at the present price, rounded down, at most the quoted amount.
 * The cap gives the user no option on the price. 0 without a top-up; the quoted amount if it has no quoted value.
 * @throws NoPriceError if the top-up has a value and the native currency has no price
 */
export function topupOf({ order, fill: { topupUsd } }: CostCase, market: ChainMarket): Amount {
  const quoted = toAmount(order.output.payments[1]?.expectedAmount ?? 0n)
  if (topupUsd === undefined) return quoted
  const { decimals, price } = requireUsdQuoted(market, market.chain.native)
  const amount = amountForUsdDown(topupUsd, decimals, price)
  if (amount > quoted) return quoted
  return amount
}

/**
 * The cost of settling plain transfers beyond what the quote has charged, in wei of the destination chain, rounded up:
 * each takes a transaction of its own. 0 for those that the quote asked for. Undefined if a price is missing.
 */
export function plainSettlements(
  request: SolverRequest,
  deposits: readonly Deposit[],
  { chains }: Market,
  destination: ChainMarket,
): Amount | undefined {
  const to = usdQuoted(destination, destination.chain.native)
  let wei = 0n
  for (const deposit of deposits) {
    if (deposit.record !== undefined || asksForTransfer(request, deposit)) continue
    const origin = chains.get(deposit.chainId)
    if (origin === undefined || to === undefined) return undefined
    const from = usdQuoted(origin, origin.chain.native)
    if (from === undefined) return undefined
    const [alone = 0n, batched = 0n] = [false, true].map((explicitDeposit) =>
      transactionCost(
        origin.gas,
        sizesOf(origin.gas).settlement(deposit.currency, { explicitDeposit }),
      ),
    )
    wei += convertUp(toAmount(alone - batched), from, to)
  }
  return toAmount(wei)
}

/** Whether the quote asked for the deposit as a plain transfer, and so charged the settlement of one. */
function asksForTransfer(request: SolverRequest, { depositId, currency }: Deposit): boolean {
  const { last } = ownSteps(request, inputFundedBy(request, depositId) ?? 0)
  return request.steps[last]?.items.at(-1)?.data.to === currency
}

/**
 * The budget at the present cost of the fill: `wei`, which includes the top-up, replaces the quote's reserve for gas
 * and top-up. The cost is converted to the payout currency and rounded up.
 * - Sponsored: the sponsor pays the cost. The solver's fee may be spent up to what is left of the sponsor's fees.
 * - Higher cost: the solver's fee pays the difference first, then the output.
 * - Lower cost: an exact output or a fixed rate gets the difference, as its quote reserves extra gas.
 *
 * Undefined if the deposits, or the sponsor, do not cover the cost.
 * @throws NoPriceError if `unpricedCurrency` returns a currency
 */
export function repricedBudget(
  request: CostCase,
  budget: Budget,
  market: ChainMarket,
  wei: Amount,
): Budget | undefined {
  const { subsidizedUsd, tradeType, fill } = request
  if (subsidizedUsd > 0n) {
    const left = sponsorRest(request, budget.payout, market, wei)
    const maxNetInput = budget.netInput + left
    if (left < 0n) return undefined
    return maxNetInput < budget.maxNetInput
      ? { ...budget, maxNetInput: toAmount(maxNetInput) }
      : budget
  }
  const difference = budget.reserved - inPayout(budget.payout, market, wei)
  const hasReserve = tradeType === 'EXACT_OUTPUT' || fill.hasFixedRate
  const gain = hasReserve && difference > 0n ? difference : 0n
  const afterFee = difference + budget.maxNetInput - budget.netInput
  const repriced = withDifferences(budget, {
    netInput: afterFee < 0n ? afterFee : gain,
    maxNetInput: difference,
  })
  return repriced.netInput > 0n ? repriced : undefined
}

/**
 * What a fill that costs `wei` leaves of the sponsor's fees, after the settlement, the sweep and the sending of the
 * deposit. In the payout currency, rounded down; possibly negative.
 */
function sponsorRest(
  { subsidizedUsd, inputs }: CostCase,
  payout: Currency,
  market: ChainMarket,
  wei: Amount,
): bigint {
  const { decimals, price } = requireUsdQuoted(
    market,
    isWei(payout, market) ? market.chain.native : payout,
  )
  const paid = amountForUsdDown(subsidizedUsd, decimals, price)
  return inputs.reduce(
    (left, { settlement }) => left - settlement,
    paid - inPayout(payout, market, wei),
  )
}

/**
 * The budget of a fill whose deposit came after the deadline. A cost (rounded up) above the quote's reserve reduces the
 * output, and its minimum in proportion, rounded down. Undefined if the cost exceeds the reserve by more than
 * `latePaymentBps`. Like `repricedBudget` for sponsored fills, and for fills that cost no more than the reserve.
 * @throws NoPriceError if `unpricedCurrency` returns a currency
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
  const late = withDifferences(budget, { netInput: -rise, maxNetInput: -rise })
  if (late.netInput === 0n) return undefined
  return {
    ...late,
    minOutput: toAmount(mulDivDown(budget.minOutput, late.netInput, budget.netInput)),
  }
}

/**
 * The budget of a second fill, without the order's calls, after the first fill reverted and cost `revertedWei`. That
 * cost, rounded up, reduces the output and not the solver's fee. If the fill is sponsored, the sponsor pays it.
 * Undefined if the deposits, or the sponsor, do not cover the costs.
 * @throws NoPriceError if `unpricedCurrency` returns a currency
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
  const left = repriced.netInput - inPayout(repriced.payout, market, revertedWei)
  if (left <= 0n) return undefined
  return { ...repriced, netInput: toAmount(left), maxNetInput: toAmount(left) }
}

/** Whether `amount`, in the payout currency, is worth at least `wei` of gas, converted and rounded up. */
export const coversWei = (
  payout: Currency,
  market: ChainMarket,
  { amount, wei }: Readonly<{ amount: Amount; wei: Amount }>,
): boolean => amount >= inPayout(payout, market, wei)

const isWei = ({ address }: Currency, { chain }: ChainMarket): boolean =>
  address === chain.native.address || address === chain.wrappedNative

/** Converts wei to the payout currency, rounded up. */
const inPayout = (payout: Currency, market: ChainMarket, wei: Amount): Amount =>
  isWei(payout, market)
    ? wei
    : convertUp(
        wei,
        requireUsdQuoted(market, market.chain.native),
        requireUsdQuoted(market, payout),
      )

/** The terms that determine the gas of a fill, besides its leg. */
export type GasCase = FillGas & Readonly<{ request: Pick<SolverRequest, 'order' | 'fill'> }>

export type FillGas = Readonly<{
  /** Gas of an earlier simulation. It is charged if it exceeds the estimate. */
  simulatedGas?: bigint | undefined
  /** Cost of the reverted first fill, in wei. Set only for a second fill, which pays without the order's calls. */
  revertedWei?: Amount | undefined
  /** The authorizations of the order that the fill still has to apply; absent: none. */
  authorizationList?: FillCalls['authorizationList'] | undefined
  /** The recipient has a token account for the currency of the order; absent: the fill may have to make it. */
  hasTokenAccount?: boolean | undefined
}>

/** Sizes of the fill and of the payment of its top-up, as the quote estimates them. */
export function quotedSizes(
  gasCase: GasCase,
  { gas }: ChainMarket,
  shape: LegShape,
): readonly TransactionSize[] {
  const { fill, topup } = sizesOf(gas)
  const hasTopup = gasCase.request.order.output.payments.length > 1
  return [fill(shape, callsOf(gasCase)), ...(hasTopup ? [topup] : [])]
}

/** The quoted sizes, with the gas of an earlier simulation if it is higher. */
export function chargedSizes(
  gasCase: GasCase,
  market: ChainMarket,
  shape: LegShape,
): readonly TransactionSize[] {
  const [fill, ...others] = quotedSizes(gasCase, market, shape)
  if (fill === undefined) return others
  const excess = (gasCase.simulatedGas ?? 0n) - gasOf([fill, ...others])
  return [{ ...fill, gas: fill.gas + (excess > 0n ? excess : 0n) }, ...others]
}

export const gasOf = (sizes: readonly TransactionSize[]): bigint =>
  sizes.reduce((sum, { gas }) => sum + gas, 0n)

/** Cost of the charged gas in wei, rounded up. */
export const gasCostOf = (gasCase: GasCase, market: ChainMarket, shape: LegShape): bigint =>
  chargedSizes(gasCase, market, shape).reduce(
    (sum, size) => sum + transactionCost(market.gas, size),
    0n,
  )

/** A second fill makes no calls, and applies no authorizations: the reverted first fill has already applied them. */
export const callsOf = ({
  request: { order, fill },
  revertedWei,
  authorizationList,
  hasTokenAccount,
}: GasCase): FillCalls =>
  revertedWei === undefined
    ? {
        txs: order.output.calls.map((call): Tx => decodeOrderCall(call)),
        ...(fill.txsGasLimit !== undefined && { txsGasLimit: fill.txsGasLimit }),
        ...(authorizationList !== undefined && { authorizationList }),
        ...(hasTokenAccount && { hasTokenAccount }),
      }
    : { txs: [] }

/** Limit on the gas of a fill. `plus` covers our contracts if the quote includes no gas for them. */
const gasTolerance = { times: 2n, plus: 200_000n }

/** Maximum gas limit of a fill. The recipient and the targets of the order's calls may be any contract. */
export const maxGasOf = (quoted: bigint): bigint => gasTolerance.times * quoted + gasTolerance.plus

/** Nodes estimate a gas limit. For a swap over several pools it is up to 40 % above the quote's estimate. */
const estimateTolerance = { numerator: 3n, denominator: 2n }

/** Whether the simulation of a fill uses more gas than its plan charges. The calls of the order get no tolerance. */
export const usesMoreGas = (
  simulated: bigint,
  { gas, callGas }: Readonly<{ gas: bigint; callGas: bigint }>,
): boolean =>
  (simulated - callGas) * estimateTolerance.denominator >
  (gas - callGas) * estimateTolerance.numerator

/**
 * The largest gas limit of a fill, so that its calls cannot take the margin: all that is charged or simulated, and 30 %
 * of what is not for the calls of the order, because earlier transactions may make it cost a little more.
 */
export function limitWithCalls(
  simulated: bigint,
  { gas, callGas }: Readonly<{ gas: bigint; callGas: bigint }>,
): bigint {
  const most = simulated > gas ? simulated : gas
  return most + ((most - callGas) * 30n) / 100n
}
