import type { Hash } from 'viem'
import type { Address } from '#src/core/units/address.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'

/** The address that the user of a request pays. */
export type DepositAddress = Readonly<{
  address: Address
  /** `open`: it takes any number of payments, each of which is a request of its own. `strict`: it takes one. */
  depositAddressType: 'open' | 'strict'
  depositor: Address
}>

/** The deposit address of a request; undefined if it has none. */
export function shownDepositAddress(request: QuotedRequest): DepositAddress | undefined {
  if (request.execution !== 'solver') return undefined
  const { depositAddress: address, depositor, open, parentId } = request
  if (address === undefined || depositor === undefined) return undefined
  const isOpen = open !== undefined || parentId !== undefined
  return { address, depositAddressType: isOpen ? 'open' : 'strict', depositor }
}

/** The request of the open deposit address that a request pays; undefined for other requests. */
export const parentIdOf = (request: QuotedRequest): Hash | undefined =>
  request.execution === 'solver' ? request.parentId : undefined
