import type { AppFee } from '#src/pricing/order.ts'
import type { Address } from '#src/units/address.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'

/** What each recipient gets of all app fees together: the last one what rounding down leaves. */
export function appFeeShares(
  fees: readonly AppFee[],
  total: Amount,
): readonly Readonly<{ recipient: Address; amount: Amount }>[] {
  const bps = fees.reduce((sum, { fee }) => sum + fee, 0n)
  let rest: bigint = total
  return fees.map(({ recipient, fee }, place) => {
    const share = bps === 0n ? 0n : (total * fee) / bps
    const amount = toAmount(place === fees.length - 1 ? rest : share)
    rest -= amount
    return { recipient, amount }
  })
}
