import { AppError } from '#src/core/errors.ts'
import { depositForNetInput, payersOf } from '#src/core/pricing/fees/relayFees.ts'
import { swapLeg } from '#src/core/pricing/leg/leg.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { maxDeposit } from '#src/core/pricing/settlement.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import {
  type Currency,
  describeAmount,
  type Limit,
  limitHint,
  maxAmountData,
} from '#src/core/units/currency.ts'
import type { AssetPair } from './assetPair.ts'

const none = toAmount(0n)

/**
 * Whether the fill has to wait for liquidity: the solver lacks the input of the destination leg, or the native currency
 * of the gas top-up, and the order may wait for it.
 * @throws SolverBalanceError if the order may not wait
 */
export function awaitsLiquidity(
  { externalLiquiditySeconds }: Pick<Order, 'externalLiquiditySeconds'>,
  assetPair: AssetPair,
  netInput: Amount,
): boolean {
  const { destination, payout, topup = none } = assetPair
  const { native } = destination.chain
  const isNativePayout = payout.address === native.address
  const added = isNativePayout ? topup : none
  const needed = netInput + added
  const balance = balanceOf(destination, payout)
  const lacksPayout = needed > balance
  const lacksTopup = !isNativePayout && topup > balanceOf(destination, native)
  if (!lacksPayout && !lacksTopup) return false
  if (externalLiquiditySeconds !== undefined) return true
  if (!lacksPayout) throw lackOf(destination, native, topup)
  const limit = balance > added ? largestAmount(assetPair, toAmount(balance - added)) : undefined
  throw new SolverBalanceError(payout, { needed, balance }, limit)
}

/** @throws SolverBalanceError if the solver does not hold `needed`. */
export function checkBalance(market: ChainMarket, currency: Currency, needed: bigint): void {
  if (needed > balanceOf(market, currency)) throw lackOf(market, currency, needed)
}

const lackOf = (market: ChainMarket, currency: Currency, needed: bigint): SolverBalanceError =>
  new SolverBalanceError(currency, { needed, balance: balanceOf(market, currency) }, undefined)

const balanceOf = ({ solverBalances }: ChainMarket, { address }: Currency): Amount =>
  solverBalances.get(address) ?? none

/** The amount of the order whose destination leg takes `netInput`; `undefined` if no pools can swap that much. */
function largestAmount(assetPair: AssetPair, netInput: Amount): Limit | undefined {
  const { destination } = assetPair.legs
  if (assetPair.terms.tradeType !== 'EXACT_INPUT') {
    const leg = swapLeg(destination, 'exactInput', netInput)
    return leg && { amount: leg.amountOut, currency: destination.output }
  }
  // Approximate, because it leaves out the cost of the fill.
  const [payer] = payersOf(assetPair)
  const needed = depositForNetInput(assetPair, payer, netInput, none)
  return needed && largestInput(assetPair, needed)
}

/**
 * The input that becomes a deposit of at most `most` that can be settled. `undefined` if there is none, or no pools can
 * swap that much.
 */
export function largestInput(assetPair: AssetPair, most?: Amount): Limit | undefined {
  const { origin } = assetPair.legs
  const max = maxDeposit(assetPair.origin, assetPair.deposit)
  const deposit = most === undefined || (max !== undefined && max < most) ? max : most
  if (deposit === undefined || deposit === none) return undefined
  const leg = swapLeg(origin, 'exactOutput', deposit)
  return leg && { amount: leg.amountIn, currency: origin.input }
}

/** The solver does not hold enough on the destination chain. */
class SolverBalanceError extends AppError {
  constructor(
    payout: Currency,
    amounts: Readonly<{ needed: bigint; balance: Amount }>,
    limit: Limit | undefined,
  ) {
    const { needed, balance } = amounts
    super(
      'INSUFFICIENT_LIQUIDITY',
      `The destination leg needs ${describeAmount(needed, payout)} on chain ${payout.chainId}; the solver holds ${describeAmount(balance, payout)}.${limitHint(limit)}`,
      {
        leg: 'destination',
        chainId: payout.chainId,
        currency: payout.address,
        needed: needed.toString(),
        balance: balance.toString(),
        ...(limit !== undefined && maxAmountData(limit.amount, limit.currency)),
      },
    )
  }
}
