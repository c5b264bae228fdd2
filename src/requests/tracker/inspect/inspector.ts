import { type Hash, type Hex, toFunctionSelector } from 'viem'
import type { BlockId } from '#src/chains/chainEvent.ts'
import { readHeaderAt } from '#src/chains/read/readBlock.ts'
import {
  type ChainTransaction,
  readReceipt,
  readTransaction,
} from '#src/chains/read/readTransaction.ts'
import type { Rpc } from '#src/chains/rpc/chainClient.ts'
import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { evmHash } from '#src/core/units/txId.ts'
import { requestIdsIn } from '#src/protocol/calls/userCall.ts'
import type { RequestLists } from '#src/requests/requestList.ts'
import type { RequestReads, RequestStore } from '#src/requests/requestStore.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import type { FollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import type { Mutex } from '#src/requests/tracker/mutex.ts'
import { isEmpty, type ObservedEvents, readEvents } from '#src/requests/tracker/read/readEvents.ts'
import { isItem, mainData } from '#src/requests/tracker/read/stepTransaction.ts'
import { idOfBlock, observedBlock, type Tracked } from '#src/requests/tracker/read/trackedLogs.ts'
import type { Reconciler } from '#src/requests/tracker/reconcile.ts'
import type { Payer, SwapReads } from '#src/requests/trackingStore.ts'
import {
  createFairShares,
  keyOf,
  maxWatched,
  ownerOf,
  type Watched,
  type WatchList,
} from './watchList.ts'

type Deps = Readonly<{
  client: Rpc
  log: Log
  store: RequestStore
  followed: FollowedBlocks
  reconciler: Reconciler
  mutex: Mutex
  watchList: WatchList
}>

/** Inspects single transactions in parallel with the blocks, a few at a time. */
export type Inspector = Readonly<{
  /** Queues an inspection. Several inspections of one transaction, for different requests, run one after the other. */
  inspect: (watched: Watched) => void
  /** Resolves once no inspection is running. */
  ended: () => Promise<void>
}>

const maxParallel = 8

export function createInspector(deps: Deps, tracked: Tracked, signal: AbortSignal): Inspector {
  const { log, followed, reconciler, mutex, watchList } = deps
  // A dropped entry stays on the watch list, and is inspected with the block that contains it.
  const waiting = createFairShares<Watched>(maxWatched)
  const busy = new Set<string>()
  const running = new Set<Promise<void>>()

  async function inspect(watched: Watched): Promise<void> {
    const inspection = await inspectTransaction(deps, tracked, watched, signal)
    if (inspection === undefined) {
      watchList.add(watched)
      return
    }
    await mutex(async () => {
      const { block, events } = inspection
      if (followed.statusOf(block) !== 'canonical') {
        watchList.add(watched, followed.head().number)
        return
      }
      if (!isEmpty(events)) await reconciler.reconcile({ events }, signal)
      const { depositConfirmations } = reconciler.rules
      // An approval or a reverted step is inspected again once it is confirmed.
      const isOpen =
        events.approvals.length + events.reverts.length > 0 &&
        !followed.isConfirmed(block, depositConfirmations)
      if (isOpen) watchList.add(watched, block.number + BigInt(depositConfirmations))
      else watchList.remove(watched)
    })
  }

  async function run(watched: Watched): Promise<void> {
    busy.add(watched.txHash)
    try {
      await inspect(watched)
    } catch (error) {
      // Inspected again at the next block.
      watchList.add(watched, followed.head().number)
      if (!signal.aborted)
        log.debug({ ...watched, reason: reasonOf(error) }, 'Could not inspect a transaction')
    }
    busy.delete(watched.txHash)
  }

  function startMore(): void {
    while (!signal.aborted && running.size < maxParallel) {
      const watched = waiting.take(({ txHash }) => !busy.has(txHash))
      if (watched === undefined) return
      const inspection = run(watched).then(() => {
        running.delete(inspection)
        startMore()
      })
      running.add(inspection)
    }
  }

  return {
    inspect: (watched) => {
      waiting.set(ownerOf(watched), keyOf(watched), watched)
      startMore()
    },
    ended: async () => {
      await Promise.all(running)
    },
  }
}

type InspectDeps = Readonly<{
  client: Rpc
  store: RequestReads & RequestLists & SwapReads
  followed: FollowedBlocks
}>

/** The block of a transaction, and the events of the transaction alone. */
type Inspection = Readonly<{ block: BlockId; events: ObservedEvents }>

/**
 * Reads the events of one transaction. Also finds events without a log: the approvals of the hinted request, and swaps
 * such as native sends. Undefined while the followed chain does not include the transaction.
 * @throws what the store and the RPC throw.
 */
