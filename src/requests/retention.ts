import { pause } from '#src/chains/backoff.ts'
import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { QuoteStore } from './requestStore.ts'

type Deps = Readonly<{
  log: Log
  store: QuoteStore
  /** Unix time in milliseconds. */
  now: () => number
}>

const hourMs = 3_600_000
const daySeconds = 86_400
/** Quotes per deletion. A small batch does not make new quotes wait for the database. */
const batch = 500

/**
 * Deletes unpaid quotes `quoteRetentionDays` after their deadline: at the start, then every hour. A deposit that
 * arrives even later is refunded to its depositor, like a deposit for an unknown order.
 */
export function createRetention(
  { log, store, now }: Deps,
  { quoteRetentionDays }: Readonly<{ quoteRetentionDays: number }>,
): Readonly<{ run: (signal: AbortSignal) => Promise<void> }> {
  async function sweep(signal: AbortSignal): Promise<void> {
    const before = Math.floor(now() / 1000) - quoteRetentionDays * daySeconds
    let deleted = 0
    for (let last = batch; last === batch && !signal.aborted; deleted += last)
      last = await store.deleteUnpaid(before, batch)
    if (deleted > 0)
      log.info({ deleted, quoteRetentionDays }, 'Deleted quotes that nobody paid for')
  }

  return {
    async run(signal) {
      while (!signal.aborted) {
        await sweep(signal).catch((error: unknown) =>
          log.warn({ reason: reasonOf(error) }, 'Cannot delete old quotes; will retry'),
        )
        await pause(hourMs, signal)
      }
    },
  }
}
