import type { Hash } from 'viem'
import type { Account } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { TxId } from '#src/core/units/txId.ts'
import type { RequestStatus, StoredRequest } from './state/requestState.ts'

/** One page of a list of requests, in the filter's order. */
export type RequestPage = Readonly<{
  requests: readonly StoredRequest[]
  /** Cursor of the next page; undefined on the last page. */
  next?: string
}>

export type RequestFilter = Readonly<{
  /** Absent: requests of any user. */
  user?: Account
  /** The user, the recipient or the deposit address. */
  account?: Account
  recipient?: Account
  requestId?: Hash
  statuses?: readonly RequestStatus[]
  failReason?: string
  refundFailReason?: string
  /** For a multi-input request, the chain of its first input. */
  originChainId?: ChainId
  destinationChainId?: ChainId
  /** The origin chain or the destination chain. */
  chainId?: ChainId
  /** Hash of one of the user's transactions or of the payments. */
  txHash?: TxId
  /** One of the user's transactions. */
  depositTxHash?: TxId
  fillTxHash?: TxId
  refundTxHash?: TxId
  /** Requests with a deposit that was seen. */
  orderId?: Hash
  /** For a multi-input request, the currency of its first input. */
  originCurrency?: Account
  destinationCurrency?: Account
  /** Configured name of the API key. */
  apiKey?: string
  referrer?: string
  depositAddress?: Account
  /** The requests of payments to the open deposit address of this one. */
  parentId?: Hash
  /** The request with this id, and the requests of payments to its open deposit address. */
  family?: Hash
  /** Whether requests of payments to open deposit addresses are left out. Absent: false. */
  withoutChildren?: boolean
  /** Unix seconds. Requests that wait for a deposit although their deadline is before this time are left out. */
  withoutExpiredAt?: number
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

/** Place of a request in the list of requests. Those of the same millisecond are ordered by id. */
export type RequestPlace = Readonly<{ createdAt: number; requestId: string }>

/** Cursor of a request in the list of requests. Used as `after`, it selects the requests quoted before it. */
export const requestCursor = ({ createdAt, requestId }: RequestPlace): string =>
  `${createdAt}-${requestId}`

const cursorParts = /^([0-9]{1,16})-(0x[0-9a-f]{64})$/

/** The time and the id of a cursor; undefined if `text` is not a cursor. */
export function parseRequestCursor(text: string): readonly [time: string, id: string] | undefined {
  const [, time, id] = cursorParts.exec(text) ?? []
  return time === undefined || id === undefined ? undefined : [time, id]
}

/** At most `limit` rows with an id above `after`. */
export type Page = Readonly<{ after?: string; limit: number }>

/** `now`: Unix seconds. `limit`: maximum number of rows. */
export type CountTerms = Readonly<{ now: number; limit: number }>

export type RequestLists = Readonly<{
  /** A page may have fewer requests than asked for, although there are more: it then has a cursor to go on. */
  list: (filter: RequestFilter) => Promise<RequestPage>
  /** Number of the matching ones among the first `limit` requests that the filter's indexes give, on all pages. */
  count: (filter: RequestFilter, limit: number) => Promise<number>
  /**
   * At most `limit` destination currencies of successful requests that were quoted at `since` (Unix ms) or later. The
   * order is by the number of requests or by their value in US dollars, the highest first.
   */
  boughtSince: (
    since: number,
    order: 'count' | 'usd',
    limit: number,
  ) => Promise<readonly Readonly<{ chainId: ChainId; address: Account }>[]>
}>
