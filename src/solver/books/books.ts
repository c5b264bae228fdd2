import type { BookedTransaction, RequestStore } from '#src/requests/requestStore.ts'
import { addUp, type BookSums } from '#src/requests/state/books.ts'
import { isSolverRequest } from '#src/requests/state/solverRequest.ts'
import type { Booking, SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { currentMarket } from '#src/solver/chainView.ts'
import { readFilledDeposits } from '#src/solver/depository/settlementPayouts.ts'
import type { OwnChain, Runtime, SolverMarket } from '#src/solver/ports.ts'
import {
  type Amounts,
  type BookPrices,
  dayOf,
  fillBooking,
  gasBooking,
  refundBooking,
  unknownBooking,
} from './booking.ts'

type Ports = Runtime & Readonly<{ store: RequestStore; market: SolverMarket }>

/** What a final transaction cost, in the smallest unit of the native currency, and what a fill took from the solver. */
type Cost = Readonly<{ gas: bigint; taken: Amounts }>

/** Undefined while no node has the transaction. @throws what the RPC throws */
export type ReadCost = (
  transaction: SolverTransaction,
  market: BookPrices['market'],
) => Promise<Cost | undefined>

/** The solver's books of a chain, as last read. `today` and `yesterday`: UTC. */
export type SolverBooks = Readonly<{
  total: BookSums
  today: BookSums
  yesterday: BookSums
}>

export type Books = Readonly<{
  /** Books the transactions that have become final, and reads the sums. */
  keep: () => Promise<void>
  /** Undefined before the first reading. */
  latest: () => SolverBooks | undefined
}>

const hourMs = 3_600_000
/** Time since its sending within which a transaction is booked. Older ones are from before there were books. */
const bookedWithinMs = 7 * 24 * hourMs
/** Time for which a transaction waits for its prices and receipt. Then its values are unknown. */
const waitMs = 6 * hourMs
/** Receipts of one run. */
const maxPerRun = 100
/** Receipts that are asked for at once. */
const atOnce = 10
/** Interval between two readings while nothing is booked. */
const readEveryMs = 60_000

/** Keeps the books of the solver and the relayer on a chain: each final or reverted transaction once, at its prices then. */
export function createBooks(
  { store, market, now }: Ports,
  { chain }: OwnChain,
  readCost: ReadCost,
): Books {
  let latest: SolverBooks | undefined
  let readAt = Number.NEGATIVE_INFINITY

  function pricesNow(): BookPrices | undefined {
    const snapshot = currentMarket(market, [chain.id])?.chains.get(chain.id)
    return snapshot && { market: snapshot, known: market.currencies.known }
  }

  /** Undefined while a price or the receipt is missing. */
  async function bookingOf(
    transaction: SolverTransaction,
    prices: BookPrices,
  ): Promise<Booking | undefined> {
    const { status, failedCost = 0n, purpose } = transaction
    // Another transaction has used the nonce of a reverted one without a block, and paid for its own gas.
    if (status === 'reverted') return gasBooking(transaction, failedCost, prices)
    const cost = await readCost(transaction, prices.market)
    if (cost === undefined) return undefined
    const shared = gasBooking(transaction, cost.gas, prices)
    const deposits =
      purpose === 'fill' || purpose === 'refund'
        ? await store.findDeposits(transaction.depositIds)
        : []
    if (purpose === 'refund') return { ...shared, ...refundBooking(deposits[0], prices) }
    if (purpose !== 'fill') return shared
    const { requestId } = transaction
    const request = requestId === undefined ? undefined : await store.find(requestId)
    const fill = {
      transaction,
      taken: cost.taken,
      request: request && isSolverRequest(request) ? request : undefined,
      filled: await readFilledDeposits(store, deposits),
    }
    return { ...shared, ...fillBooking(fill, prices) }
  }

  async function book(
    transaction: SolverTransaction,
    prices: BookPrices | undefined,
  ): Promise<readonly BookedTransaction[]> {
    const booked = prices && (await bookingOf(transaction, prices))
    const isLate = now() - transaction.createdAt > waitMs
    if (booked !== undefined && (isComplete(booked) || isLate)) return [{ ...transaction, booked }]
    return isLate ? [{ ...transaction, booked: unknownBooking(transaction) }] : []
  }

  async function bookSome(): Promise<number> {
    const since = now() - bookedWithinMs
    const found = await store.unbooked(chain.id, { since, limit: maxPerRun })
    const prices = pricesNow()
    let count = 0
    for (let from = 0; from < found.length; from += atOnce) {
      const some = found.slice(from, from + atOnce)
      const booked = (await Promise.all(some.map((each) => book(each, prices)))).flat()
      // After a conflict the next run reads the transactions again.
      if (booked.length > 0 && (await store.save({ booked })) === 'saved') count += booked.length
    }
    return count
  }

  async function read(): Promise<void> {
    const today = dayOf(now())
    const [total, days] = await Promise.all([
      store.bookTotals(chain.id),
      store.bookDays([chain.id], today - 1),
    ])
    const sumOf = (wanted: number) => addUp(days.filter(({ day }) => day === wanted))
    latest = { total, today: sumOf(today), yesterday: sumOf(today - 1) }
    readAt = now()
  }

  return {
    keep: async () => {
      const count = await bookSome()
      if (count > 0 || now() - readAt >= readEveryMs) await read()
    },
    latest: () => latest,
  }
}

const isComplete = ({ gasUsd, volumeUsd, feesUsd }: Booking): boolean =>
  ![gasUsd, volumeUsd, feesUsd].includes(null)
