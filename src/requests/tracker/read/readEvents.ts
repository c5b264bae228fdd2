import type { Hash } from 'viem'
import type { BlockId } from '#src/chains/chainEvent.ts'
import { type ChainTransaction, readTransaction } from '#src/chains/read/readTransaction.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { UnusableAnswerError } from '#src/chains/rpc/rpcError.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'
import { plainDepositCandidates, plainDepositOf } from './plainDeposits.ts'
import { isMainTransaction, mainData } from './stepTransaction.ts'
import {
  contractRuns,
  depositEvents,
  idOfBlock,
  type LoggedBlock,
  namedRuns,
  type ObservedDeposit,
  type Spending,
  spendings,
  type Tracked,
} from './trackedLogs.ts'

type At = Readonly<{ hash: Hash; block: BlockId }>

/** The events of a block, or of one of its transactions, that concern requests. All are verified. */
export type ObservedEvents = Readonly<{
  deposits: readonly ObservedDeposit[]
  /** Users' own swaps and approvals, with the request that each belongs to. */
  swaps: readonly Readonly<{ requestId: Hash; at: At }>[]
  approvals: readonly Readonly<{ requestId: Hash; step: number; item: number; at: At }>[]
  /** Successful transactions that may be the solver's. */
  runs: readonly At[]
}>

export const noEvents: ObservedEvents = { deposits: [], swaps: [], approvals: [], runs: [] }

export const isEmpty = ({ deposits, swaps, approvals, runs }: ObservedEvents): boolean =>
  deposits.length + swaps.length + approvals.length + runs.length === 0

type Deps = Readonly<{
  client: Pick<ChainClient, 'ask'>
  store: Pick<RequestStore, 'findAll' | 'waitingSwaps'>
}>

/**
 * No node has a transaction whose logs a block contains. A node will have it soon, or a reorg removed the block.
 * The message is for the log.
 */
export class MissingTransactionError extends UnusableAnswerError {
  constructor(hash: Hash) {
    super(`no node has transaction ${hash}`)
    this.name = 'MissingTransactionError'
  }
}

/**
 * Reads all events of a block, or fails: no event is left out.
 * @throws MissingTransactionError, and what the store and the RPC throw.
 */
export async function readEvents(
  deps: Deps,
  tracked: Tracked,
  block: LoggedBlock,
  signal: AbortSignal,
): Promise<ObservedEvents> {
  if (block.logs.length === 0) return noEvents
  const transactions = createTransactions(deps.client, signal)
  const spent = spendings(tracked, block)
  const deposits = depositEvents(tracked, block)
  const [plain, swaps] = await Promise.all([
    readPlainDeposits(
      tracked,
      block,
      transactions,
      plainDepositCandidates(tracked, spent, deposits),
    ),
    readSwaps(deps, tracked, block, transactions, spent),
  ])
  const at = (hash: Hash): At => ({ hash, block: idOfBlock(block) })
  return {
    deposits: [...deposits, ...plain],
    swaps: swaps.map(({ requestId, hash }) => ({ requestId, at: at(hash) })),
    approvals: [],
    runs: contractRuns(tracked, block).map(at),
  }
}

type Transactions = (hash: Hash) => Promise<ChainTransaction>

/** Reads each transaction once. @throws MissingTransactionError */
function createTransactions(client: Deps['client'], signal: AbortSignal): Transactions {
  const reads = new Map<Hash, Promise<ChainTransaction>>()
  return (hash) => {
    const read =
      reads.get(hash) ??
      readTransaction(client, hash, signal).then((transaction) => {
        if (transaction === undefined) throw new MissingTransactionError(hash)
        return transaction
      })
    reads.set(hash, read)
    return read
  }
}

async function readPlainDeposits(
  tracked: Tracked,
  block: LoggedBlock,
  transactions: Transactions,
  candidates: readonly Spending[],
): Promise<readonly ObservedDeposit[]> {
  const found = await Promise.all(
    candidates.map(async (each) =>
      plainDepositOf(tracked, block, each, await transactions(each.txHash)),
    ),
  )
  const deposits = found.filter((each) => each !== undefined)
  // The first of each transaction.
  return [...new Map(deposits.reverse().map((each) => [each.depositId, each])).values()].reverse()
}

/** A transaction that may be the request's own swap, as its logs suggest. */
type Claim = Readonly<{ request: StoredRequest; hash: Hash; caller?: Address }>

async function readSwaps(
  { store }: Deps,
  tracked: Tracked,
  block: LoggedBlock,
  transactions: Transactions,
  spent: readonly Spending[],
): Promise<readonly Readonly<{ requestId: Hash; hash: Hash }>[]> {
  const [named, unnamed] = await Promise.all([
    claimsByName(store, tracked, block),
    claimsByUser(store, tracked, block, spent),
  ])
  const found = await Promise.all(
    [...named, ...unnamed].map(async ({ request, hash, ...evidence }) => {
      const transaction = await transactions(hash)
      const isOwn = isMainTransaction(transaction, request, { ...evidence, spent })
      return isOwn ? [{ requestId: request.requestId, hash }] : []
    }),
  )
  return found.flat()
}

async function claimsByName(
  store: Deps['store'],
  tracked: Tracked,
  block: LoggedBlock,
): Promise<readonly Claim[]> {
  const runs = namedRuns(tracked, block)
  if (runs.length === 0) return []
  const requests = await store.findAll([...new Set(runs.map(({ name }) => name))])
  const byId = new Map(requests.map((request) => [request.requestId, request]))
  return runs.flatMap(({ name, txHash, caller }) => {
    const request = byId.get(name)
    const isOwn = request?.execution === 'user' && request.originChainId === tracked.chainId
    return isOwn ? [{ request, hash: txHash, caller }] : []
  })
}

/** Wraps, unwraps and sends: their logs contain the user but no request id. */
async function claimsByUser(
  store: Deps['store'],
  { chainId, contracts }: Tracked,
  block: LoggedBlock,
  spent: readonly Spending[],
): Promise<readonly Claim[]> {
  const others: readonly Address[] = [nativeAddress, ...Object.values(contracts)]
  const users = [...new Set(spent.map(({ account }) => account))].filter(
    (account) => !others.includes(account),
  )
  if (users.length === 0) return []
  const requests = await store.waitingSwaps(chainId, users, Number(block.timestamp))
  return requests.flatMap((request) => {
    // A native send has no calldata to recognize it by.
    if (mainData(request)?.data === '0x') return []
    const hashes = spent
      .filter(
        ({ account, currency }) => account === request.user && currency === request.originCurrency,
      )
      .map(({ txHash }) => txHash)
    return [...new Set(hashes)].map((hash) => ({ request, hash }))
  })
}
