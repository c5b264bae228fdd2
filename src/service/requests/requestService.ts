import DataLoader from 'dataloader'
import type { Hash } from 'viem'
import { type ChainId, toChainId } from '#src/core/units/chainId.ts'
import type { TxId } from '#src/core/units/txId.ts'
import type { Markets } from '#src/market/markets.ts'
import type { Hub } from '#src/requests/events/hub.ts'
import type { Items } from '#src/requests/events/readerQueue.ts'
import type { WatchedChange } from '#src/requests/events/topic.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import { type RequestFilter, requestCursor } from '#src/requests/requestList.ts'
import {
  type CallerReads,
  type PaymentReads,
  type RequestReads,
  UnknownRequestError,
} from '#src/requests/requestStore.ts'
import type {
  ObservedTransaction,
  RequestState,
  StoredRequest,
} from '#src/requests/state/requestState.ts'
import type { HintStore } from '#src/requests/trackingStore.ts'
import { type Loaders, maxCountedRequests, type RequestAnswer } from '#src/service/answers.ts'
import { type Client, type Identify, knownCaller, quotaOf } from '#src/service/callers.ts'
import { type DepositoryOn, withRefunds } from '#src/service/depositRefunds.ts'

export type RequestsDeps = Readonly<{
  requests: CallerReads & HintStore
  hub: Hub
  latest: Markets['latest']
  identify: Identify
  depositoryOn: DepositoryOn
  /** @throws AppError UNSUPPORTED_CHAIN */
  chainIdOf: (id: number) => ChainId
}>

/** Maximum number of ids in one query of the store. */
const maxIdsPerQuery = 500

/** Loads all requests of one GraphQL document with one query. */
export const createRequestLoader = (requests: RequestReads) =>
  new DataLoader<`0x${string}`, StoredRequest | undefined>(
    async (requestIds) => {
      const found = await requests.findAll(requestIds)
      const byId = new Map(found.map((request) => [request.requestId, request]))
      return requestIds.map((requestId) => byId.get(requestId))
    },
    { maxBatchSize: maxIdsPerQuery },
  )

/** Loads the requests of quotes by order id, and users' own swaps by request id. */
export const createQuoteLoader = (requests: RequestReads) =>
  new DataLoader<`0x${string}`, StoredRequest | undefined>(
    async (quoteIds) => {
      const [ordered, asked] = await Promise.all([
        requests.findByOrders(quoteIds),
        requests.findAll(quoteIds),
      ])
      const byId = new Map<string, StoredRequest>()
      for (const each of asked) if (each.execution === 'user') byId.set(each.requestId, each)
      for (const each of ordered) if (each.execution === 'solver') byId.set(each.orderId, each)
      return quoteIds.map((quoteId) => byId.get(quoteId))
    },
    { maxBatchSize: maxIdsPerQuery },
  )

/**
 * Loads the deposits and the solver's transactions of requests: two queries for all requests that are read together.
 */
const createPaymentLoader = (requests: PaymentReads) =>
  new DataLoader(
    async (requestIds: readonly string[]) => {
      const [deposits, transactions] = await Promise.all([
        requests.depositsOfAll(requestIds),
        requests.transactionsOfAll(requestIds),
      ])
      return requestIds.map((id) => ({
        deposits: deposits.filter(({ requestId }) => requestId === id),
        transactions: transactions.filter(({ requestId }) => requestId === id),
      }))
    },
    // All clients share this loader, so a later read must see changes.
    { cache: false, maxBatchSize: maxIdsPerQuery },
  )

