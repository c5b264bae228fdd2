import type { Address } from '#src/core/units/address.ts'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'

/** A transfer of 0 to the account itself: it uses a nonce and has no other effect. */
export const cancellationOf = (account: Address): TransactionCall => ({
  to: account,
  data: '0x',
  value: 0n,
})
