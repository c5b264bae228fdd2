import { transactionCost } from '#src/core/pricing/gas/gas.ts'
import { sweepTransaction } from '#src/core/pricing/gas/transactionSize.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import { requireUsdQuoted } from '#src/core/pricing/usdConversion.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { convertUp } from '#src/core/units/usd.ts'

/**
 * The cost of the first sweep of a deposit address, in the deposit currency, rounded up.
 * @throws NoPriceError if a price is missing.
 */
export function sweepCost(market: ChainMarket, deposit: Currency): Amount {
  const wei = transactionCost(market.gas, sweepTransaction(deposit.address))
  const { native } = market.chain
  if (deposit.address === native.address) return wei
  return convertUp(wei, requireUsdQuoted(market, native), requireUsdQuoted(market, deposit))
}