/** The stored requests, as the APIs show them. */
export type RequestService = Readonly<{
  /** @throws AppError UNKNOWN_REQUEST, SERVICE_UNAVAILABLE */
  requestStatus: (requestId: Hash, loaders: Loaders) => Promise<RequestAnswer>
  /**
   * Yields the current state at once, then every change, once and in order, until a terminal status. With `after` it
   * yields the changes after that `seq` instead, including past ones.
   * @throws AppError UNKNOWN_REQUEST; SERVICE_UNAVAILABLE; INVALID_REQUEST if `after` is above the current `seq`;
   * SUBSCRIBER_TOO_SLOW if too many changes wait to be read.
   */
  watchRequest: (requestId: Hash, after?: number) => AsyncIterableIterator<RequestAnswer>
  /** Newest first. @throws AppError INVALID_REQUEST if `after` is not a cursor of this list. */
  requests: (
    filter: RequestFilter,
  ) => Promise<Readonly<{ requests: readonly RequestAnswer[]; next: string | undefined }>>
  /** Number of requests that match the filter on all pages, among the first `maxCountedRequests` that are read. */
  countRequests: (filter: RequestFilter) => Promise<number>
  /** Name of the client's API key; `undefined` without one. @throws AppError UNAUTHORIZED for an unknown key. */
  callerName: (client: Client) => string | undefined
  /** Cursor of the page that follows this request. */
  requestCursor: (request: QuotedRequest) => string
  /**
   * Asks the tracker to inspect a transaction at once. Clients get fair shares of its time.
   * @throws AppError UNSUPPORTED_CHAIN, SERVICE_UNAVAILABLE
   */
  indexTransaction: IndexTransaction
}>

export type IndexTransaction = (
  hint: Readonly<{ chainId: number; txHash: TxId; requestId?: Hash }>,
  client: Client,
) => Promise<void>

export function createRequestService({
  requests,
  hub,
  latest,
  identify,
  depositoryOn,
  chainIdOf,
}: RequestsDeps): RequestService {
  const confirmations = ({ chainId, block }: ObservedTransaction): number | undefined => {
    const head = latest(toChainId(chainId))?.block.number
    if (head === undefined || block === undefined) return undefined
    // The market can be a block or two behind the tracker.
    return Math.max(1, Number(head - block.number) + 1)
  }
  const payments = createPaymentLoader(requests)
  const answerOf = (request: QuotedRequest, state: RequestState): RequestAnswer => ({
    request,
    state,
    confirmations,
    deposits: async () => {
      const { deposits, transactions } = await payments.load(request.requestId)
      return withRefunds(deposits, transactions, state, depositoryOn)
    },
  })
  /** Subscribers to a request share one answer for each change, so that the gateway can share its encoding too. */
  const answers = new WeakMap<WatchedChange, RequestAnswer>()

  return {
    requestStatus: async (requestId, loaders) => {
      const stored = await loaders.request(requestId)
      if (stored === undefined) throw new UnknownRequestError(requestId)
      return answerOf(stored, stored.state)
    },
    watchRequest: (requestId, after) =>
      mapItems(hub.watch(requestId, after), (change) => {
        const known = answers.get(change)
        if (known !== undefined) return known
        const answer = answerOf(change.request, change.state)
        answers.set(change, answer)
        return answer
      }),
    requests: async (filter) => {
      const page = await requests.list(filter)
      return {
        requests: page.requests.map((stored) => answerOf(stored, stored.state)),
        next: page.next,
      }
    },
    countRequests: (filter) => requests.count(filter, maxCountedRequests),
    callerName: ({ apiKey }) => identify(apiKey)?.name,
    requestCursor,
    indexTransaction: (hint, client) => {
      const caller = quotaOf(knownCaller(identify, client), client)
      return requests.addHint({ ...hint, chainId: chainIdOf(hint.chainId), caller })
    },
  }
}

/** Maps the items of a reader. Unlike in a generator, `return` does not wait for the pending item. */
function mapItems<Item, Result>(
  items: Items<Item>,
  toResult: (item: Item) => Result,
): Items<Result> {
  const convert = ({
    done,
    value,
  }: IteratorResult<Item, unknown>): IteratorResult<Result, undefined> =>
    done === true ? { done, value: undefined } : { done: false, value: toResult(value as Item) }
  const mapped: Items<Result> = {
    next: async () => convert(await items.next()),
    flow: ({ take, end }) => items.flow({ take: (item) => take(toResult(item)), end }),
    return: async () => {
      await items.return?.()
      return { done: true, value: undefined }
    },
    throw: async (error: unknown) => {
      await items.return?.()
      throw error
    },
    [Symbol.asyncIterator]: () => mapped,
  }
  return mapped
}
