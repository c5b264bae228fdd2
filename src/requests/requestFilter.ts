import type { Hash } from 'viem'
import type { Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { StoredRequest } from './state/requestState.ts'
import type { RequestStatus } from './status/requestStatus.ts'

/** One page of a list of requests, in the filter's order. */
export type RequestPage = Readonly<{
  requests: readonly StoredRequest[]
  /** Cursor of the next page; undefined on the last page. */
  next?: string
}>

export type RequestFilter = Readonly<{
  /** Absent: requests of any user. */
  user?: Address
  /** The user, the recipient or the deposit address. */
  account?: Address
  statuses?: readonly RequestStatus[]
  /** For a multi-input request, the chain of its first input. */
  originChainId?: ChainId
  destinationChainId?: ChainId
  /** The origin chain or the destination chain. */
  chainId?: ChainId
  /** Hash of one of the user's transactions or of the payments. */
  txHash?: Hash
  /** Requests with a deposit that was seen. */
  orderId?: Hash
  referrer?: string
  depositAddress?: Address
  /** The requests of payments to the open deposit address of this one. */
  parentId?: Hash
  /** The request with this id, and the requests of payments to its open deposit address. */
  family?: Hash
  /** Whether requests of payments to open deposit addresses are left out. Absent: false. */
  withoutChildren?: boolean
  /** First and last time of the quote, Unix milliseconds, both included. */
  createdFrom?: number
  createdUntil?: number
  /** The quotes that come first; absent: the newest. */
  order?: 'newest' | 'oldest'
  /** 1 to 100. */
  first: number
  /** `next` of the previous page in the same order. */
  after?: string
}>
