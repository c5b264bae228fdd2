import type { Hash } from 'viem'
import type { BlockId } from '#src/chains/chainEvent.ts'
import type { Receipt } from '#src/chains/read/readTransaction.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { BlockHash, TxId } from '#src/core/units/txId.ts'
import type { PaymentReads, RequestReads } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { ObservedBlock, StoredRequest } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { SwapReads, TrackingReads } from '#src/requests/trackingStore.ts'
import { type BalanceChange, confirmPayments } from './confirmPayments.ts'
import { swapOf } from './decide/transactions.ts'
import type { ChainRules, Outcome, Stored } from './decide/unitOfWork.ts'
import type { FollowedBlocks } from './followedBlocks.ts'
import { depositPayments, fillPayment, swapAppFees, swapPayment } from './read/payments.ts'
import type { ObservedEvents } from './read/readEvents.ts'
import type { Tracked } from './read/trackedLogs.ts'

type Reads = RequestReads & PaymentReads & TrackingReads & SwapReads

export type LoadArgs = Readonly<{
  rules: ChainRules
  followed: FollowedBlocks
  events: ObservedEvents
  /** Timestamp of the newest fully processed block, in seconds. No earlier deposit can still appear. */
  processedUntil: number | undefined
  /** Rows in blocks above this height may be orphaned. */
  above: bigint
  tracked: Tracked
  /** Receipt of a transaction; undefined if the followed chain does not include it. */
  receiptOf: (hash: TxId) => Promise<Receipt | undefined>
  balanceChange: BalanceChange
}>

/** Loads all rows that the events, new confirmations or orphaned blocks may change. */
export async function loadStored(store: Reads, args: LoadArgs): Promise<Stored> {
  const { rules, events, processedUntil, above } = args
  const [open, known, transactions, swaps, ordered, overdue] = await Promise.all([
    store.openDeposits(rules.id, above),
    findDeposits(store, events.deposits),
    store.openTransactions(rules.id, above),
    store.pendingSwaps(rules.id),
    findByOrders(store, events),
    processedUntil === undefined ? [] : store.overdue(rules.id, processedUntil),
  ])
  const changing = transactions.filter((each) => isChanging(each, args))
  const deposits = [...open, ...known]
  const concerned = deposits.filter((each) => isConcerned(each, args))
  const [requests, closing, payments, receipts] = await Promise.all([
    findAll(store, [
      ...[...concerned, ...changing].map(({ requestId }) => requestId),
      ...[...events.swaps, ...events.approvals, ...events.reverts].map(
        ({ requestId }) => requestId,
      ),
    ]),
    findDeposits(
      store,
      changing.flatMap(({ depositIds }) => depositIds.map((depositId) => ({ depositId }))),
    ),
    paymentsFor(store, deposits, args),
    readReceipts([...swaps.map(swapOf), ...changing.map(minedBy(events))], args),
  ])
  const loaded = [...swaps, ...ordered, ...overdue, ...requests]
  const rows = { transactions: changing, requests: loaded, deposits: [...deposits, ...closing] }
  return {
    deposits: rows.deposits,
    requests: loaded,
    transactions,
    payments,
    outcomes: await readOutcomes(args, receipts, rows),
  }
}

const isOrphaned = (
  { block }: Readonly<{ block?: BlockId<BlockHash> }>,
  { followed }: LoadArgs,
): boolean => block !== undefined && followed.statusOf(block) === 'orphaned'

function isConcerned(deposit: Deposit, args: LoadArgs): boolean {
  const { followed, events, rules } = args
  const isConfirmed = followed.isConfirmed(deposit.block, rules.depositConfirmations)
  if (isOrphaned(deposit, args) || (deposit.status === 'seen' && isConfirmed)) return true
  return events.deposits.some(({ depositId }) => depositId === deposit.depositId)
}

function isChanging({ attempts, mined, status }: SolverTransaction, args: LoadArgs): boolean {
  const { events, followed, rules } = args
  const isSeen = attempts.some((attempt) => events.runs.some(({ hash }) => hash === attempt.hash))
  if (isSeen || mined === undefined) return isSeen
  const isConfirmed =
    status === 'mined' && followed.isConfirmed(mined.block, rules.fillConfirmations)
  return isConfirmed || isOrphaned(mined, args)
}

const distinct = <Key>(keys: readonly Key[]): readonly Key[] => [...new Set(keys)]

async function findDeposits(
  store: Reads,
  sought: readonly Readonly<{ depositId: string }>[],
): Promise<readonly Deposit[]> {
  const depositIds = distinct(sought.map(({ depositId }) => depositId))
  return depositIds.length === 0 ? [] : store.findDeposits(depositIds)
}

async function findByOrders(
  store: Reads,
  { deposits }: ObservedEvents,
): Promise<readonly StoredRequest[]> {
  const orderIds = distinct(deposits.map(({ orderId }) => orderId))
  return orderIds.length === 0 ? [] : store.findByOrders(orderIds)
}

