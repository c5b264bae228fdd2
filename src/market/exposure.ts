import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { toUsd, type Usd } from '#src/core/units/usd.ts'

type Deps = Readonly<{
  log: Log
  /** Value of a chain's deposits that are filled and not final yet. */
  exposureOf: (chainId: ChainId) => Promise<Usd>
}>

/** The last read exposure of one chain. */
type Exposure = Readonly<{
  usd: () => Usd
  /**
   * Reads the exposure for the next snapshot, so that prices do not wait for the database. During an outage of the
   * database no fill adds exposure, so the last value is not too low.
   */
  refresh: () => void
}>

export function createExposure({ log, exposureOf }: Deps, chainId: ChainId): Exposure {
  let usd = toUsd(0n)
  let isReading = false

  async function read(): Promise<void> {
    isReading = true
    try {
      usd = await exposureOf(chainId)
    } catch (error) {
      log.debug({ chainId, reason: reasonOf(error) }, 'Cannot read the exposure')
    } finally {
      isReading = false
    }
  }

  return {
    usd: () => usd,
    refresh: () => {
      if (!isReading) void read()
    },
  }
}
