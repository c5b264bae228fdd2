import { pegOf } from '#src/core/pricing/crossChain/peg.ts'
import { transactionCost } from '#src/core/pricing/gas/gas.ts'
import {
  callsWork,
  type LegShape,
  minShape,
  shapeOf,
} from '#src/core/pricing/gas/transactionSize.ts'
import { type LegSwap, limitsOf, type PayoutLeg, payoutLeg } from '#src/core/pricing/leg/leg.ts'
import type { Asset, ChainMarket, Market } from '#src/core/pricing/market.ts'
import type { Path } from '#src/core/router/route.ts'
import type { Account } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { divUp } from '#src/core/units/arithmetic.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { type Usd, usdValueDown } from '#src/core/units/usd.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { FailReason } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import {
  budgetAfterRevert,
  callsOf,
  chargedSizes,
  coversWei,
  type FillGas,
  gasCostOf,
  gasOf,
  lateBudget,
  maxGasOf,
  plainSettlements,
  quotedSizes,
  repricedBudget,
  topupOf,
  unpricedCurrency,
} from './fillCosts.ts'
import type { Inventory } from './fillRounds.ts'
import { type Budget, budgetOf, depositFault, isPaidLate } from './payoutBudget.ts'

type FillLimits = Readonly<{
  /** A request with a larger payout is refunded. Absent: no limit. */
  mostPayoutUsd?: Usd | undefined
  /** Whether the referrer `debug-force-refund` forces a refund. */
  forcesRefunds: boolean
}>

export type FillCase = FillGas &
  Readonly<{
    request: SolverRequest
    /** All deposits that fund the request. */
    deposits: readonly Deposit[]
    /** Must include the destination chain. */
    market: Market
    /** A currency of the destination chain. */
    currencyOf: (address: Account) => Currency
    inventory: Inventory
    limits: FillLimits
    /** Seconds since 1970. */
    now: number
  }>

export type FillPlan =
  | Readonly<{
      kind: 'fill'
      /** Minimum amount for the recipient, in the destination currency. */
      minOutput: Amount
      /** In wei. */
      topup: Amount
      /** Whether the swap gives no more than the order's output, so that the solver keeps the rest of its input. */
      limitsOutput: boolean
      /** Upper bound on the amounts that leave the solver, without gas. */
      spends: SolverTransaction['spends']
      leg: LegSwap
      /** The gas that the deposits pay for. */
      gas: bigint
      /** The part of `gas` for the calls of the order. */
      callGas: bigint
      /** Upper bound on the gas limit, for any recipient and any calls of the order. */
      maxGas: bigint
    }>
  | Readonly<{ kind: 'refund'; reason: FailReason }>
  /** Try again later: pending fills use the inventory, or a currency has no price at the moment. */
  | Readonly<{ kind: 'wait'; for: 'inventory' | 'price'; currency: Account }>

/**
 * Decides whether and how a request is filled, at the current market rather than the quoted one. The recipient gets
 * the whole output. With `enableTrueExactOutput` the solver keeps the surplus above an exact output.
 */
export function planFill(fillCase: FillCase): FillPlan {
  const { request, deposits, market, limits, now } = fillCase
  const fault = depositFault(request, deposits, { ...limits, now })
  if (fault !== undefined) return refund(fault)
  const destination = market.chains.get(request.destinationChainId)
  if (destination === undefined) throw new Error(`No market of ${request.destinationChainId}`)
  if (destination.refusedCurrencies.has(request.destinationCurrency)) return refund('NO_QUOTES')
  const budget = budgetOf(request, deposits, market)
  if (budget === undefined) return refund('NO_QUOTES')
  if (budget.netInput === 0n) return refund('DEPOSITED_AMOUNT_TOO_LOW_TO_FILL')
  const pegs = new Set(
    deposits.map((deposit) => pegWith(deposit, budget.asset, market, destination)),
  )
  if (pegs.has('stopped')) return refund('NO_QUOTES')
  if (pegs.has('broken') || pegs.has('unpriced'))
    return { kind: 'wait', for: 'price', currency: budget.payout.address }
  const unpriced = unpricedCurrency(request, budget.payout, destination)
  if (unpriced !== undefined) return { kind: 'wait', for: 'price', currency: unpriced }
  const found = findFill(fillCase, destination, budget)
  return 'kind' in found ? found : withinLimits(fillCase, destination, found)
}

