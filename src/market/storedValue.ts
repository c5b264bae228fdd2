import { isDeepStrictEqual } from 'node:util'
import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { ChainId } from '#src/core/units/chainId.ts'

/** The last value of one chain that was read from the database. */
export type StoredValue<Value> = Readonly<{
  /** An equal value stays the same object, so that markets with it are the same. */
  last: () => Value
  /** Resolves once the value has been read. @throws if the database fails */
  first: () => Promise<void>
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
  let isRead = false
  let isReading = false

  async function readNow(): Promise<void> {
    const found = await read(chainId)
    isRead = true
    if (!isDeepStrictEqual(found, last)) last = found
  }

  async function refresh(): Promise<void> {
    isReading = true
    try {
      await readNow()
    } catch (error) {
      log.debug({ chainId, name, reason: reasonOf(error) }, 'Cannot read a value of the database')
    } finally {
      isReading = false
    }
  }

  return {
    last: () => last,
    first: async () => {
      if (!isRead) await readNow()
    },
    refresh: () => {
      if (!isReading) void refresh()
    },
  }
}
