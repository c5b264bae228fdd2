import { transactionCost } from '#src/pricing/gas/gas.ts'
import type { ChainMarket } from '#src/pricing/market.ts'
import type { Order } from '#src/pricing/order.ts'
import { requireUsdQuoted } from '#src/pricing/usdConversion.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { type Currency, isNative } from '#src/units/currency.ts'
import { convertUp } from '#src/units/usd.ts'

/**
 * Gas that one app fee adds to the settlement of its deposit, measured and rounded up. A recipient of native currency may
 * use up its 50,000 gas, and then has a claim; an ERC-20 transfer does not call its recipient.
 */
const feeGas = { native: 95_000n, erc20: 45_000n }
/** Calldata of a fee: recipient, amount, and its proof. */
const feeBytes = 128n

/**
 * What the payment of an order's app fees costs the solver, in the deposit currency, rounded up.
 * @throws NoPriceError if a price is missing.
 */
export function appFeeCost(
  origin: ChainMarket,
  deposit: Currency,
  { appFees }: Pick<Order, 'appFees'>,
): Amount {
  const count = BigInt(appFees.length)
  if (count === 0n) return toAmount(0n)
  const gas = isNative(deposit.address) ? feeGas.native : feeGas.erc20
  const wei = transactionCost(origin.gas, { gas: gas * count, bytes: feeBytes * count })
  if (isNative(deposit.address)) return wei
  return convertUp(
    wei,
    requireUsdQuoted(origin, origin.chain.native),
    requireUsdQuoted(origin, deposit),
  )
}
