import type { Hash } from 'viem'
import type { Address } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { RequestStatus } from './status/requestStatus.ts'

/** The deposit address of a request, with the data for a sweep. */
export type WatchedAddress = Readonly<{
  requestId: Hash
  orderId: Hash
  address: Address
  /** Account on whose behalf the address deposits. */
  depositor: Address
  status: RequestStatus
  /** The chain on which the order expects its deposit. */
  chainId: ChainId
  /** The currency that the order expects. */
  currency: Address
  /** Smallest complete payment. */
  leastDeposit: Amount
  /** Whether it takes payments of any amount, each of which is quoted anew. */
  isOpen: boolean
  /** Deadline of the order, Unix seconds. */
  deadline: number
}>

/**
 * Seconds that an address stays watched after the end of its request, or after the order's deadline if the request is
 * still open: one week. Later payments are swept on request.
 */
export const watchedAfterSeconds = 7 * 86_400

/** Maximum number of watched addresses, on all chains together. Each of them is checked within a minute. */
export const maxWatchedAddresses = 10_000

/** Maximum number of addresses of one caller that are neither paid nor expired. A wider network has a few times more. */
export const maxLiveAddresses = 100