/** Whether the deposit is worth what the solver pays out for it. A chain without a market has no price. */
function pegWith(
  { chainId }: Deposit,
  asset: Asset,
  { chains }: Market,
  destination: ChainMarket,
): ReturnType<typeof pegOf> {
  const origin = chains.get(chainId)
  return origin === undefined ? 'unpriced' : pegOf(asset, origin, destination)
}

const refund = (reason: FailReason): FillPlan => ({ kind: 'refund', reason })

/**
 * The leg that the deposits pay for at the present cost of gas and top-up. The gas depends on the leg, and the leg
 * depends on the budget that the gas leaves. As in the quote, the assumed cost only rises, so that the loop ends.
 */
function findFill(fillCase: FillCase, market: ChainMarket, budget: Budget): Found | FillPlan {
  const { request, deposits, currencyOf, revertedWei } = fillCase
  const isLate = isPaidLate(request, deposits)
  const topup = topupOf(request, market)
  const settlements = plainSettlements(request, deposits, fillCase.market, market)
  if (settlements === undefined)
    return { kind: 'wait', for: 'price', currency: market.chain.native.address }
  const costOf = (shape: LegShape) =>
    toAmount(gasCostOf(fillCase, market, shape) + topup + settlements)
  let cost = costOf(minShape(market, budget.payout, currencyOf(request.destinationCurrency)))
  for (;;) {
    const current = pricedBudget(fillCase, market, budget, cost)
    if (current === undefined) return refund(isLate ? 'ORDER_EXPIRED' : 'SOLVER_CAPACITY_EXCEEDED')
    const found = legOf(fillCase, market, current)
    if (found.kind !== 'leg') {
      const isGasTheReason = legOf(fillCase, market, budget).kind === 'leg'
      if (isGasTheReason) return refund('SOLVER_CAPACITY_EXCEEDED')
      return refund(reasonWithoutLeg(fillCase, market, budget, found.kind))
    }
    const needed = costOf(shapeOf(found.leg))
    if (needed <= cost) {
      const isCovered =
        revertedWei === undefined || coversSecondRevert(fillCase, market, current, found)
      return isCovered ? { budget: current, found, topup } : refund('SOLVER_CAPACITY_EXCEEDED')
    }
    cost = needed
  }
}

/** The budget if the fill costs `wei`; undefined if the deposits do not cover that. */
function pricedBudget(
  { request, deposits, revertedWei }: FillCase,
  market: ChainMarket,
  budget: Budget,
  wei: Amount,
): Budget | undefined {
  if (revertedWei !== undefined)
    return budgetAfterRevert(request, budget, market, { wei, revertedWei })
  return isPaidLate(request, deposits)
    ? lateBudget(request, budget, market, wei)
    : repricedBudget(request, budget, market, wei)
}

/** Whether the budget is worth the maximum gas cost of a second fill: the deposits then cover it even if it reverts. */
function coversSecondRevert(
  fillCase: FillCase,
  market: ChainMarket,
  { payout, netInput }: Budget,
  { leg }: Found['found'],
): boolean {
  const sizes = quotedSizes(fillCase, market, shapeOf(leg))
  const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0n)
  const maxCost = transactionCost(market.gas, { gas: maxGasOf(gasOf(sizes)), bytes })
  return coversWei(payout, market, { amount: netInput, wei: toAmount(gasMargin * maxCost) })
}

function legOf(
  { request, currencyOf }: FillCase,
  market: ChainMarket,
  { payout, netInput, maxNetInput, minOutput }: Budget,
): PayoutLeg {
  const { fill } = request
  const { includedSwapSources: included, excludedSwapSources } = fill
  const filter = {
    ...(included !== undefined && { included: new Set(included) }),
    excluded: new Set(excludedSwapSources),
  }
  const output = currencyOf(request.destinationCurrency)
  const task = { market, input: payout, output, limits: limitsOf(fill, filter) }
  const isExact = request.minimumAmountOut === request.amountOut
  const keepsRest = request.tradeType === 'EXACT_OUTPUT' && fill.enableTrueExactOutput
  return payoutLeg(task, { netInput, maxNetInput, minimum: minOutput, isExact, keepsRest })
}

