import { type TransactionSize, transactionCost } from '#src/pricing/gas/gas.ts'
import type { ChainMarket } from '#src/pricing/market.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { isNative } from '#src/units/currency.ts'
import { mulDivUp } from '#src/units/mulDiv.ts'

/**
 * The amount of a deposit's refund: the deposit minus the cost of the refund's transaction, rounded against the
 * recipient. Undefined where nothing is left, and where the cost has no known value in the deposit's currency.
 * @param decimals of the deposit's currency; undefined if unknown
 */
export function refundAmount(
  { currency, amount }: Pick<Deposit, 'currency' | 'amount'>,
  market: ChainMarket,
  size: TransactionSize,
  decimals: number | undefined,
): Amount | undefined {
  const wei = transactionCost(market.gas, size)
  const cost = isNative(currency) ? wei : costIn(market, currency, decimals, wei)
  return cost === undefined || cost >= amount ? undefined : toAmount(amount - cost)
}

function costIn(
  { chain: { native, wrappedNative }, usdPrices }: ChainMarket,
  currency: Deposit['currency'],
  decimals: number | undefined,
  wei: bigint,
): bigint | undefined {
  if (currency === wrappedNative) return wei
  const nativePrice = usdPrices.get(native.address)
  const price = usdPrices.get(currency)
  if (nativePrice === undefined || price === undefined || decimals === undefined) return undefined
  return mulDivUp(
    wei,
    nativePrice * 10n ** BigInt(decimals),
    price * 10n ** BigInt(native.decimals),
  )
}
