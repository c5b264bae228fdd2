import { decodeFunctionData, erc20Abi, type Hash, type Hex, slice, toFunctionSelector } from 'viem'
import type { BlockId, LoggedBlock } from '#src/chains/chainEvent.ts'
import {
  type ChainTransaction,
  readBlockTransactions,
  readTransaction,
} from '#src/chains/read/readTransaction.ts'
import type { Rpc } from '#src/chains/rpc/chainClient.ts'
import { UnusableAnswerError } from '#src/chains/rpc/rpcError.ts'
import { type Address, nativeAddress, toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { TxId } from '#src/core/units/txId.ts'
import { requestIdsIn } from '#src/protocol/calls/userCall.ts'
import type { RequestReads } from '#src/requests/requestStore.ts'
import type { ObservedBlock, StoredRequest } from '#src/requests/state/requestState.ts'
import type { Payer, SwapReads } from '#src/requests/trackingStore.ts'
import { isMainTransaction } from './stepTransaction.ts'
import {
  contractRuns,
  depositEvents,
  type FailedPayment,
  failedPayments,
  idOfBlock,
  type ObservedDeposit,
  observedBlock,
  requestRuns,
  type Spending,
  spendings,
  type Tracked,
} from './trackedLogs.ts'

type At = Readonly<{ hash: Hash; block: ObservedBlock }>

/** The events of a block, or of one of its transactions, that concern requests. All are verified. */
export type ObservedEvents = Readonly<{
  deposits: readonly ObservedDeposit[]
  /** Users' own swaps and approvals, with the request that each belongs to. */
  swaps: readonly Readonly<{ requestId: Hash; at: At }>[]
  approvals: readonly Readonly<{ requestId: Hash; step: number; item: number; at: At }>[]
  /** Users' deposits and approvals that reverted. */
  reverts: readonly Readonly<{ requestId: Hash; step: number; item: number; at: At }>[]
  /** Successful transactions that may be the solver's, with the depository's payments that failed. */
  runs: readonly Readonly<{ hash: TxId; block: ObservedBlock; unpaid?: readonly FailedPayment[] }>[]
}>

export const noEvents: ObservedEvents = {
  deposits: [],
  swaps: [],
  approvals: [],
  reverts: [],
  runs: [],
}

export const isEmpty = ({ deposits, swaps, approvals, reverts, runs }: ObservedEvents): boolean =>
  [deposits, swaps, approvals, reverts, runs].every(({ length }) => length === 0)

type Deps = Readonly<{
  client: Rpc
  store: RequestReads & SwapReads
}>

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
  const transactions = createBlockTransactions(deps.client, block, signal)
  const spent = spendings(tracked, block)
  const [deposits, swaps] = await Promise.all([
    readDepositsIn(tracked, block, transactions, spent),
    readSwaps(deps, tracked, block, transactions, spent),
  ])
  const failed = failedPayments(tracked, block)
  const at = (hash: Hash): At => ({ hash, block: observedBlock(block) })
  return {
    deposits,
    swaps: swaps.map(({ requestId, hash }) => ({ requestId, at: at(hash) })),
    approvals: [],
    reverts: [],
    runs: contractRuns(tracked, block).map((hash) => ({
      ...at(hash),
      ...(failed.has(hash) && { unpaid: failed.get(hash) ?? [] }),
    })),
  }
}

/** Reads the deposits alone. @throws MissingTransactionError, and what the RPC throws. */
export const readDeposits = (
  client: Deps['client'],
  tracked: Tracked,
  block: LoggedBlock,
  signal: AbortSignal,
): Promise<readonly ObservedDeposit[]> =>
  readDepositsIn(
    tracked,
    block,
    createBlockTransactions(client, block, signal),
    spendings(tracked, block),
  )

async function readDepositsIn(
  tracked: Tracked,
  block: LoggedBlock,
  transactions: BlockTransactions,
  spent: readonly Spending[],
): Promise<readonly ObservedDeposit[]> {
  const deposits = depositEvents(tracked, block)
  const candidates = plainDepositCandidates(tracked, spent, deposits)
  return [...deposits, ...(await readPlainDeposits(tracked, block, transactions, candidates))]
}

async function readPlainDeposits(
  tracked: Tracked,
  block: LoggedBlock,
  read: BlockTransactions,
  candidates: readonly Spending[],
): Promise<readonly ObservedDeposit[]> {
  const transactions = await read(candidates.map(({ txHash }) => txHash))
  const deposits = candidates.flatMap((each, at) => {
    const transaction = transactions[at]
    return (transaction && plainDepositOf(tracked, block, each, transaction)) ?? []
  })
  // Keeps the first of deposits with equal ids.
  return [...new Map(deposits.reverse().map((each) => [each.depositId, each])).values()].reverse()
}

/** A transaction that may be the request's own swap according to its logs. */
type Claim = Readonly<{ request: StoredRequest; hash: Hash; caller?: Address }>

async function readSwaps(
  { store }: Deps,
  tracked: Tracked,
  block: LoggedBlock,
  read: BlockTransactions,
  spent: readonly Spending[],
): Promise<readonly Readonly<{ requestId: Hash; hash: Hash }>[]> {
  const [byMetadata, byCalldata] = await Promise.all([
    claimsByMetadata(store, tracked, block),
    claimsByCalldata(store, tracked, block, read, spent),
  ])
  const claims = [...byMetadata, ...byCalldata]
  const transactions = await read(claims.map(({ hash }) => hash))
  return claims.flatMap(({ request, hash, ...evidence }, at) => {
    const transaction = transactions[at]
    const isOwn = transaction && isMainTransaction(transaction, request, { ...evidence, spent })
    return isOwn === true ? [{ requestId: request.requestId, hash }] : []
  })
}

