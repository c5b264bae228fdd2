import type { TransactionCall } from '#src/execution/calls/transactionCall.ts'
import type { Address } from '#src/units/address.ts'

/** A transfer of 0 to the account itself: it uses a nonce and has no other effect. */
export const cancellationOf = (account: Address): TransactionCall => ({
  to: account,
  data: '0x',
  value: 0n,
})
