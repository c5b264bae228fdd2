import type { AccountData } from './accounts.ts'
import { readLayout } from './bytes.ts'

/** Unix time in seconds of the block that the clock belongs to; undefined for another account. @source solana-clock: Clock */
export const decodeClock = ({ data }: Pick<AccountData, 'data'>): bigint | undefined =>
  readLayout(data, (reader) => {
    // The slot, the start of the epoch, and two numbers of epochs.
    reader.take(32)
    return reader.i64()
  })
