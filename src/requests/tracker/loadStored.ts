import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { ChainRules } from './decide/decide.ts'
import type { Stored } from './decide/unitOfWork.ts'
import { swapOf } from './decide/userSwaps.ts'
import type { FollowedBlocks } from './followedBlocks.ts'
import type { Sightings } from './read/readEvents.ts'

type Hash = `0x${string}`

type Reads = Pick<
  RequestStore,
  | 'openDeposits'
  | 'openTransactions'
  | 'pendingSwaps'
  | 'findDeposits'
  | 'findByOrders'
  | 'findAll'
  | 'transactionsOf'
  | 'overdue'
>

export type LoadArgs = Readonly<{
  rules: ChainRules
  followed: FollowedBlocks
  sightings: Sightings
  /** Seconds since 1970 before which nothing more comes to be known of the chain. */
  closedAt: number | undefined
  /** What is in a block above this height may be undone. */
  above: bigint
  /** Of the users' own swaps; undefined where the followed chain has none by now. */
  outcomeOf: (hash: Hash) => Promise<'success' | 'reverted' | undefined>
}>

/** All that a decision about these sightings, or about what is deep or gone by now, needs to know. */
export async function loadStored(store: Reads, args: LoadArgs): Promise<Stored> {
  const { rules, sightings, closedAt, above } = args
  const [open, known, transactions, swaps, ordered, overdue] = await Promise.all([
    store.openDeposits(rules.id, above),
    findDeposits(store, sightings.deposits),
    store.openTransactions(rules.id, above),
    store.pendingSwaps(rules.id),
    findByOrders(store, sightings),
    closedAt === undefined ? [] : store.overdue(rules.id, closedAt),
  ])
  const acting = transactions.filter((each) => isActing(each, args))
  const deposits = [...open, ...known]
  const concerned = deposits.filter((each) => isConcerned(each, args))
  const [requests, closing, payments, outcomes] = await Promise.all([
    findAll(store, [
      ...[...concerned, ...acting].map(({ requestId }) => requestId),
      ...[...sightings.swaps, ...sightings.approvals].map(({ requestId }) => requestId),
    ]),
    findDeposits(
      store,
      acting.flatMap(({ depositIds }) => depositIds.map((depositId) => ({ depositId }))),
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

const isGone = ({ block }: Pick<Deposit, 'block'>, { followed }: LoadArgs): boolean =>
  block !== undefined && followed.standing(block) === 'out'

function isConcerned(deposit: Deposit, args: LoadArgs): boolean {
  const { followed, sightings, rules } = args
  const isDeep = followed.isDeep(deposit.block, rules.depositConfirmations)
  if (isGone(deposit, args) || (deposit.status === 'seen' && isDeep)) return true
  return sightings.deposits.some(({ depositId }) => depositId === deposit.depositId)
}

function isActing({ attempts, mined, status }: SolverTransaction, args: LoadArgs): boolean {
  const { sightings, followed, rules } = args
  const isSeen = attempts.some((attempt) =>
    sightings.runs.some(({ hash }) => hash === attempt.hash),
  )
  if (isSeen || mined === undefined) return isSeen
  const isDeep = status === 'mined' && followed.isDeep(mined.block, rules.fillConfirmations)
  return isDeep || isGone(mined, args)
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
  { deposits }: Sightings,
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

/** On its own chain a refund shows among the open transactions; a fill may be on any. */
async function paymentsFor(
  store: Reads,
  deposits: readonly Deposit[],
  args: LoadArgs,
): Promise<readonly SolverTransaction[]> {
  const gone = deposits.filter((deposit) => deposit.status !== 'seen' && isGone(deposit, args))
  const requestIds = distinct(gone.flatMap(({ requestId }) => requestId ?? []))
  return (await Promise.all(requestIds.map(store.transactionsOf))).flat()
}

async function readOutcomes(
  swaps: readonly StoredRequest[],
  { followed, rules, sightings, outcomeOf }: LoadArgs,
): Promise<Stored['outcomes']> {
  const seen = [...swaps.map(swapOf), ...sightings.swaps.map(({ at }) => at)]
  const hashes = seen.flatMap((swap) =>
    swap !== undefined && followed.isDeep(swap.block, rules.fillConfirmations) ? [swap.hash] : [],
  )
  const outcomes = await Promise.all(
    distinct(hashes).map(async (hash) => [hash, await outcomeOf(hash)] as const),
  )
  return new Map(
    outcomes.flatMap(([hash, outcome]) => (outcome === undefined ? [] : [[hash, outcome]])),
  )
}

/** Heights of the blocks above `above` that hold something of what is stored. */
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
