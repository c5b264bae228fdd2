import { type TransactionSize, transactionCost } from '#src/core/pricing/gas/gas.ts'
import { depositTransaction, type LegShape } from '#src/core/pricing/gas/transactionSize.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { isRelayed } from '#src/core/pricing/permits.ts'
import { requireUsdQuoted } from '#src/core/pricing/usdConversion.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { mulDivUp } from '#src/core/units/mulDiv.ts'
import { convertUp } from '#src/core/units/usd.ts'

/** The quote charges 150 % of the current gas price, because the solver sends the signed transaction later. */
const chargedPercent = 150n

type RelayedOrder = Pick<Order, 'permit' | 'originGasOverhead'>

/**
 * The charge of the solver for sending a transaction that the user has signed, in wei, rounded up; 0 if the solver does
 * not send it.
 */
export function relayWei(
  order: RelayedOrder,
  { gas: gasMarket }: ChainMarket,
  { gas, bytes }: TransactionSize,
): Amount {
  if (!isRelayed(order)) return toAmount(0n)
  const wei = transactionCost(gasMarket, { gas: gas + order.originGasOverhead, bytes })
  return toAmount(mulDivUp(wei, chargedPercent, 100n))
}

/**
 * `relayWei` in a currency of the same chain, rounded up.
 * @throws NoPriceError if a price is missing
 */
export function relayCostIn(market: ChainMarket, wei: Amount, currency: Currency): Amount {
  const { native } = market.chain
  if (wei === 0n || currency.address === native.address) return wei
  return convertUp(wei, requireUsdQuoted(market, native), requireUsdQuoted(market, currency))
}

/**
 * The charge of the solver for sending a signed deposit with this leg before it, in the deposit currency, rounded up.
 * @throws NoPriceError if a price is missing
 */
export const depositRelayCost = (
  order: RelayedOrder,
  { origin, deposit }: Readonly<{ origin: ChainMarket; deposit: Currency }>,
  leg: LegShape,
): Amount =>
  relayCostIn(
    origin,
    relayWei(order, origin, depositTransaction(leg, true, order.permit?.kind)),
    deposit,
  )
