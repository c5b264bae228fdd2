import { type TransactionSize, transactionCost } from '#src/core/pricing/gas/gas.ts'
import type { ChainMarket, Market } from '#src/core/pricing/market.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { mulDivUp } from '#src/core/units/arithmetic.ts'
import { isNative } from '#src/core/units/currency.ts'
import { toUsd, usdValueDown } from '#src/core/units/usd.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'

/** The outcome of pricing a refund. */
export type RefundAmount =
  | Readonly<{ kind: 'amount'; amount: Amount }>
  /** A price is missing: ask again later. */
  | Readonly<{ kind: 'noPrice' }>
  /** The gas costs more than the deposit at the moment. */
  | Readonly<{ kind: 'gasTooHigh' }>
  /** The deposit is worth at most ten cents and less than the gas, or the solver does not bridge its currency. */
  | Readonly<{ kind: 'dust' }>

/** Ten cents. A larger deposit is not given up because gas is expensive at the moment. */
export const dustUsd = toUsd(100_000n)

/**
 * The deposit minus the cost of the refund's transaction. The cost is rounded up, against the recipient. A currency
 * that the solver does not bridge cannot pay for gas, whatever its price: anybody can issue a currency.
 * @param market of the deposit's chain, with the assets that the solver bridges
 */
export function refundAmount(
  { chainId, currency, amount }: Pick<Deposit, 'chainId' | 'currency' | 'amount'>,
  { assets }: Pick<Market, 'assets'>,
  market: ChainMarket,
  size: TransactionSize,
): RefundAmount {
  const { native, wrappedNative } = market.chain
  const wei = transactionCost(market.gas, size)
  const isWei = isNative(currency) || currency === wrappedNative
  const price = market.usdPrices.get(isWei ? native.address : currency)
  const bridged = assets
    .map(({ currencies }) => currencies.get(chainId))
    .find((each) => each?.address === currency)
  const decimals = isWei ? native.decimals : bridged?.decimals
  if (decimals === undefined) return { kind: 'dust' }
  const cost = isWei ? wei : costIn(market, { price, decimals }, wei)
  if (cost === undefined) return { kind: 'noPrice' }
  if (cost < amount) return { kind: 'amount', amount: toAmount(amount - cost) }
  if (price === undefined) return { kind: 'noPrice' }
  return { kind: usdValueDown(amount, decimals, price) > dustUsd ? 'gasTooHigh' : 'dust' }
}

function costIn(
  { chain: { native }, usdPrices }: ChainMarket,
  { price, decimals }: Readonly<{ price: bigint | undefined; decimals: number }>,
  wei: bigint,
): bigint | undefined {
  const nativePrice = usdPrices.get(native.address)
  if (nativePrice === undefined || price === undefined) return undefined
  return mulDivUp(
    wei,
    nativePrice * 10n ** BigInt(decimals),
    price * 10n ** BigInt(native.decimals),
  )
}
