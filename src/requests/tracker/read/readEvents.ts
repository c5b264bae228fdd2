import type { ChainClient } from '#src/chains/chainClient.ts'
import { type ChainTransaction, readTransaction } from '#src/chains/readTransaction.ts'
import { UnusableAnswerError } from '#src/chains/rpcError.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'
import { plainDepositCandidates, plainDepositOf } from './plainDeposits.ts'
import { isMainTransaction, mainData } from './stepTransaction.ts'
import {
  contractRuns,
  type DepositSighting,
  depositEvents,
  idOfBlock,
  type LoggedBlock,
  namedRuns,
  type Spending,
  spendings,
  type Tracked,
} from './trackedLogs.ts'

type Hash = `0x${string}`
type At = Readonly<{ hash: Hash; block: LoggedBlockId }>
type LoggedBlockId = ReturnType<typeof idOfBlock>

/** What a block, or one of its transactions, tells of requests. Nothing in it is taken on trust. */
export type Sightings = Readonly<{
  deposits: readonly DepositSighting[]
  /** Users' own swaps and approvals: the requests' own transactions, by requestId. */
  swaps: readonly Readonly<{ requestId: Hash; at: At }>[]
  approvals: readonly Readonly<{ requestId: Hash; step: number; item: number; at: At }>[]
  /** Transactions that may be the solver's, and went through. */
  runs: readonly At[]
}>

export const noSightings: Sightings = { deposits: [], swaps: [], approvals: [], runs: [] }

export const isEmpty = ({ deposits, swaps, approvals, runs }: Sightings): boolean =>
  deposits.length + swaps.length + approvals.length + runs.length === 0

type Deps = Readonly<{
  client: Pick<ChainClient, 'ask'>
  store: Pick<RequestStore, 'findAll' | 'waitingSwaps'>
}>

/**
 * No node has a transaction whose logs were in a block: one will have it soon, or a reorg took the block away.
 * The message is for the log.
 */
export class MissingTransactionError extends UnusableAnswerError {
  constructor(hash: Hash) {
    super(`no node has transaction ${hash}`)
    this.name = 'MissingTransactionError'
  }
}

/** @throws MissingTransactionError, and what the store and the RPC throw: nothing is left out, read again. */
export async function readSightings(
  deps: Deps,
  tracked: Tracked,
  block: LoggedBlock,
  signal: AbortSignal,
): Promise<Sightings> {
  if (block.logs.length === 0) return noSightings
  const transactions = createTransactions(deps.client, signal)
  const spent = spendings(tracked, block)
  const told = depositEvents(tracked, block)
  const [plain, swaps] = await Promise.all([
    readPlainDeposits(tracked, block, transactions, plainDepositCandidates(tracked, spent, told)),
    readSwaps(deps, tracked, block, transactions, spent),
  ])
  const at = (hash: Hash): At => ({ hash, block: idOfBlock(block) })
  return {
    deposits: [...told, ...plain],
    swaps: swaps.map(({ requestId, hash }) => ({ requestId, at: at(hash) })),
    approvals: [],
    runs: contractRuns(tracked, block).map(at),
  }
}

type Transactions = (hash: Hash) => Promise<ChainTransaction>

/** Each is read once. @throws MissingTransactionError */
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
): Promise<readonly DepositSighting[]> {
  const found = await Promise.all(
    candidates.map(async (each) =>
      plainDepositOf(tracked, block, each, await transactions(each.txHash)),
    ),
  )
  const deposits = found.filter((each) => each !== undefined)
  // One a transaction: the first.
  return [...new Map(deposits.reverse().map((each) => [each.depositId, each])).values()].reverse()
}

/** Logs that may be of a request's own swap, and the requests that they may be of. */
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

/** Wraps, unwraps and sends: they name nothing in their logs, but the user stands in them. */
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
    // A native send has nothing to be told by.
    if (mainData(request)?.data === '0x') return []
    const hashes = spent
      .filter(
        ({ account, currency }) => account === request.user && currency === request.originCurrency,
      )
      .map(({ txHash }) => txHash)
    return [...new Set(hashes)].map((hash) => ({ request, hash }))
  })
}
