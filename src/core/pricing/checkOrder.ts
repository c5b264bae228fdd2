import { AppError } from '#src/core/errors.ts'
import { isOneErc20 } from '#src/core/pricing/leg/leg.ts'
import { type Amount, formatAmount, toAmount } from '#src/core/units/amount.ts'
import { type Currency, isNative, isSameCurrency } from '#src/core/units/currency.ts'
import type { ChainMarket, ChainMarkets } from './market.ts'
import { executorOf, isRelayed, type Order } from './order.ts'
import type { Price } from './price.ts'

type InputField = Readonly<{ side: 'origin' | 'destination'; field: string }>

/**
 * Rejects a currency that is not supported on its chain.
 * @param named the input field with the currency.
 * @throws AppError UNSUPPORTED_CURRENCY
 */
export function refuseCurrency(
  { refusedCurrencies }: ChainMarket,
  currency: Currency,
  named: InputField,
): void {
  const reason = refusedCurrencies.get(currency.address)
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

/**
 * Rejects an order that cannot be priced on any pools.
 * @throws AppError that names the field.
 */
export function checkOrder(order: Order, { origin, destination }: ChainMarkets): void {
  refuseCurrency(origin, order.origin, { side: 'origin', field: 'originCurrency' })
  refuseCurrency(destination, order.destination, {
    side: 'destination',
    field: 'destinationCurrency',
  })
  checkPermit(order)
  const isFilled = executorOf(order) === 'solver'
  if (isFilled) checkFill(order)
  checkPurpose(order)
  if (!isFilled) checkUserSwap(order, origin)
}

/**
 * Rejects options that need the solver if the user swaps alone.
 * @throws AppError that names the field.
 */
function checkUserSwap(order: Order, market: ChainMarket): void {
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
function checkFill({ topup, destination }: Order): void {
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

/** Rejects an order whose user would pay a currency to itself and do nothing else. */
function checkPurpose({ origin, destination, user, recipient, txs }: Order): void {
  if (isSameCurrency(origin, destination) && recipient === user && txs.length === 0)
    throw new NothingToDoError(origin)
}

class NothingToDoError extends AppError {
  constructor({ symbol, chainId }: Currency) {
    super(
      'UNSUPPORTED_ROUTE',
      `Origin and destination are both ${symbol} on chain ${chainId}, and recipient is user: name another recipient to send, or another currency to swap.`,
    )
  }
}

/**
 * Rejects a payment by signature of a native currency, and a swap by signature on one chain if nobody pays its gas.
 * @throws AppError that names the field
 */
function checkPermit({ permit, origin, destination, sponsorship }: PermitOrder): void {
  if (permit === undefined) return
  if (isNative(origin.address)) throw new NativePermitError(origin)
  if (origin.chainId !== destination.chainId || sponsorship !== undefined) return
  if (permit.payer === undefined) throw new UnsponsoredPermitError(origin)
}

/** @throws UnsponsoredPermitError if a swap by signature on one chain costs more than its sponsor pays */
export function checkSponsored({ order, fees }: Pick<Price, 'order' | 'fees'>): void {
  const maxUsd = order.sponsorship?.maxUsd
  if (!isRelayed(order) || maxUsd === undefined) return
  if (fees.subsidized.usd === undefined || fees.subsidized.usd > maxUsd)
    throw new UnsponsoredPermitError(order.origin)
}

type PermitOrder = Pick<Order, 'permit' | 'origin' | 'destination' | 'sponsorship'>

/** A native currency cannot be paid by signature. */
class NativePermitError extends AppError {
  constructor({ symbol, chainId }: Currency) {
    super(
      'UNSUPPORTED_CURRENCY',
      `usePermit: ${symbol} is the native currency of chain ${chainId} and cannot be paid by signature; wrap it, or leave usePermit out.`,
      { field: 'usePermit', chainId },
    )
  }
}

/**
 * Nobody pays the gas of a swap by signature on one chain. The user gets the whole output, so the solver cannot
 * charge for sending it.
 */
class UnsponsoredPermitError extends AppError {
  constructor({ chainId }: Currency) {
    super(
      'UNSUPPORTED_EXECUTION_TYPE',
      `usePermit: a swap by signature on chain ${chainId} alone needs a sponsor who pays its gas; set subsidizeFees with a sponsor’s key and a sufficient maxSubsidizationAmount, or leave usePermit out.`,
      { field: 'usePermit', chainId },
    )
  }
}
