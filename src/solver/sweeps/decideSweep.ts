import type { TransactionSize } from '#src/pricing/gas/gas.ts'
import { sweepTransaction } from '#src/pricing/gas/transactionSize.ts'
import type { ChainMarket, Market } from '#src/pricing/market.ts'
import type { WatchedAddress } from '#src/requests/watchedAddress.ts'
import { refundAmount } from '#src/solver/payouts/refundAmount.ts'
import type { Address } from '#src/units/address.ts'
import type { Holding } from './readHoldings.ts'

/**
 * So long an incomplete payment waits for the rest of it, in seconds. Anybody who sees a payment on its way can send a
 * little to its address before: swept alone, that would end the request with a refund.
 */
export const topUpSeconds = 600

/** About what a refund with its cost uses. */
const refundSize: TransactionSize = { gas: 140_000n, bytes: 900n }

/**
 * The currencies of an address to sweep now. `wait`: nothing yet, but look again. Empty: nothing is worth it.
 * - A complete payment is swept alone and at once, if it is worth more than the sweep.
 * - What an open address holds is swept at once, if it is worth more than the sweep and the refund.
 * - What can only be refunded is swept if it is worth more than the sweep and the refund; while the order awaits its
 *   deposit, only after `topUpSeconds`.
 * @param market of the chain on which the address holds this
 * @param times of the chain, in seconds since 1970; `since`: when it was first seen to hold something
 */
export function decideSweep(
  watched: WatchedAddress,
  holdings: readonly Holding[],
  { assets }: Pick<Market, 'assets'>,
  market: ChainMarket,
  { now, since }: Readonly<{ now: number; since: number }>,
): readonly Address[] | 'wait' {
  const chainId = market.chain.id
  const pays = (holding: Holding, size: TransactionSize) =>
    refundAmount({ chainId, ...holding }, { assets }, market, size).kind === 'amount'
  const isAwaited =
    !watched.isOpen &&
    watched.chainId === chainId &&
    watched.status === 'waiting' &&
    now <= watched.deadline
  const complete = holdings.find(
    ({ currency, amount }) =>
      isAwaited && currency === watched.currency && amount >= watched.leastDeposit,
  )
  if (complete !== undefined && pays(complete, sweepTransaction(complete.currency)))
    return [complete.currency]
  const refundable = holdings.filter((each) => pays(each, withRefund(each)))
  if (refundable.length === 0) return []
  return isAwaited && now - since < topUpSeconds
    ? 'wait'
    : refundable.map(({ currency }) => currency)
}

function withRefund({ currency }: Holding): TransactionSize {
  const { gas, bytes } = sweepTransaction(currency)
  return { gas: gas + refundSize.gas, bytes: bytes + refundSize.bytes }
}