async function findAll(
  store: Reads,
  requestIds: readonly (Hash | undefined)[],
): Promise<readonly StoredRequest[]> {
  const known = distinct(requestIds.filter((each) => each !== undefined))
  return known.length === 0 ? [] : store.findAll(known)
}

/** Payments for orphaned deposits. Refunds are among the chain's open transactions; a fill may be on any chain. */
async function paymentsFor(
  store: Reads,
  deposits: readonly Deposit[],
  args: LoadArgs,
): Promise<readonly SolverTransaction[]> {
  const orphaned = deposits.filter(
    (deposit) => deposit.status !== 'seen' && isOrphaned(deposit, args),
  )
  const requestIds = distinct(orphaned.flatMap(({ requestId }) => requestId ?? []))
  return (await Promise.all(requestIds.map(store.transactionsOf))).flat()
}

/** The block of a transaction that pays a recipient, and its hash; undefined if it is not mined. */
const minedBy =
  ({ runs }: ObservedEvents) =>
  ({ attempts, mined, purpose }: SolverTransaction): SolverTransaction['mined'] =>
    purpose === 'fill' || purpose === 'refund' || purpose === 'settlement'
      ? (runs.find(({ hash }) => attempts.some((each) => each.hash === hash)) ?? mined)
      : undefined

/** Receipts of the transactions that are confirmed, and of the users' own swaps among the events. */
async function readReceipts(
  mined: readonly (Readonly<{ hash: TxId; block?: ObservedBlock }> | undefined)[],
  { followed, rules, events, receiptOf }: LoadArgs,
): Promise<readonly Receipt[]> {
  const seen = [...mined, ...events.swaps.map(({ at }) => at)]
  const hashes = seen.flatMap((each) =>
    each !== undefined && followed.isConfirmed(each.block, rules.fillConfirmations)
      ? [each.hash]
      : [],
  )
  const receipts = await Promise.all(distinct(hashes).map(receiptOf))
  return receipts.filter((each) => each !== undefined)
}

type Rows = Readonly<{
  transactions: readonly SolverTransaction[]
  requests: readonly StoredRequest[]
  deposits: readonly Deposit[]
}>

/** The outcomes of transactions, with what they paid as far as balances confirm it. */
async function readOutcomes(
  { tracked, events, balanceChange }: LoadArgs,
  receipts: readonly Receipt[],
  rows: Rows,
): Promise<Stored['outcomes']> {
  const outcomes = receipts.map((receipt) => {
    const seen = events.swaps.filter(({ at }) => at.hash === receipt.hash)
    const swapped = rows.requests.filter(
      (each) =>
        swapOf(each)?.hash === receipt.hash ||
        seen.some(({ requestId }) => requestId === each.requestId),
    )
    const { status } = receipt
    return { hash: receipt.hash, status, ...paymentsOf(tracked, receipt, rows, swapped) }
  })
  return confirmPayments({ ...tracked, balanceChange }, receipts, outcomes, rows)
}

/** What a transaction paid by its logs. A transaction that cannot be decoded must not stop the tracker. */
function paymentsOf(
  tracked: Tracked,
  receipt: Receipt,
  { transactions, requests }: Rows,
  swapped: readonly StoredRequest[],
): Omit<Outcome, 'status'> {
  const transaction = transactions.find(({ attempts }) =>
    attempts.some(({ hash }) => hash === receipt.hash),
  )
  try {
    if (transaction === undefined) {
      const paid = swapped.map((request) => {
        const payment = swapPayment(tracked, request, receipt)
        const appFees = swapAppFees(request)
        return [
          request.requestId,
          { ...(payment && { paid: payment }), ...(appFees.length > 0 && { appFees }) },
        ] as const
      })
      return { ofRequests: new Map(paid) }
    }
    if (transaction.purpose !== 'fill')
      return { ofDeposits: depositPayments(tracked, receipt, transaction) }
    const request = requests.find(({ requestId }) => requestId === transaction.requestId)
    const paid = request && fillPayment(tracked, request, transaction, receipt)
    if (request === undefined || paid === undefined) return {}
    return { ofRequests: new Map([[request.requestId, { paid }]]) }
  } catch {
    return {}
  }
}

/** Heights above `above` of all blocks that a stored row refers to. */
export async function storedHeights(
  store: Reads,
  chainId: ChainId,
  above: bigint,
): Promise<Set<bigint>> {
  const [deposits, transactions, swaps] = await Promise.all([
    store.openDeposits(chainId, above),
    store.openTransactions(chainId, above),
    store.pendingSwaps(chainId),
  ])
  const blocks = [
    ...deposits.map(({ block }) => block),
    ...transactions.map(({ mined }) => mined?.block),
    ...swaps.map((request) => swapOf(request)?.block),
  ]
  const heights = blocks.flatMap((block) => block?.number ?? [])
  return new Set(heights.filter((height) => height > above))
}
