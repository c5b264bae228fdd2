import type { ChainId } from '#src/core/units/chainId.ts'
import type { BookSums } from './state/bookSums.ts'
import type { SolverTransaction } from './state/solverTransaction.ts'

/** The transactions of one UTC day, chain and purpose. `day`: days since 1970. */
export type BookDay = BookSums &
  Readonly<{ chainId: ChainId; day: number; purpose: SolverTransaction['purpose'] }>

export type BookReads = Readonly<{
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
