import { type Hash, type Hex, toFunctionSelector } from 'viem'
import type { BlockId } from '#src/chains/chainEvent.ts'
import { readHeaderAt } from '#src/chains/read/readBlock.ts'
import {
  type ChainTransaction,
  readReceipt,
  readTransaction,
} from '#src/chains/read/readTransaction.ts'
import type { Rpc } from '#src/chains/rpc/chainClient.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { requestIdsIn } from '#src/protocol/calls/requestIds.ts'
import type { RequestLists } from '#src/requests/requestList.ts'
import type { RequestReads } from '#src/requests/requestStore.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import type { FollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import { type ObservedEvents, readEvents } from '#src/requests/tracker/read/readEvents.ts'
import { isItem, mainData } from '#src/requests/tracker/read/stepTransaction.ts'
import { idOfBlock, observedBlock, type Tracked } from '#src/requests/tracker/read/trackedLogs.ts'
import type { Payer, SwapReads } from '#src/requests/trackingStore.ts'
import type { Watched } from './watchList.ts'

type Deps = Readonly<{
  client: Rpc
  store: RequestReads & RequestLists & SwapReads
  followed: FollowedBlocks
}>

/** The block of a transaction, and the events of the transaction alone. */
export type Inspection = Readonly<{ block: BlockId; events: ObservedEvents }>

/**
 * Reads the events of one transaction. Also finds events without a log: the approvals of the hinted request, and swaps
 * such as native sends. Undefined while the followed chain does not include the transaction.
 * @throws what the store and the RPC throw.
 */
export async function inspectTransaction(
  deps: Deps,
  tracked: Tracked,
  watched: Watched,
  signal: AbortSignal,
): Promise<Inspection | undefined> {
  const { client, followed } = deps
  const receipt = await readReceipt(client, watched.txHash, signal)
  if (receipt === undefined || followed.statusOf(receipt.block) !== 'canonical') return undefined
  const header = await readHeaderAt(client, receipt.block.number, signal)
  // The hashes of final blocks are not kept: compare with the node's present chain.
  if (header?.hash !== receipt.block.hash) return undefined
  const transaction = await readTransaction(client, watched.txHash, signal)
  if (transaction === undefined) return undefined
  const block = idOfBlock(header)
  const at = { hash: watched.txHash, block: observedBlock(header) }
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
  { store }: Deps,
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
  { store }: Deps,
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
