import type { Hash } from 'viem'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { PaymentReads, RequestReads } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { SwapReads, TrackingReads } from '#src/requests/trackingStore.ts'
import type { ChainRules } from './decide/decide.ts'
import type { Stored } from './decide/unitOfWork.ts'
import { swapOf } from './decide/userSwaps.ts'
import type { FollowedBlocks } from './followedBlocks.ts'
import type { ObservedEvents } from './read/readEvents.ts'

type Reads = RequestReads & PaymentReads & TrackingReads & SwapReads

export type LoadArgs = Readonly<{
  rules: ChainRules
  followed: FollowedBlocks
  events: ObservedEvents
  /** Timestamp of the newest fully processed block, in seconds. No earlier deposit can still appear. */
  processedUntil: number | undefined
  /** Rows in blocks above this height may be orphaned. */
  above: bigint
  /** Outcome of a user's own swap; undefined if the followed chain does not include it. */
  outcomeOf: (hash: Hash) => Promise<'success' | 'reverted' | undefined>
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
  const [requests, closing, payments, outcomes] = await Promise.all([
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
    readOutcomes(swaps, args),
  ])
  return {
    deposits: [...deposits, ...closing],
    requests: [...swaps, ...ordered, ...overdue, ...requests],
    transactions,
    payments,
    outcomes,
  }
}

const isOrphaned = ({ block }: Pick<Deposit, 'block'>, { followed }: LoadArgs): boolean =>
  block !== undefined && followed.statusOf(block) === 'orphaned'

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
  sought: readonly Pick<Deposit, 'depositId'>[],
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

async function readOutcomes(
  swaps: readonly StoredRequest[],
  { followed, rules, events, outcomeOf }: LoadArgs,
): Promise<Stored['outcomes']> {
  const seen = [...swaps.map(swapOf), ...events.swaps.map(({ at }) => at)]
  const hashes = seen.flatMap((swap) =>
    swap !== undefined && followed.isConfirmed(swap.block, rules.fillConfirmations)
      ? [swap.hash]
      : [],
  )
  const outcomes = await Promise.all(
    distinct(hashes).map(async (hash) => [hash, await outcomeOf(hash)] as const),
  )
  return new Map(
    outcomes.flatMap(([hash, outcome]) => (outcome === undefined ? [] : [[hash, outcome]])),
  )
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