/** The deposits are too low if the ordered deposits would be enough. */
function reasonWithoutLeg(
  fillCase: FillCase,
  market: ChainMarket,
  budget: Budget,
  failure: 'tooLittle' | 'noRoute',
): FailReason {
  const { fill, minimumAmountOut: minOutput } = fillCase.request
  if (budget.isShort) {
    const whole = { ...budget, netInput: fill.payoutAmount, maxNetInput: fill.maxPayout, minOutput }
    if (legOf(fillCase, market, whole).kind === 'leg') return 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL'
  }
  return failure === 'noRoute' ? 'NO_QUOTES' : 'SLIPPAGE'
}

type Found = Readonly<{
  budget: Budget
  found: Extract<PayoutLeg, { kind: 'leg' }>
  /** In wei. */
  topup: Amount
}>

/** The base fee may rise until the fill is mined. */
const gasMargin = 2n

/** The fill, if the limits and the inventory allow it. */
function withinLimits(fillCase: FillCase, market: ChainMarket, found: Found): FillPlan {
  const { limits, inventory } = fillCase
  const { payout } = found.budget
  const plan = toFill(fillCase, market, found)
  const [spent] = plan.spends
  if (limits.mostPayoutUsd !== undefined && spent !== undefined) {
    const price = market.usdPrices.get(payout.address)
    if (price === undefined) return { kind: 'wait', for: 'price', currency: payout.address }
    if (usdValueDown(toAmount(spent.amount), payout.decimals, price) > limits.mostPayoutUsd)
      return refund('SOLVER_CAPACITY_EXCEEDED')
  }
  const cost = gasCostOf(fillCase, market, shapeOf(plan.leg))
  const gas = { currency: market.chain.native.address, amount: gasMargin * cost }
  const needs = totals([...plan.spends, gas])
  if (needs.some(({ currency, amount }) => amount > inventory.held(currency)))
    return refund('SOLVER_BALANCE_TOO_LOW')
  const pending = needs.find(({ currency, amount }) => amount > inventory.free(currency))
  return pending === undefined
    ? plan
    : { kind: 'wait', for: 'inventory', currency: pending.currency }
}

function toFill(
  fillCase: FillCase,
  market: ChainMarket,
  { budget, found, topup }: Found,
): Extract<FillPlan, { kind: 'fill' }> {
  const leg = found.limitsOutput ? withHeadroom(found.leg, found.maxNetInput) : found.leg
  const spends = totals([
    { currency: budget.payout.address, amount: leg.amountIn },
    { currency: market.chain.native.address, amount: topup },
  ])
  const gas = gasOf(chargedSizes(fillCase, market, shapeOf(leg)))
  const maxGas = maxGasOf(gasOf(quotedSizes(fillCase, market, shapeOf(leg))))
  const { limitsOutput } = found
  return {
    kind: 'fill',
    minOutput: budget.minOutput,
    topup,
    limitsOutput,
    spends,
    leg,
    gas,
    callGas: callsWork(callsOf(fillCase)).gas,
    maxGas,
  }
}

/** The sum of each currency, in order of first appearance, without zeros. */
function totals(
  amounts: readonly Readonly<{ currency: Account; amount: bigint }>[],
): readonly Readonly<{ currency: Account; amount: Amount }>[] {
  const sums = new Map<Account, bigint>()
  for (const { currency, amount } of amounts)
    if (amount > 0n) sums.set(currency, (sums.get(currency) ?? 0n) + amount)
  return [...sums].map(([currency, amount]) => ({ currency, amount: toAmount(amount) }))
}

/** 1/1000 of the input. More would leave large remainders in the intermediate currencies of paths with several hops. */
const headroomDivisor = 1000n

/**
 * Raises the input of a leg with an exact output by up to 1/1000 (rounded up), at most to `maxIn`, so that small trades
 * before it do not make it fail. Pools take only the amount that the output costs: the rest is returned.
 */
function withHeadroom(leg: LegSwap, maxIn: Amount): LegSwap {
  const { route, amountIn } = leg
  if (route === undefined || maxIn <= amountIn) return leg
  const share = divUp(amountIn, headroomDivisor)
  let spare = maxIn - amountIn
  if (spare > share) spare = share
  const paths = route.paths.map(
    (path): Path => ({
      ...path,
      amountIn: toAmount(path.amountIn + (path.amountIn * spare) / amountIn),
    }),
  )
  const raised = toAmount(paths.reduce((sum, path) => sum + path.amountIn, 0n))
  return { ...leg, amountIn: raised, route: { ...route, amountIn: raised, paths } }
}
