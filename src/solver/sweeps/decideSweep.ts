import type { TransactionSize } from '#src/core/pricing/gas/gas.ts'
import { sweepTransaction } from '#src/core/pricing/gas/transactionSize.ts'
import type { ChainMarket, Market } from '#src/core/pricing/market.ts'
import type { Address } from '#src/core/units/address.ts'
import type { WatchedAddress } from '#src/requests/addressStore.ts'
import { refundAmount } from '#src/solver/payouts/refundAmount.ts'
import type { Balance } from './sweepCandidates.ts'

/**
 * Time in seconds that an incomplete payment waits for the rest. An attacker who sees a pending payment can send a
 * small amount to its address first. If it were swept alone, the request would end with a refund.
 */
export const topUpSeconds = 600

/** Approximate size of a refund that pays its cost to the solver. */
const refundSize: TransactionSize = { gas: 140_000n, bytes: 900n }

/**
 * The currencies of an address to sweep now. `wait`: check again later. Empty: no balance is worth a sweep.
 * - A complete payment is swept alone and at once, if it is worth more than the sweep.
 * - A balance of an open address is swept at once, if it is worth more than the sweep and a refund.
 * - A balance that can only be refunded is swept if it is worth more than the sweep and the refund. While the order
 *   awaits its deposit, it is swept only after `topUpSeconds`.
 * @param market of the chain that has the balances
 * @param times of the chain, in seconds since 1970; `since`: first time at which the address had a balance to sweep
 */
export function decideSweep(
  watched: WatchedAddress,
  balances: readonly Balance[],
  { assets }: Pick<Market, 'assets'>,
  market: ChainMarket,
  { now, since }: Readonly<{ now: number; since: number }>,
): readonly Address[] | 'wait' {
  const chainId = market.chain.id
  const pays = (balance: Balance, size: TransactionSize) =>
    refundAmount({ chainId, ...balance }, { assets }, market, size).kind === 'amount'
  const isAwaited =
    !watched.isOpen &&
    watched.chainId === chainId &&
    watched.status === 'waiting' &&
    now <= watched.deadline
  const complete = balances.find(
    ({ currency, amount }) =>
      isAwaited && currency === watched.currency && amount >= watched.leastDeposit,
  )
  if (complete !== undefined && pays(complete, sweepTransaction(complete.currency)))
    return [complete.currency]
  const refundable = balances.filter((each) => pays(each, withRefund(each)))
  if (refundable.length === 0) return []
  return isAwaited && now - since < topUpSeconds
    ? 'wait'
    : refundable.map(({ currency }) => currency)
}

function withRefund({ currency }: Balance): TransactionSize {
  const { gas, bytes } = sweepTransaction(currency)
  return { gas: gas + refundSize.gas, bytes: bytes + refundSize.bytes }
}
