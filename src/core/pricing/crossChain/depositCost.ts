import { transactionCost } from '#src/core/pricing/gas/gas.ts'
import { depositTransaction, type LegShape } from '#src/core/pricing/gas/transactionSize.ts'
import { isRelayed } from '#src/core/pricing/permits.ts'
import { usdQuoted } from '#src/core/pricing/usdConversion.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { convertDown } from '#src/core/units/usd.ts'
import type { AssetPair } from './assetPair.ts'
import type { AssetPairTerms } from './assetPairTerms.ts'

/**
 * The gas of the deposit in the currency whose amount the order leaves open, rounded down. 0 if a price is missing, or
 * if the solver sends the deposit, because its fees then include the gas.
 */
export function depositCost(
  order: AssetPairTerms,
  { origin, destination }: AssetPair,
  leg: LegShape,
): Amount {
  if (isRelayed(order)) return toAmount(0n)
  const transaction = depositTransaction(leg, order.explicitDeposit, order.permit?.kind)
  const wei = transactionCost(origin.gas, transaction)
  const native = usdQuoted(origin, origin.chain.native)
  const currency =
    order.tradeType === 'EXACT_INPUT'
      ? usdQuoted(destination, order.destination)
      : usdQuoted(origin, order.origin)
  if (native === undefined || currency === undefined) return toAmount(0n)
  return convertDown(wei, native, currency)
}
