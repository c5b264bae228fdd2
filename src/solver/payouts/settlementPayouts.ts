import type { Payout } from '#src/execution/calls/callRequest.ts'
import type { OrderFee } from '#src/execution/order/protocolOrder.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { Address } from '#src/units/address.ts'
import { mulDivDown } from '#src/units/mulDiv.ts'

/** A deposit that was filled, with the app fees that its order names. */
export type Earned = Readonly<{ deposit: Deposit; fees: readonly OrderFee[] }>

/**
 * What filled deposits come to: app fees to who built the frontends, and what is left of each currency to the solver,
 * in one payment. Of a deposit that is less than its fees each gets its share, rounded down.
 * @param spares whether a recipient that refuses its fee holds up the others, or loses it to the depository.
 */
export function settlementPayouts(
  earned: readonly Earned[],
  { solver, spares }: Readonly<{ solver: Address; spares: boolean }>,
): readonly Payout[] {
  const rests = new Map<Address, bigint>()
  const feePayouts = earned.flatMap(({ deposit: { currency, amount }, fees }) => {
    const owed = fees.reduce((sum, fee) => sum + fee.amount, 0n)
    const shares = fees.map(({ recipient, amount: fee }) => ({
      recipient,
      currency,
      amount: owed > amount ? mulDivDown(fee, amount, owed) : fee,
      allowFailure: spares,
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
