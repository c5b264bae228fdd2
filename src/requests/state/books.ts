import type { ChainId } from '#src/core/units/chainId.ts'
import { toUsd, type Usd } from '#src/core/units/usd.ts'
import type { SolverTransaction } from './solverTransaction.ts'

/** Sums over booked transactions. Each sum leaves out the transactions whose value is unknown, and counts them. */
export type BookSums = Readonly<{
  transactions: number
  /** Gas in wei of the chain's native currency. */
  gas: bigint
  gasUsd: Usd
  gasUnknown: number
  volumeUsd: Usd
  volumeUnknown: number
  feesUsd: Usd
  feesUnknown: number
  sponsoredUsd: Usd
}>

/** The transactions of one UTC day, chain and purpose. `day`: days since 1970. */
export type BookDay = BookSums &
  Readonly<{ chainId: ChainId; day: number; purpose: SolverTransaction['purpose'] }>

/** Open requests of one status by the age of their quotes. */
export type OpenRequests = Readonly<{
  status: 'depositing' | 'pending' | 'submitted'
  /** Their quotes are at least this old, and not old enough for the next class: 0, five minutes, an hour, a day. */
  minAgeSeconds: number
  /** Of 10,000 open requests at most. */
  count: number
}>

export type BookReads = Readonly<{
  /** The open requests at `now` (Unix ms). Classes without requests are left out. Counts at most 10,000 requests. */
  openRequests: (now: number) => Promise<readonly OpenRequests[]>
  /** The days of these chains from `from` on, in no particular order. Reads a few rows for each day and chain. */
  bookDays: (chainIds: readonly ChainId[], from: number) => Promise<readonly BookDay[]>
}>

export type BookStore = BookReads &
  Readonly<{
    /** Final and reverted transactions on the chain since `since` (Unix ms) that are not booked yet, the oldest first. */
    unbooked: (
      chainId: ChainId,
      terms: Readonly<{ since: number; limit: number }>,
    ) => Promise<readonly SolverTransaction[]>
    /** The sums of all days of a chain. */
    bookTotals: (chainId: ChainId) => Promise<BookSums>
  }>

/** Fees minus gas, of the values that are known. Possibly negative. */
export const profitOf = ({ feesUsd, gasUsd }: BookSums): Usd => toUsd(feesUsd - gasUsd)

/** Number of transactions with a value that the sums leave out; one with two such values counts twice. */
export const unknownIn = (sums: BookSums): number =>
  sums.gasUnknown + sums.volumeUnknown + sums.feesUnknown

/** The sums of several rows. */
export const addUp = (rows: readonly BookSums[]): BookSums =>
  rows.reduce(
    (total, row) => ({
      transactions: total.transactions + row.transactions,
      gas: total.gas + row.gas,
      gasUsd: toUsd(total.gasUsd + row.gasUsd),
      gasUnknown: total.gasUnknown + row.gasUnknown,
      volumeUsd: toUsd(total.volumeUsd + row.volumeUsd),
      volumeUnknown: total.volumeUnknown + row.volumeUnknown,
      feesUsd: toUsd(total.feesUsd + row.feesUsd),
      feesUnknown: total.feesUnknown + row.feesUnknown,
      sponsoredUsd: toUsd(total.sponsoredUsd + row.sponsoredUsd),
    }),
    {
      transactions: 0,
      gas: 0n,
      gasUsd: toUsd(0n),
      gasUnknown: 0,
      volumeUsd: toUsd(0n),
      volumeUnknown: 0,
      feesUsd: toUsd(0n),
      feesUnknown: 0,
      sponsoredUsd: toUsd(0n),
    },
  )
