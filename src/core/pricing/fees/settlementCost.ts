import { type TransactionSize, transactionCost } from '#src/core/pricing/gas/gas.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { requireUsdQuoted } from '#src/core/pricing/usdConversion.ts'
import type { Amount } from '#src/core/units/amount.ts'
import { type Currency, isNative } from '#src/core/units/currency.ts'
import { convertUp } from '#src/core/units/usd.ts'

// Measured (`npm run bench:gas`) and rounded up.

/** The share of one recorded deposit in a settlement of twenty, overhead of the transaction included. */
const batched: TransactionSize = { gas: 19_000n, bytes: 320n }
/** The settlement of an unrecorded plain transfer of an ERC-20, which takes one transaction each. */
const alone: TransactionSize = { gas: 102_000n, bytes: 700n }
/**
 * The size that one app fee adds. A recipient of native currency may use up its 50,000 gas, and then has a claim; an
 * ERC-20 transfer does not call its recipient.
 */
const appFee = {
  native: { gas: 95_000n, bytes: 128n },
  erc20: { gas: 45_000n, bytes: 128n },
} as const

type SettledOrder = Partial<Pick<Order, 'appFees' | 'explicitDeposit'>>

/**
 * The cost for the solver of settling a deposit from the depository, with the app fees of its order, in `currency`,
 * rounded up.
 * @throws NoPriceError if a price is missing.
 */
export function settlementCost(
  { market: origin, deposit }: Readonly<{ market: ChainMarket; deposit: Currency }>,
  { appFees = [], explicitDeposit = true }: SettledOrder,
  { market, currency }: Readonly<{ market: ChainMarket; currency: Currency }>,
): Amount {
  const isRecorded = explicitDeposit || isNative(deposit.address)
  const own = isRecorded ? batched : alone
  const each = isNative(deposit.address) ? appFee.native : appFee.erc20
  const count = BigInt(appFees.length)
  const wei = transactionCost(origin.gas, {
    gas: own.gas + each.gas * count,
    bytes: own.bytes + each.bytes * count,
  })
  const { native } = origin.chain
  if (market === origin && currency.address === native.address) return wei
  return convertUp(wei, requireUsdQuoted(origin, native), requireUsdQuoted(market, currency))
}
