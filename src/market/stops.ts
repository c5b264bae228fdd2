import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { ChainId } from '#src/core/units/chainId.ts'

type Deps = Readonly<{
  log: Log
  /** The assets that are stopped on a chain, by their symbols. */
  stoppedAssets: (chainId: ChainId) => Promise<readonly Readonly<{ asset: string }>[]>
}>

/** The assets that are stopped on one chain, as last read. */
export type Stops = Readonly<{
  symbols: () => ReadonlySet<string>
  /** Resolves once they have been read: no market may lack a stop of before the start. Throws if that fails. */
  first: () => Promise<void>
  /** Reads them for the next snapshot. During an outage of the database the last ones stay. */
  refresh: () => void
}>

export function createStops({ log, stoppedAssets }: Deps, chainId: ChainId): Stops {
  let symbols: ReadonlySet<string> | undefined
  let isReading = false

  const read = async () => {
    const found = new Set((await stoppedAssets(chainId)).map(({ asset }) => asset))
    const isSame = symbols?.size === found.size && [...found].every((each) => symbols?.has(each))
    // Equal stops stay the same object, so that markets with them are the same.
    if (!isSame) symbols = found
  }

  async function refresh(): Promise<void> {
    isReading = true
    try {
      await read()
    } catch (error) {
      log.debug({ chainId, reason: reasonOf(error) }, 'Cannot read the stopped assets')
    } finally {
      isReading = false
    }
  }

  return {
    symbols: () => symbols ?? new Set(),
    first: async () => {
      if (symbols === undefined) await read()
    },
    refresh: () => {
      if (!isReading) void refresh()
    },
  }
}
