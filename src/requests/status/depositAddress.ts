import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { Address } from '#src/units/address.ts'

/** The address that the user of a request pays. */
export type DepositAddress = Readonly<{
  address: Address
  depositAddressType: 'strict'
  depositor: Address
}>

/** Undefined where the user pays no deposit address. */
export function shownDepositAddress(request: QuotedRequest): DepositAddress | undefined {
  if (request.execution !== 'solver') return undefined
  const { depositAddress: address, depositor } = request
  return address === undefined || depositor === undefined
    ? undefined
    : { address, depositAddressType: 'strict', depositor }
}
