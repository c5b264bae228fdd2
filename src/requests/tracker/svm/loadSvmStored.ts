import type { Hash } from 'viem'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { PaymentReads, RequestReads } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { parseSvmDepositId } from '#src/requests/state/svm/svmDepositId.ts'
import type { Endings, Payout } from '#src/requests/tracker/decide/endings.ts'
import type { Stored } from '#src/requests/tracker/decide/unitOfWork.ts'
import type { TrackingReads } from '#src/requests/trackingStore.ts'
import type { DepositoryEvents, SvmPayout } from './depositoryEvents.ts'
import { type Landed, outcomesOf } from './landedTransactions.ts'

type Reads = RequestReads & PaymentReads & TrackingReads

type Args = DepositoryEvents &
  Readonly<{
    chainId: ChainId
    /** The solver's open transactions on the chain. */
    transactions: Stored['transactions']
    landed: readonly Landed[]
    /** Height of the followed head. */
    head: bigint
    /** Unix time in seconds; undefined while a backlog is read. */
    processedUntil: number | undefined
  }>

/** All rows that the events and the landed transactions may change, and the payouts with the deposits that they pay. */
export async function loadSvmStored(
  store: Reads,
  { chainId, deposits: observed, payouts, transactions, landed, head, processedUntil }: Args,
): Promise<Readonly<{ stored: Stored; payouts: Endings['payouts'] }>> {
  const exits = payouts.filter(({ depositId }) => depositId === undefined)
  const [open, known, ofRecords, ordered, overdue] = await Promise.all([
    store.openDeposits(chainId, head),
    findDeposits(store, [
      ...observed.map(({ depositId }) => depositId),
      ...payouts.flatMap(({ depositId }) => depositId ?? []),
      ...landed.flatMap(({ transaction }) => transaction.depositIds),
    ]),
    store.depositsOfRecords(chainId, distinct(exits.map(({ record }) => record))),
    findByOrders(store, distinct(observed.map(({ orderId }) => orderId))),
    processedUntil === undefined ? [] : store.overdue(chainId, processedUntil),
  ])
  const deposits = [...open, ...known, ...ofRecords]
  const requestIds = [...deposits, ...landed.map(({ transaction }) => transaction)]
  const requests = [
    ...(await findAll(store, distinct(requestIds.flatMap(({ requestId }) => requestId ?? [])))),
    ...ordered,
    ...overdue,
  ]
  const named = [...observed, ...deposits].map(({ depositId }) => depositId)
  return {
    stored: {
      deposits,
      requests,
      transactions,
      payments: [],
      outcomes: outcomesOf(landed, requests),
    },
    payouts: payouts.flatMap((each) => withDeposit(each, named) ?? []),
  }
}

/** An exit pays the newest deposit of its record: a record is closed before it is made again. */
function withDeposit(payout: SvmPayout, depositIds: readonly string[]): Payout | undefined {
  if (payout.depositId !== undefined) return { ...payout, depositId: payout.depositId }
  const [newest] = depositIds
    .map((depositId) => ({ depositId, ...parseSvmDepositId(depositId) }))
    .filter(({ record, slot }) => record === payout.record && slot < payout.block.number)
    .sort((one, other) => Number(other.slot - one.slot))
  return newest && { ...payout, depositId: newest.depositId }
}

const distinct = <Key>(keys: readonly Key[]): readonly Key[] => [...new Set(keys)]

const findDeposits = async (store: Reads, ids: readonly string[]): Promise<readonly Deposit[]> =>
  ids.length === 0 ? [] : store.findDeposits(distinct(ids))

const findByOrders = async (store: Reads, orderIds: readonly Hash[]) =>
  orderIds.length === 0 ? [] : store.findByOrders(orderIds)

const findAll = async (store: Reads, requestIds: readonly Hash[]) =>
  requestIds.length === 0 ? [] : store.findAll(requestIds)