async function inspectTransaction(
  deps: InspectDeps,
  tracked: Tracked,
  watched: Watched,
  signal: AbortSignal,
): Promise<Inspection | undefined> {
  const { client, followed } = deps
  const hash = evmHash(watched.txHash)
  const receipt = await readReceipt(client, hash, signal)
  if (receipt === undefined || followed.statusOf(receipt.block) !== 'canonical') return undefined
  const header = await readHeaderAt(client, receipt.block.number, signal)
  // The hashes of final blocks are not kept: compare with the node's present chain.
  if (header?.hash !== receipt.block.hash) return undefined
  const transaction = await readTransaction(client, hash, signal)
  if (transaction === undefined) return undefined
  const block = idOfBlock(header)
  const at = { hash, block: observedBlock(header) }
  const logged = await readEvents(deps, tracked, { ...header, logs: receipt.logs }, signal)
  const requests = await requestsOf(deps, tracked, { watched, transaction, header })
  const swaps = [...logged.swaps]
  for (const request of requests) {
    const item = mainData(request)
    if (request.execution !== 'user' || item === undefined || !isItem(transaction, item)) continue
    if (swaps.length > 0 || (await isTaken(deps, request, transaction))) continue
    swaps.push({ requestId: request.requestId, at })
  }
  const isReverted = receipt.status === 'reverted'
  const approvals = isReverted ? [] : approvalsIn(requests, tracked, transaction)
  const reverts = isReverted ? await revertedSteps(deps.store, requests, transaction) : []
  return {
    block,
    events: {
      ...logged,
      swaps,
      approvals: approvals.map((each) => ({ ...each, at })),
      reverts: reverts.map((each) => ({ ...each, at })),
    },
  }
}

/** Maximum lag of the chain's clock behind ours. A transaction mined earlier was not sent for the quote. */
const clockSkewMs = 60_000

/**
 * The request of the hint. Without one, the requests whose ids are in the calldata, and the sender's newest requests
 * that await such a native send or approval. Oldest first.
 */
async function requestsOf(
  { store }: InspectDeps,
  { chainId }: Tracked,
  {
    watched: { requestId },
    transaction,
    header,
  }: Readonly<{
    watched: Watched
    transaction: ChainTransaction
    header: Readonly<{ timestamp: bigint }>
  }>,
): Promise<readonly StoredRequest[]> {
  const payer = payerOf(transaction)
  const ids = requestId === undefined ? requestIdsIn(transaction.input) : [requestId]
  const terms = { now: Number(header.timestamp), limit: maxOthers }
  const [named, waiting] = await Promise.all([
    store.findAll(ids),
    requestId === undefined && payer !== undefined ? store.waitingSwaps(chainId, payer, terms) : [],
  ])
  const requests = new Map([...named, ...waiting].map((each) => [each.requestId, each]))
  return [...requests.values()]
    .filter(({ createdAt }) => Number(header.timestamp) * 1000 >= createdAt - clockSkewMs)
    .filter(({ steps }) =>
      steps.some(({ items }) => items.some(({ data }) => data.chainId === chainId)),
    )
    .toSorted((one, other) => one.createdAt - other.createdAt)
}

/** The payer and the currency, if the transaction is a native send or an approval. */
function payerOf({ from: user, to, input }: ChainTransaction): Payer | undefined {
  if (input === '0x') return { user, currency: nativeAddress }
  return to !== undefined && input.startsWith(approveSelector) ? { user, currency: to } : undefined
}

const approveSelector = toFunctionSelector('approve(address,uint256)')

/** Number of the requests with the transaction that are read. */
const maxOthers = 100

/** Whether another request already has the transaction as its swap. A native send carries no request id. */
async function isTaken(
  { store }: InspectDeps,
  { requestId }: StoredRequest,
  { hash }: ChainTransaction,
): Promise<boolean> {
  const { requests } = await store.list({ txHash: hash, first: maxOthers })
  return requests.some(
    (other) => other.requestId !== requestId && other.state.inTxHashes.includes(hash),
  )
}

const approvalsIn = (
  requests: readonly StoredRequest[],
  { chainId }: Tracked,
  transaction: ChainTransaction,
) =>
  requests.flatMap((request) =>
    request.steps.flatMap(({ id, items }, step) =>
      items.flatMap(({ data }, item) =>
        id === 'approve' && data.chainId === chainId && isItem(transaction, data)
          ? [{ requestId: request.requestId, step, item }]
          : [],
      ),
    ),
  )

/** A step of a request whose transaction reverted. */
type RevertedStep = Readonly<{ requestId: Hash; step: number; item: number }>

/** The order id is among these first words of a deposit's calldata. */
const searchedWords = 8

/**
 * The deposits and approvals that the reverted transaction was sent for, among the given requests and those whose order
 * id is in its calldata. The transaction must equal the quoted item and its sender, as anybody can hint a transaction.
 * A user's own swap is not included, as its revert ends the request.
 */
async function revertedSteps(
  store: RequestReads,
  requests: readonly StoredRequest[],
  transaction: ChainTransaction,
): Promise<readonly RevertedStep[]> {
  const orderIds = wordsOf(transaction.input)
  const ordered = orderIds.length === 0 ? [] : await store.findByOrders(orderIds)
  const all = new Map([...requests, ...ordered].map((each) => [each.requestId, each]))
  return [...all.values()].flatMap(({ requestId, execution, steps }) =>
    steps.flatMap(({ id, items }, step) =>
      items.flatMap(({ data }, item) => {
        const isSwap = execution === 'user' && id !== 'approve'
        return !isSwap && isItem(transaction, data) ? [{ requestId, step, item }] : []
      }),
    ),
  )
}

const wordsOf = (input: Hex): readonly Hash[] =>
  (input.slice(10).match(/.{64}/g) ?? [])
    .slice(0, searchedWords)
    .map((word): Hash => `0x${word.toLowerCase()}`)
