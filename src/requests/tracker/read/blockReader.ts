import { hexToBytes } from 'viem'
import type { ReadBlock } from '#src/chains/follow/chainFollower.ts'
import { bloomOf, covers, mayContain } from '#src/chains/read/bloom.ts'
import { type LogFilter, mayMatch } from '#src/chains/read/logFilter.ts'
import { readLogsOf, withLogs } from '#src/chains/read/readBlock.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { BlockLog, Header } from '#src/chains/rpc/rpcAnswer.ts'
import type { Log } from '#src/log.ts'
import type { Payer, RequestStore } from '#src/requests/requestStore.ts'
import {
  allSpendings,
  contractFilter,
  plainDepositFilters,
  spendingFilters,
  topicOf,
} from './trackedFilters.ts'
import { namedRuns, type Tracked } from './trackedLogs.ts'

type Deps = Readonly<{
  client: Pick<ChainClient, 'ask'>
  log: Log
  store: Pick<RequestStore, 'findAll' | 'allAwaitedPayers'>
}>

/** With more requests that await their user's own swap, all transfers of a block are read. */
const maxAwaited = 2_000

/**
 * Reads a block with all its logs that may concern requests. The logs of our contracts are read of each block. Transfers
 * are not where the block's bloom filter rules them out.
 */
export function createBlockReader({ client, log, store }: Deps, tracked: Tracked): ReadBlock {
  const contracts = contractFilter(tracked)
  const plainDeposits = plainDepositFilters(tracked)
  let bloomIs: 'unknown' | 'complete' | 'incomplete' = 'unknown'

  /**
   * The block's bloom filter, if it can be relied on to rule out transfers: it is not empty, and those of the chain contain
   * what its blocks log. The first block with logs tells: on some chains they are empty, or lack the logs of the system.
   */
  async function reliableBloom(
    header: Header,
    signal: AbortSignal,
  ): Promise<Uint8Array | undefined> {
    const bloom = hexToBytes(header.logsBloom ?? '0x')
    if (bloom.every((byte) => byte === 0)) return undefined
    if (bloomIs === 'unknown') {
      const logs = await readLogsOf({ client, log }, header, { topics: [] }, signal)
      if (logs.length > 0) bloomIs = covers(bloom, bloomOf(logs)) ? 'complete' : 'incomplete'
    }
    return bloomIs === 'complete' ? bloom : undefined
  }

  /**
   * The accounts that may spend for a request: those with one that awaits their swap, and those whose requests the router's
   * events name. Read after the block, so that whoever was quoted before paying is among them. Undefined: anybody may.
   */
  async function findPayers(
    header: Header,
    logs: readonly BlockLog[],
  ): Promise<readonly Payer[] | undefined> {
    const names = namedRuns(tracked, withLogs(header, logs)).map(({ name }) => name)
    const [awaited, named] = await Promise.all([
      store.allAwaitedPayers(tracked.chainId, { now: Number(header.timestamp), limit: maxAwaited }),
      names.length === 0 ? [] : store.findAll([...new Set(names)]),
    ])
    if (awaited === undefined) return undefined
    return [...awaited, ...named.map(({ user, originCurrency: currency }) => ({ user, currency }))]
  }

  return async (header, signal) => {
    const read = (filter: LogFilter) => readLogsOf({ client, log }, header, filter, signal)
    const [shown, own] = await Promise.all([reliableBloom(header, signal), read(contracts)])
    if (shown !== undefined && !covers(shown, bloomOf(own))) bloomIs = 'incomplete'
    const bloom = bloomIs === 'complete' ? shown : undefined
    const payers = await findPayers(header, own)
    const mayBeLogged = ({ user }: Payer) => bloom === undefined || mayContain(bloom, topicOf(user))
    const spending =
      payers === undefined ? [allSpendings] : spendingFilters(tracked, payers.filter(mayBeLogged))
    const filters = [...plainDeposits, ...spending].filter(
      (filter) => bloom === undefined || mayMatch(filter, bloom),
    )
    const found = await Promise.all(filters.map(read))
    const logs = new Map([own, ...found].flat().map((each) => [each.logIndex, each]))
    return withLogs(
      header,
      [...logs.values()].toSorted((one, other) => one.logIndex - other.logIndex),
    )
  }
}
