import { AppError } from '#src/core/errors.ts'
import { isOneErc20 } from '#src/core/pricing/leg/leg.ts'
import { type Amount, formatAmount, toAmount } from '#src/core/units/amount.ts'
import { type Currency, isNative } from '#src/core/units/currency.ts'
import { type ChainMarket, type Market, marketOf } from './market.ts'
import type { Order } from './order.ts'

type InputField = Readonly<{ side: 'origin' | 'destination'; field: string }>

/**
 * Rejects a currency that is not supported on its chain.
 * @param named the input field with the currency.
 * @throws AppError UNSUPPORTED_CURRENCY
 */
export function refuseCurrency(market: Market, currency: Currency, named: InputField): void {
  const reason = marketOf(market, currency).refusedCurrencies.get(currency.address)
  if (reason !== undefined) throw new UnsupportedCurrencyError(currency, named, reason)
}

/** The currency is not supported, for example because its transfers do not move the stated amount. */
class UnsupportedCurrencyError extends AppError {
  constructor({ symbol, chainId, address }: Currency, { side, field }: InputField, reason: string) {
    super(
      'UNSUPPORTED_CURRENCY',
      `${symbol} on chain ${chainId} (${field}) is not supported: ${reason}`,
      { side, field, chainId, currency: address },
    )
  }
}

/** The executor of the order: on one chain the user, unless `forceSolverExecution` is set; else the solver. */
export const executorOf = ({
  origin,
  destination,
  forceSolverExecution,
}: Order): 'user' | 'solver' =>
  origin.chainId === destination.chainId && !forceSolverExecution ? 'user' : 'solver'

/**
 * Rejects options that need the solver if the user swaps alone.
 * @throws AppError that names the field.
 */
export function checkUserSwap(order: Order, market: ChainMarket): void {
  const { origin, destination } = order
  if (order.disableOriginSwaps && !isOneErc20(market, origin, destination))
    throw new AppError(
      'UNSUPPORTED_ROUTE',
      `disableOriginSwaps: ${origin.symbol} to ${destination.symbol} on chain ${origin.chainId} needs a swap there; leave disableOriginSwaps out.`,
      { field: 'disableOriginSwaps' },
    )
  if (order.fixedRate !== undefined) throw new UserSwapError('fixedRate', 'fixes a rate')
  if (order.topup !== undefined) throw new UserSwapError('topupGas', 'adds gas')
  if (order.latePaymentBps !== undefined)
    throw new UserSwapError('latePaymentSlippageTolerance', 'fills late deposits')
}

/** An option needs the solver, but the user executes the order alone. */
class UserSwapError extends AppError {
  constructor(field: string, does: string) {
    super(
      'UNSUPPORTED_EXECUTION_TYPE',
      `${field}: the user swaps alone on one chain, and only the solver ${does}; set forceSolverExecution, or leave ${field} out.`,
      { field },
    )
  }
}

/**
 * Rejects options that do not fit an order that the solver fills.
 * @throws AppError that names the field.
 */
export function checkFill({ topup, destination }: Order): void {
  if (topup === undefined || !isNative(destination.address)) return
  const message = `${destination.symbol} pays for gas on chain ${destination.chainId} already; leave topupGas out`
  throw new AppError('INVALID_REQUEST', `topupGas: ${message}.`, {
    field: 'topupGas',
    issues: [{ path: ['topupGas'], message }],
  })
}

/**
 * The values of the order's calls together must not exceed a native output; with an ERC-20 output they must be 0.
 * @throws AppError INVALID_EXTRA_TXS
 */
export function checkTxs(
  { txs, destination }: Pick<Order, 'txs' | 'destination'>,
  market: ChainMarket,
  output: Amount,
): void {
  if (txs.length === 0) return
  const paysNative = isNative(destination.address)
  const value = txs.reduce((sum, tx) => sum + tx.value, 0n)
  const maxValue = paysNative ? output : toAmount(0n)
  if (value <= maxValue) return
  const { symbol, decimals } = market.chain.native
  const carried = `txs: their values are ${formatAmount(value, decimals)} ${symbol} together`
  const reason = paysNative
    ? `more than the output of ${formatAmount(output, decimals)} ${symbol}`
    : `but the output is ${destination.symbol}: they have to be 0`
  throw new AppError('INVALID_EXTRA_TXS', `${carried}, ${reason}.`, {
    field: 'txs',
    value: value.toString(),
    most: maxValue.toString(),
  })
}
