import { AppError } from '#src/core/errors.ts'
import { depositToSpend } from '#src/core/pricing/fees/relayFees.ts'
import { swapLeg } from '#src/core/pricing/leg/leg.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { type Currency, describeAmount, maxAmountData } from '#src/core/units/currency.ts'
import type { AssetPair } from './assetPair.ts'

const none = toAmount(0n)

/**
 * Whether the fill has to wait for liquidity: the solver lacks the amount that it spends, or the native currency of the
 * gas top-up, and the order may wait for it.
 * @throws SolverBalanceError if the order may not wait
 */
export function awaitsLiquidity(order: Order, assetPair: AssetPair, spend: Amount): boolean {
  try {
    checkSolverBalance(order, assetPair, spend)
    return false
  } catch (error) {
    if (order.externalLiquiditySeconds === undefined || !(error instanceof SolverBalanceError))
      throw error
    return true
  }
}

/**
 * Checks that the solver holds the amount that it spends, and the native currency of the gas top-up.
 * @throws SolverBalanceError
 */
function checkSolverBalance(order: Order, assetPair: AssetPair, spend: Amount): void {
  const { destination, payout, topup = none } = assetPair
  const { native } = destination.chain
  const isNativePayout = payout.address === native.address
  const added = isNativePayout ? topup : none
  const needed = spend + added
  const balance = balanceOf(destination, payout)
  if (needed > balance) {
    const spare = balance > added ? toAmount(balance - added) : none
    const limit = spare === none ? undefined : largestAmount(order, assetPair, spare)
    throw new SolverBalanceError(payout, { needed, balance }, limit)
  }
  if (!isNativePayout) checkBalance(destination, native, topup)
}

/** @throws SolverBalanceError if the solver does not hold `needed`. */
export function checkBalance(market: ChainMarket, currency: Currency, needed: bigint): void {
  const balance = balanceOf(market, currency)
  if (needed > balance) throw new SolverBalanceError(currency, { needed, balance }, undefined)
}

const balanceOf = ({ solverBalances }: ChainMarket, { address }: Currency): Amount =>
  solverBalances.get(address) ?? none

/** The amount of the order for which the solver spends `balance`; `undefined` if no pools can swap that much. */
function largestAmount(order: Order, assetPair: AssetPair, balance: Amount) {
  const { legs } = assetPair
  if (order.tradeType !== 'EXACT_INPUT') {
    const leg = swapLeg(legs.destination, 'exactInput', balance)
    return leg && { amount: leg.amountOut, currency: order.destination }
  }
  const deposit = depositToSpend(order, assetPair, balance)
  if (deposit === undefined) return undefined
  const leg = swapLeg(legs.origin, 'exactOutput', deposit)
  return leg && { amount: leg.amountIn, currency: order.origin }
}

/** The solver does not hold enough on the destination chain. */
class SolverBalanceError extends AppError {
  /** @param limit the largest amount of the order that works, in the currency of that amount. */
  constructor(
    payout: Currency,
    amounts: Readonly<{ needed: bigint; balance: Amount }>,
    limit: Readonly<{ amount: Amount; currency: Currency }> | undefined,
  ) {
    const { needed, balance } = amounts
    const hint =
      limit &&
      ` The largest amount that works is about ${describeAmount(limit.amount, limit.currency)}.`
    super(
      'INSUFFICIENT_LIQUIDITY',
      `The destination leg needs ${describeAmount(needed, payout)} on chain ${payout.chainId}; the solver holds ${describeAmount(balance, payout)}.${hint ?? ''}`,
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
