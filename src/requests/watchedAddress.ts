import type { Hash } from 'viem'
import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { RequestStatus } from './status/requestStatus.ts'

/** The deposit address of a request, with what a sweep of it needs to know. */
export type WatchedAddress = Readonly<{
  requestId: Hash
  orderId: Hash
  address: Address
  /** In whose name the address deposits. */
  depositor: Address
  status: RequestStatus
  /** The chain on which the order expects its deposit. */
  chainId: ChainId
  /** The currency that the order expects, and the smallest complete payment. */
  currency: Address
  leastDeposit: Amount
  /** Whether it takes payments of any amount, each of which is quoted anew. */
  isOpen: boolean
  /** Of the order, in seconds since 1970. */
  deadline: number
}>

/**
 * An address is watched until its order's deadline, and so long after it or after the end of its request, in seconds: one
 * week. Later payments are swept when somebody asks for it.
 */
export const watchedAfterSeconds = 7 * 86_400

/** Most addresses that are watched, on all chains together: each of them is looked at within a minute. */
export const maxWatchedAddresses = 10_000

/** Most addresses of one caller that are neither paid nor expired. */
export const maxLiveAddresses = 100
