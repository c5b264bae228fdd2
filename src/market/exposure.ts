import { reasonOf } from '#src/errors.ts'
import type { Log } from '#src/log.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { toUsd, type Usd } from '#src/units/usd.ts'

type Deps = Readonly<{
  log: Log
  /** Value of a chain's deposits that are filled and not final yet. */
  exposureOf: (chainId: ChainId) => Promise<Usd>
}>

/** The exposure of one chain as it was read last. */
type Exposure = Readonly<{
  usd: () => Usd
  /** Reads it for the next snapshot: prices do not wait for the database. While it is away no fill adds exposure. */
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
