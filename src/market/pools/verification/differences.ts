import type { BlockId } from '#src/chains/chainEvent.ts'
import type { Log } from '#src/config/log.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import { poolIdOf } from '#src/core/pools/poolIdentity.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { marketKindOf } from '#src/market/kinds/kinds.ts'
import type { Difference, FactoryRefusals } from './factoryRefusals.ts'

/** The pools of a chain whose known state differed from the chain. */
export type Differences = Readonly<{
  /** Logs a difference that was found at the block. */
  report: (difference: Omit<Difference, 'at'>, block: BlockId) => void
  /**
   * Searches the cause of the reported differences. If a node fails to return logs, the next call continues there.
   * @returns whether a factory was refused.
   * @throws RpcUnavailableError or RpcRefusedError if the node fails.
   */
  inspect: () => Promise<boolean>
}>

type Deps = Readonly<{
  log: Log
  refusals: FactoryRefusals
  /** Called for each difference. */
  onDifference: () => void
}>

/** Bounds the differences without a known cause, which accumulate while no node returns logs. */
const maxSuspects = 16

export function createDifferences(
  { log, refusals, onDifference }: Deps,
  chainId: ChainId,
): Differences {
  const suspects: Difference[] = []

  return {
    report: (found, { number, hash: blockHash }) => {
      onDifference()
      const { known, onChain } = found
      const difference = poolDifference(known, onChain)
      log.warn(
        { chainId, pool: poolIdOf(known), blockHash, difference },
        'A pool differs from the chain',
      )
      suspects.push({ ...found, at: number })
      if (suspects.length > maxSuspects) suspects.shift()
    },
    inspect: async () => {
      let hasRefused = false
      for (let suspect = suspects[0]; suspect !== undefined; suspect = suspects[0]) {
        hasRefused = (await refusals.inspect(suspect)) || hasRefused
        suspects.shift()
      }
      return hasRefused
    },
  }
}

/** Limits the size of a log line. */
const maxFields = 10

/** The differences between two states of one pool, by field, for the log. */
function poolDifference(known: Pool, onChain: Pool): Readonly<Record<string, string>> {
  const before = marketKindOf(known).fields(known)
  const after = marketKindOf(onChain).fields(onChain)
  const names = [...new Set([...before.keys(), ...after.keys()])]
  const different = names.filter((name) => before.get(name) !== after.get(name))
  return Object.fromEntries(
    different
      .slice(0, maxFields)
      .map((name) => [name, `${before.get(name)} here, ${after.get(name)} on chain`]),
  )
}
