import type { Hash } from 'viem'
import type { Account } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Usd } from '#src/core/units/usd.ts'
import type { CountTerms, Page } from './requestList.ts'
import type { RequestStatus } from './state/requestState.ts'

/** The deposit address of a request, with the data for a sweep. */
export type WatchedAddress = Readonly<{
  requestId: Hash
  orderId: Hash
  address: Account
  /** Account on whose behalf the address deposits. */
  depositor: Account
  status: RequestStatus
  /** The chain on which the order expects its deposit. */
  chainId: ChainId
  /** The currency that the order expects. */
  currency: Account
  /** Smallest complete payment. */
  leastDeposit: Amount
  /** Whether it takes payments of any amount, each of which gets its own quote. */
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

/** The deposit addresses of requests. */
export type AddressStore = Readonly<{
  /** Addresses of the chain that are watched at `now` (Unix seconds), by the id of their request. */
  watchedAddresses: (
    chainId: ChainId,
    now: number,
    page: Page,
  ) => Promise<readonly WatchedAddress[]>
  /** The deposit addresses of the requests. Requests without one are left out. */
  findAddresses: (requestIds: readonly string[]) => Promise<readonly WatchedAddress[]>
  /** Total that sponsors pay for the payments to an open address that were not refunded and have not failed. */
  subsidizedUsd: (parentId: string) => Promise<Usd>
  /**
   * Number of watched addresses that still wait and are not expired at `now` (Unix seconds), at most `limit`: those of a
   * quota, or of all quotas of a network, whose name is the beginning of theirs.
   */
  countLiveAddresses: (quota: string, terms: CountTerms) => Promise<number>
  /** Number of addresses that are watched at `now` (Unix seconds) on all chains, at most `limit`. */
  countWatchedAddresses: (of: 'keys' | 'networks', terms: CountTerms) => Promise<number>
  /**
   * Stops watching up to `limit` addresses that were quoted before `before` (Unix ms) and never paid: of the keys or
   * widest networks with the most unpaid ones, the oldest first. The last one of each must be from before `lastBefore`.
   * Returns their number.
   */
  evictUnpaidAddresses: (
    of: 'keys' | 'networks',
    terms: Readonly<{ now: number; before: number; lastBefore: number; limit: number }>,
  ) => Promise<number>
}>
