import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { ChainId } from '#src/core/units/chainId.ts'

/** The last value of one chain that was read from the database. */
export type StoredValue<Value> = Readonly<{
  last: () => Value
  /**
   * Reads the value for the next snapshot, so that prices do not wait for the database. During an outage of the database
   * nothing is filled, so the last value is not too low.
   */
  refresh: () => void
}>

export function createStoredValue<Value>(
  { log, read }: Readonly<{ log: Log; read: (chainId: ChainId) => Promise<Value> }>,
  { chainId, name, initial }: Readonly<{ chainId: ChainId; name: string; initial: Value }>,
): StoredValue<Value> {
  let last = initial
  let isReading = false

  async function refresh(): Promise<void> {
    isReading = true
    try {
      last = await read(chainId)
    } catch (error) {
      log.debug({ chainId, name, reason: reasonOf(error) }, 'Cannot read a value of the database')
    } finally {
      isReading = false
    }
  }

  return {
    last: () => last,
    refresh: () => {
      if (!isReading) void refresh()
    },
  }
}
