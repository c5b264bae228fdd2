import type { Config } from '#src/config/config.ts'
import { AppError } from '#src/core/errors.ts'
import type { SettlementStop } from '#src/core/pricing/market.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { formatUsd, toUsd, type Usd } from '#src/core/units/usd.ts'
import type { ServedMarkets } from '#src/market/markets.ts'
import {
  addUp,
  type BookDay,
  type BookReads,
  type BookSums,
  type OpenRequests,
  profitOf,
} from '#src/requests/state/books.ts'
import type { Client, Identify } from '#src/service/callers.ts'
import { listedChains } from '#src/service/listedChains.ts'
import { crossingCost, type MoveCost } from './crossingCost.ts'
import { type AdvisedMove, type ChainInventory, createInventory } from './inventory.ts'

/** A UTC day in the books, such as `2026-01-31`. */
export type BookedDay = Readonly<{
  day: string
  total: BookSums
  /** The chains with transactions on that day. */
  chains: readonly Readonly<{ chainId: ChainId; sums: BookSums }>[]
}>

/** Something that an operator should look at. `name` is that of the alert in docs/monitoring/alerts.yml. */
export type Alarm = Readonly<{ name: string; chainId: ChainId | undefined; text: string }>

export type SolverBooks = Readonly<{
  chains: readonly ChainInventory[]
  moves: readonly (AdvisedMove & MoveCost)[]
  /** The newest day, today, first. Each day is there, also without transactions. */
  days: readonly BookedDay[]
  openRequests: readonly OpenRequests[]
  alarms: readonly Alarm[]
}>

export type BookService = Readonly<{
  /**
   * The books of this many UTC days, and the solver's present inventory. Makes no RPC call.
   * @throws AppError UNAUTHORIZED without a known API key; FORBIDDEN for a key without the right `operator`;
   * SERVICE_UNAVAILABLE
   */
  solverBooks: (client: Client, days: number) => Promise<SolverBooks>
}>

type Deps = Readonly<{
  config: Config
  market: ServedMarkets
  requests: BookReads
  identify: Identify
  now: () => number
}>

const dayMs = 86_400_000

/** Gas for fewer fills than this is an alarm. */
const minGasFills = 200n

export function createBookService({ config, market, requests, identify, now }: Deps): BookService {
  const inventory = createInventory({ config, market })
  const chainIds = listedChains(config).map(({ id }) => id)

  function requireOperator({ apiKey }: Client): void {
    const caller = identify(apiKey)
    if (caller === undefined)
      throw new AppError('UNAUTHORIZED', 'x-api-key: the books need the key of an operator.')
    if (caller.operator !== true)
      throw new AppError(
        'FORBIDDEN',
        `x-api-key: ${caller.name} is not an operator (apiKeys[].operator).`,
      )
  }

  return {
    solverBooks: async (client, count) => {
      requireOperator(client)
      const today = Math.floor(now() / dayMs)
      const [rows, openRequests] = await Promise.all([
        // The alarm needs yesterday.
        requests.bookDays(chainIds, today - Math.max(count, 2) + 1),
        requests.openRequests(now()),
      ])
      const chains = inventory.chains()
      const yesterday = addUp(rows.filter(({ day }) => day === today - 1))
      return {
        chains,
        moves: inventory.moves().map((move) => ({ ...move, ...crossingCost(market, move) })),
        days: Array.from({ length: count }, (_, at) => bookedDay(today - at, rows)),
        openRequests,
        alarms: [
          ...chains.flatMap((chain) => inventoryAlarms(chain)),
          ...unprofitable(yesterday),
          ...market.status().flatMap(({ chainId, head }) => staleAlarm(chainId, head?.staleReason)),
          ...chainIds.flatMap((chainId) => marketAlarms(market, chainId)),
        ],
      }
    },
  }
}

function bookedDay(day: number, rows: readonly BookDay[]): BookedDay {
  const own = rows.filter((row) => row.day === day)
  const byChain = Map.groupBy(own, ({ chainId }) => chainId)
  return {
    day: new Date(day * dayMs).toISOString().slice(0, 10),
    total: addUp(own),
    chains: [...byChain].map(([chainId, all]) => ({ chainId, sums: addUp(all) })),
  }
}

function inventoryAlarms({ chainId, displayName, gasFills, holdings }: ChainInventory): Alarm[] {
  const poor = {
    name: 'CrossquoteSolverPoor',
    chainId,
    text: `The gas money on ${displayName} pays for ${gasFills} fills.`,
  }
  return [
    ...(gasFills !== undefined && gasFills < minGasFills ? [poor] : []),
    ...holdings
      .filter(({ isLow }) => isLow)
      .map(({ symbol }) => ({
        name: 'CrossquoteInventoryLow',
        chainId,
        text: `The solver’s ${symbol} on ${displayName} is below its minimum.`,
      })),
  ]
}

/** As the alert: what sponsors owe counts. */
function unprofitable(yesterday: BookSums): Alarm[] {
  const profit: Usd = toUsd(profitOf(yesterday) + yesterday.sponsoredUsd)
  const text = `Yesterday’s profit is ${formatUsd(profit)} US dollars.`
  return profit < 0n ? [{ name: 'CrossquoteUnprofitableDay', chainId: undefined, text }] : []
}

const staleAlarm = (chainId: ChainId, reason: string | undefined): Alarm[] =>
  reason === undefined ? [] : [{ name: 'CrossquoteMarketStale', chainId, text: reason }]

function marketAlarms({ latest }: ServedMarkets, chainId: ChainId): Alarm[] {
  const chain = latest(chainId)
  const stopped = chain?.settlement?.stopped
  return [
    ...[...(chain?.stoppedAssets ?? [])].map((asset) => ({
      name: 'CrossquoteAssetStopped',
      chainId,
      text: `${asset} is stopped until it is resumed.`,
    })),
    ...(stopped === undefined
      ? []
      : [{ name: 'CrossquoteSettlementStopped', chainId, text: stops[stopped] }]),
  ]
}

const stops = {
  paused: 'The depository is paused.',
  otherAllocator: 'The depository has another allocator than the solver.',
  notAPayee: 'The solver is not a payee of the depository.',
  otherName: 'The depository has another name of its chain.',
  unread: 'The depository does not answer.',
} as const satisfies Record<SettlementStop, string>
