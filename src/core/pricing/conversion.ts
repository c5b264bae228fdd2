import { AppError } from '#src/core/errors.ts'
import type { Account } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { divUp, powerOfTen } from '#src/core/units/arithmetic.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { UsdPrice, UsdQuoted } from '#src/core/units/usd.ts'

/** The two currencies of one asset: the user deposits one, and the solver pays out the other. */
export type DepositPair = Readonly<{ deposit: Currency; payout: Currency }>

/** The payout for `amount` of the deposit currency without fees: one to one in whole currency units, rounded down. */
export const payoutFor = ({ deposit, payout }: DepositPair, amount: Amount): Amount =>
  payout.decimals >= deposit.decimals
    ? toAmount(amount * powerOfTen(payout.decimals - deposit.decimals))
    : toAmount(amount / powerOfTen(deposit.decimals - payout.decimals))

/** The inverse of `payoutFor`: the deposit for a payout of `amount` without fees, rounded up. */
export const depositFor = ({ deposit, payout }: DepositPair, amount: Amount): Amount =>
  deposit.decimals >= payout.decimals
    ? toAmount(amount * powerOfTen(deposit.decimals - payout.decimals))
    : toAmount(divUp(amount, powerOfTen(payout.decimals - deposit.decimals)))

/** `payoutFor`, rounded up: for costs. */
export const payoutForUp = ({ deposit, payout }: DepositPair, amount: Amount): Amount =>
  depositFor({ deposit: payout, payout: deposit }, amount)

/** Raw units of payout per raw unit of deposit, in floating point. */
export const payoutScale = ({ deposit, payout }: DepositPair): number =>
  10 ** (payout.decimals - deposit.decimals)

type Priced = Pick<Currency, 'chainId' | 'address' | 'symbol' | 'decimals'>

type UsdPrices = Readonly<{ usdPrices: ReadonlyMap<Account, UsdPrice> }>

/**
 * A currency with its price, for the conversions in `units/usd.ts`; `undefined` if its chain has no current price of
 * it.
 */
export function usdQuoted({ usdPrices }: UsdPrices, currency: Priced): UsdQuoted | undefined {
  const price = usdPrices.get(currency.address)
  return price && { decimals: currency.decimals, price }
}

/** @throws NoPriceError if the chain has no current price of the currency. */
export function requireUsdQuoted(market: UsdPrices, currency: Priced): UsdQuoted {
  const quoted = usdQuoted(market, currency)
  if (quoted === undefined) throw new NoPriceError(currency)
  return quoted
}

/** A currency of a conversion has no current price. */
class NoPriceError extends AppError {
  constructor(currency: Priced) {
    super(
      'PRICE_FETCH_FAILED',
      `No current price of ${currency.symbol} on chain ${currency.chainId}: its price feed is out of date, and no pool is both allowed and deep enough to price it.`,
      { chainId: currency.chainId, currency: currency.address },
    )
  }
}
