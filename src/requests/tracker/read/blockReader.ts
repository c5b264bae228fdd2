import { type Hex, hexToBytes, pad } from 'viem'
import { chunksOf } from '#src/chains/chunksOf.ts'
import type { ReadBlock } from '#src/chains/follow/chainFollower.ts'
import { bloomOf, covers, mayContain } from '#src/chains/read/bloom.ts'
import { type LogFilter, mayMatch } from '#src/chains/read/logFilter.ts'
import { readLogsOf, withLogs } from '#src/chains/read/readBlock.ts'
import type { Rpc } from '#src/chains/rpc/chainClient.ts'
import type { BlockLog, Header } from '#src/chains/rpc/rpcAnswer.ts'
import type { Log } from '#src/config/log.ts'
import { type Account, evmAddress, nativeAddress } from '#src/core/units/address.ts'
import type { RequestReads } from '#src/requests/requestStore.ts'
import type { Payer, SwapReads } from '#src/requests/trackingStore.ts'
import {
  contractTopics,
  depositTopics,
  requestRuns,
  spendingTopics,
  type Tracked,
} from './trackedLogs.ts'

type Deps = Readonly<{
  client: Rpc
  log: Log
  store: RequestReads & SwapReads
}>

/** If more requests than this await their user's own swap, all transfers of a block are read. */
const maxAwaited = 2_000

/**
 * Reads a block with all its logs that may concern requests. Always reads the logs of our contracts. Skips transfers
 * that the block's bloom filter excludes.
 */
export function createBlockReader({ client, log, store }: Deps, tracked: Tracked): ReadBlock {
  const contracts = contractFilter(tracked)
  const plainDeposits = plainDepositFilters(tracked)
  let bloomIs: 'unknown' | 'complete' | 'incomplete' = 'unknown'

  /**
   * The block's bloom filter if it reliably excludes transfers: it is not empty, and the chain's filters contain all
   * logs. The first block with logs shows this. On some chains the filters are empty or lack the system's logs.
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
   * The accounts that may spend for a request: the users of requests that await their swap, and of requests whose ids
   * are in the router's events. Read after the block, so that all users who paid in it are included. Undefined: any
   * account.
   */
  async function findPayers(
    header: Header,
    logs: readonly BlockLog[],
  ): Promise<readonly Payer[] | undefined> {
    const runs = requestRuns(tracked, withLogs(header, logs))
    const requestIds = runs.map(({ requestId }) => requestId)
    const [awaited, requests] = await Promise.all([
      store.allAwaitedPayers(tracked.chainId, { now: Number(header.timestamp), limit: maxAwaited }),
      requestIds.length === 0 ? [] : store.findAll([...new Set(requestIds)]),
    ])
    if (awaited === undefined) return undefined
    const named = requests
      .filter(({ originChainId }) => originChainId === tracked.chainId)
      .map(({ user, originCurrency: currency }) => ({ user, currency }))
    return [...awaited, ...named]
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

/** Maximum number of addresses or topics at one place of a filter. The strictest nodes refuse 1,000. */
const maxListed = 500

/** The events of our contracts. */
export const contractFilter = ({ contracts: { depository, router } }: Tracked): LogFilter => ({
  address: [depository, router],
  topics: [contractTopics],
})

/** The deposits that the depository records. */
export const recordedDepositFilter = ({ contracts: { depository } }: Tracked): LogFilter => ({
  address: depository,
  topics: [depositTopics],
})

/**
 * Transfers of deposit currencies to the depository. Anybody may deploy another currency and flood the logs with it.
 */
export const plainDepositFilters = ({
  contracts,
  depositCurrencies,
}: Tracked): readonly LogFilter[] =>
  chunksOf(
    [...depositCurrencies].filter((each) => each !== nativeAddress),
    maxListed,
  ).map((address) => ({
    address,
    topics: [spendingTopics.transfer, null, pad(contracts.depository)],
  }))

/** Spendings of these accounts in these currencies. Also matches other pairs of the two. */
export function spendingFilters(
  { wrappedNative }: Tracked,
  payers: readonly Payer[],
): readonly LogFilter[] {
  const byUser = [...Map.groupBy(payers, ({ user }) => user)]
  return chunksOf(byUser, maxListed).map((some) => {
    const currencies = some.flatMap(([, own]) => own.map(({ currency }) => evmAddress(currency)))
    // The native currency is spent without a log, unless it is wrapped.
    const address = [
      ...new Set(currencies.map((each) => (each === nativeAddress ? wrappedNative : each))),
    ]
    const topics = [Object.values(spendingTopics), some.map(([user]) => topicOf(user))]
    return address.length > maxListed ? { topics } : { address, topics }
  })
}

/** Spendings of all accounts in all currencies. */
const allSpendings: LogFilter = { topics: [Object.values(spendingTopics)] }

const topicOf = (account: Account): Hex => pad(evmAddress(account))