async function claimsByMetadata(
  store: Deps['store'],
  tracked: Tracked,
  block: LoggedBlock,
): Promise<readonly Claim[]> {
  const runs = requestRuns(tracked, block)
  if (runs.length === 0) return []
  const requests = await store.findAll([...new Set(runs.map(({ requestId }) => requestId))])
  const byId = new Map(requests.map((request) => [request.requestId, request]))
  return runs.flatMap(({ requestId, txHash, caller }) => {
    const request = byId.get(requestId)
    return isOwnSwapOn(tracked.chainId, request) ? [{ request, hash: txHash, caller }] : []
  })
}

/**
 * Finds wraps, unwraps and sends. Their logs contain the user, and their calldata contains the request id. The user's
 * requests are not loaded, as anybody can create any number of them.
 */
async function claimsByCalldata(
  store: Deps['store'],
  { chainId, contracts }: Tracked,
  block: LoggedBlock,
  read: BlockTransactions,
  spent: readonly Spending[],
): Promise<readonly Claim[]> {
  const others: readonly Address[] = [nativeAddress, ...Object.values(contracts)]
  const payers = new Map(
    spent
      .filter(({ account }) => !others.includes(account))
      .map(({ account: user, currency }) => [keyOf({ user, currency }), { user, currency }]),
  )
  if (payers.size === 0) return []
  const found = await store.awaitedPayers(chainId, [...payers.values()], Number(block.timestamp))
  const awaited = new Set(found.map(keyOf))
  const hashes = spent
    .filter(({ account: user, currency }) => awaited.has(keyOf({ user, currency })))
    .map(({ txHash }) => txHash)
  const named = (await read([...new Set(hashes)])).flatMap(({ hash, input }) =>
    requestIdsIn(input).map((requestId) => ({ hash, requestId })),
  )
  if (named.length === 0) return []
  const requests = await store.findAll([...new Set(named.map(({ requestId }) => requestId))])
  const byId = new Map(requests.map((request) => [request.requestId, request]))
  return named.flatMap(({ hash, requestId }) => {
    const request = byId.get(requestId)
    return isOwnSwapOn(chainId, request) ? [{ request, hash }] : []
  })
}

const keyOf = ({ user, currency }: Payer): string => `${user}${currency}`

const isOwnSwapOn = (
  chainId: ChainId,
  request: StoredRequest | undefined,
): request is StoredRequest => request?.execution === 'user' && request.originChainId === chainId

const transferSelector = toFunctionSelector('transfer(address,uint256)')
/** Selector, recipient and amount, followed by the order id. */
const plainDepositBytes = 4 + 3 * 32

/**
 * Transfers to the depository that may be deposits, before their calldata is checked. Skips transactions with a deposit
 * event of the depository, so that no deposit counts twice.
 */
function plainDepositCandidates(
  { contracts: { depository }, depositCurrencies }: Tracked,
  spent: readonly Spending[],
  deposits: readonly ObservedDeposit[],
): readonly Spending[] {
  const counted = new Set(deposits.map(({ txHash }) => txHash))
  return spent.filter(({ recipient, currency, amount, txHash }) => {
    const isOurs = recipient === depository && depositCurrencies.has(currency) && amount > 0n
    return isOurs && !counted.has(txHash)
  })
}

/** The deposit, if the transaction is a plain transfer to the depository with an order id after its arguments. */
export function plainDepositOf(
  { chainId, contracts }: Tracked,
  block: LoggedBlock,
  { currency, amount, account, txHash, logIndex }: Spending,
  { input, to, from }: ChainTransaction,
): ObservedDeposit | undefined {
  if (to !== currency || from !== account || !isPlainDeposit(input, contracts.depository))
    return undefined
  return {
    depositId: `${chainId}:${txHash}:${logIndex}`,
    chainId,
    txHash,
    block: idOfBlock(block),
    logIndex,
    timestamp: Number(block.timestamp),
    orderId: slice(input, plainDepositBytes - 32),
    depositor: account,
    currency,
    // The amount received: a fee-on-transfer token delivers less than was sent.
    amount: toAmount(amount),
  }
}

function isPlainDeposit(input: Hex, depository: string): boolean {
  if (input.length !== 2 + 2 * plainDepositBytes || !input.startsWith(transferSelector))
    return false
  try {
    const { args } = decodeFunctionData({ abi: erc20Abi, data: input })
    return toAddress(String(args?.[0])) === depository
  } catch {
    return false
  }
}

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

/** Maximum number of single reads. For more, one read of the whole block is cheaper. Bounds the RPC calls per block. */
const maxSingleReads = 8

/** Returns transactions of one block, in the order of the hashes. Reads each once. @throws MissingTransactionError */
type BlockTransactions = (hashes: readonly Hash[]) => Promise<readonly ChainTransaction[]>

function createBlockTransactions(
  client: Rpc,
  block: BlockId,
  signal: AbortSignal,
): BlockTransactions {
  const reads = new Map<Hash, Promise<ChainTransaction | undefined>>()

  function read(hashes: readonly Hash[]): void {
    if (hashes.length <= maxSingleReads) {
      for (const hash of hashes) reads.set(hash, readTransaction(client, hash, signal))
      return
    }
    const whole = readBlockTransactions(client, block, new Set(hashes), signal)
    for (const hash of hashes)
      reads.set(
        hash,
        whole.then((found) => found?.get(hash)),
      )
  }

  return async (hashes) => {
    read([...new Set(hashes)].filter((hash) => !reads.has(hash)))
    return Promise.all(
      hashes.map(async (hash) => {
        const transaction = await reads.get(hash)
        if (transaction === undefined) throw new MissingTransactionError(hash)
        return transaction
      }),
    )
  }
}
