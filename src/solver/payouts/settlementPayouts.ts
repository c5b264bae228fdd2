import type { Payout } from '#src/execution/calls/callRequest.ts'
import type { OrderFee } from '#src/execution/order/protocolOrder.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { Address } from '#src/units/address.ts'
import { mulDivDown } from '#src/units/mulDiv.ts'

/** A filled deposit, with the app fees of its order. */
export type Earned = Readonly<{ deposit: Deposit; fees: readonly OrderFee[] }>

/**
 * The payouts for filled deposits: the app fees to their recipients, and the rest of each currency to the solver in
 * one payout. If a deposit is smaller than its fees, each fee gets its share of it, rounded down.
 * @param feesMayFail whether a recipient that rejects its fee loses it to the depository, instead of failing the whole
 * settlement
 */
export function settlementPayouts(
  earned: readonly Earned[],
  { solver, feesMayFail }: Readonly<{ solver: Address; feesMayFail: boolean }>,
): readonly Payout[] {
  const rests = new Map<Address, bigint>()
  const feePayouts = earned.flatMap(({ deposit: { currency, amount }, fees }) => {
    const owed = fees.reduce((sum, fee) => sum + fee.amount, 0n)
    const shares = fees.map(({ recipient, amount: fee }) => ({
      recipient,
      currency,
      amount: owed > amount ? mulDivDown(fee, amount, owed) : fee,
      allowFailure: feesMayFail,
    }))
    const paid = shares.reduce((sum, share) => sum + share.amount, 0n)
    rests.set(currency, (rests.get(currency) ?? 0n) + amount - paid)
    return shares
  })
  const solverPayouts = [...rests].map(([currency, amount]) => ({
    recipient: solver,
    currency,
    amount,
    allowFailure: false,
  }))
  return [...feePayouts, ...solverPayouts].filter(({ amount }) => amount > 0n)
}
