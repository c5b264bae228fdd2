import type { ChainClient } from '#src/chains/chainClient.ts'
import { readHeaderAt } from '#src/chains/readBlock.ts'
import { type ChainTransaction, readReceipt, readTransaction } from '#src/chains/readTransaction.ts'
import type { BlockId } from '#src/chains/trail.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import type { FollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import { readSightings, type Sightings } from '#src/requests/tracker/read/readEvents.ts'
import { isItem, mainData } from '#src/requests/tracker/read/stepTransaction.ts'
import { idOfBlock, type Tracked } from '#src/requests/tracker/read/trackedLogs.ts'
import type { Watched } from './watchList.ts'

type Deps = Readonly<{
  client: Pick<ChainClient, 'ask'>
  store: Pick<RequestStore, 'findAll' | 'waitingSwaps' | 'list'>
  followed: Pick<FollowedBlocks, 'standing' | 'final'>
}>

export type Look = Readonly<{ block: BlockId; sightings: Sightings }>

/**
 * What one transaction tells of requests, as its block's logs would; and more, as the one who named it may have
 * named a request: its approvals, and swaps that leave no log or none at all. Undefined while the followed chain
 * does not hold it.
 * @throws what the store and the RPC throw.
 */
export async function lookAt(
  deps: Deps,
  tracked: Tracked,
  watched: Watched,
  signal: AbortSignal,
): Promise<Look | undefined> {
  const { client, followed } = deps
  const receipt = await readReceipt(client, watched.txHash, signal)
  if (receipt === undefined || followed.standing(receipt.block) !== 'in') return undefined
  const header = await readHeaderAt(client, receipt.block.number, signal)
  // Of what is final no hashes are kept: then the chain as it is now decides.
  if (header?.hash !== receipt.block.hash) return undefined
  const transaction = await readTransaction(client, watched.txHash, signal)
  if (transaction === undefined) return undefined
  const block = idOfBlock(header)
  const at = { hash: watched.txHash, block }
  const logged = await readSightings(deps, tracked, { ...header, logs: receipt.logs }, signal)
  const requests = await requestsOf(deps, tracked, { watched, transaction, header })
  const swaps = [...logged.swaps]
  for (const request of requests) {
    const item = mainData(request)
    if (request.execution !== 'user' || item === undefined || !isItem(transaction, item)) continue
    if (swaps.length > 0 || (await isTaken(deps, request, transaction))) continue
    swaps.push({ requestId: request.requestId, at })
  }
  const approvals = receipt.status === 'reverted' ? [] : approvalsIn(requests, tracked, transaction)
  return {
    block,
    sightings: { ...logged, swaps, approvals: approvals.map((each) => ({ ...each, at })) },
  }
}

/** A chain's clock may be behind ours by as much: what was mined earlier was not sent for the quote. */
const clockSkewMs = 60_000

/** The request that was named with it, else those of its sender that wait for their swap, oldest first. */
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
  const requests =
    requestId === undefined
      ? await store.waitingSwaps(chainId, [transaction.from], Number(header.timestamp))
      : await store.findAll([requestId])
  return requests
    .filter(({ createdAt }) => Number(header.timestamp) * 1000 >= createdAt - clockSkewMs)
    .filter(({ steps }) =>
      steps.some(({ items }) => items.some(({ data }) => data.chainId === chainId)),
    )
    .toSorted((one, other) => one.createdAt - other.createdAt)
}

/** As far back as a user's other requests are looked through for a transaction. */
const mostOthers = 100

/** Whether it is another request's swap already: a native send does not say whose it is. */
async function isTaken(
  { store }: Deps,
  { user, requestId }: StoredRequest,
  { hash }: ChainTransaction,
): Promise<boolean> {
  const { requests } = await store.list({ user, first: mostOthers })
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
