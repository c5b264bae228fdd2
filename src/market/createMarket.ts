import { isDeepStrictEqual } from 'node:util'
import { createCallGate, NodesBusyError } from '#src/chains/rpc/callGate.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { ChainConfig, Config } from '#src/config.ts'
import { AppError } from '#src/errors.ts'
import type { Log } from '#src/log.ts'
import type { Asset, ChainMarket, Market } from '#src/pricing/market.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Currency } from '#src/units/currency.ts'
import { toUsd, type Usd } from '#src/units/usd.ts'
import { createChainFeed, type Snapshot } from './chainFeed.ts'
import { nativeOf } from './chainMarket.ts'
import { type Currencies, type CurrencyLoader, createCurrencies } from './currencies/currencies.ts'
import { createPermits, type Permits } from './permits/permits.ts'
import { type BalanceLoader, createBalances } from './reads/balances.ts'
import type { CallGates } from './reads/gatedAsk.ts'
import {
  createTransactionSimulator,
  type TransactionSimulator,
} from './reads/transactionSimulator.ts'

/** The state of one chain's market, for health checks and metrics. */
type ChainStatus = Readonly<{
  chainId: ChainId
  /** Undefined before the first snapshot. */
  head:
    | Readonly<{
        number: bigint
        hash: `0x${string}`
        /** Seconds since 1970. */
        timestamp: bigint
        /** Seconds since the block arrived. */
        ageSeconds: number
        isStale: boolean
        /** Tracked pools. */
        pools: number
        /** Tracked pools that routes may use. */
        routedPools: number
        refusedCurrencies: number
      }>
    | undefined
  /** Number of times that a pool differed from the chain and was read again. */
  differences: number
  /** Number of times that the whole market was read again. */
  resyncs: number
}>

/** The markets of all chains, kept current in memory. */
export type MarketFeed = Readonly<{
  /**
   * The current market of all chains: an immutable value, taken without any RPC call.
   * @throws AppError for a chain of `chainIds`: UNSUPPORTED_CHAIN if it is not configured, SERVICE_UNAVAILABLE before
   * its first snapshot, STALE_MARKET if its last block arrived more than five block times and more than 15 s ago.
   */
  snapshot: (chainIds: readonly ChainId[]) => Market
  /** Calls the listener after each change of a chain's market, until the returned function is called. */
  listen: (onSnapshot: (chainId: ChainId) => void) => () => void
  /** The last market of one chain, whatever its age. Undefined before its first snapshot. */
  latest: (chainId: ChainId) => ChainMarket | undefined
  /** Resolves when every chain has its first snapshot, or when the market is closed. */
  ready: () => Promise<void>
  status: () => readonly ChainStatus[]
  currencies: Pick<Currencies, 'known' | 'list'>
  /** A loader for one request. Loads of an unknown currency throw as `snapshot` does. */
  currencyLoader: () => CurrencyLoader
  /** A loader for one request. */
  balanceLoader: () => BalanceLoader
  simulator: TransactionSimulator
  permits: Omit<Permits, 'refresh'>
  /** Stops following all chains. Resolves when all work has ended. The clients stay open. */
  close: () => Promise<void>
}>

type Deps = Readonly<{
  clients: ReadonlyMap<ChainId, ChainClient>
  log: Log
  /** Value of a chain's deposits that are filled and not final yet; left out where no solver fills. */
  exposureOf?: (chainId: ChainId) => Promise<Usd>
  /** A monotonic clock, in milliseconds. */
  now: () => number
}>

type MarketArgs = Readonly<{
  config: Pick<Config, 'chains' | 'assets' | 'feeSchedule' | 'solver'>
  /** The currencies of the token list. */
  listed: readonly Currency[]
  /** Most requests to the nodes of a chain that callers of the APIs can cause at a time. */
  maxCallerCalls?: number | undefined
  /** Whether it is read in advance which currencies can be paid by signature. Only quotes need it. */
  readsPermits?: boolean
}>

const defaultCallerCalls = 16

/** A market is stale if no block has arrived for this many block times, */
const staleBlocks = 5
/** and for this many seconds. The minimum tolerates short pauses of fast chains. */
const minStaleSeconds = 15

/**
 * Starts to follow all chains.
 * @throws Error if a configured chain has no client.
 */
export function createMarket(
  { clients, log, now, exposureOf = async () => toUsd(0n) }: Deps,
  { config, listed, maxCallerCalls = defaultCallerCalls, readsPermits = false }: MarketArgs,
): MarketFeed {
  const gates = createGates(config.chains, maxCallerCalls)
  const currencies = createCurrencies(
    clients,
    [...config.chains.map(nativeOf), ...listed],
    gates.reads,
  )
  const balanceLoader = createBalances(clients, gates.reads)
  const permits = createPermits({ clients, log, now, gates: gates.reads }, config.chains)
  let current: Market | undefined
  let assets: readonly Asset[] = []
  const listeners = new Set<(chainId: ChainId) => void>()

  const feeds = new Map(
    config.chains.map((chain) => {
      const client = clients.get(chain.id)
      if (client === undefined) throw new Error(`Chain ${chain.id} has no client`)
      const onSnapshot = () => {
        current = undefined
        if (readsPermits)
          permits.refresh(chain.id, () => payableIn(listed, solver.currencies, chain.id))
        for (const listener of listeners) listener(chain.id)
      }
      const { address, unrecordedLimitUsd } = config.solver
      const solver = { address, unrecordedLimitUsd, currencies: solverCurrencies(config, chain) }
      const feed = createChainFeed(
        { client, log, currencies, exposureOf, now, onSnapshot },
        { chain, solver },
      )
      return [chain.id, { chain, feed }] as const
    }),
  )

  const ageSeconds = ({ seenAt }: Snapshot): number => (now() - seenAt) / 1000

  /** @throws as `snapshot` does. */
  function latestOf(chainId: ChainId): Snapshot {
    const entry = feeds.get(chainId)
    if (entry === undefined)
      throw new AppError('UNSUPPORTED_CHAIN', `Chain ${chainId} is not supported`, { chainId })
    const { chain, feed } = entry
    const latest = feed.latest()
    if (latest === undefined)
      throw new AppError(
        'SERVICE_UNAVAILABLE',
        `The market of ${chain.displayName} is not ready yet`,
        { chainId },
      )
    const age = ageSeconds(latest)
    if (age > stalenessOf(chain))
      throw new AppError(
        'STALE_MARKET',
        `The last block of ${chain.displayName} arrived ${Math.floor(age)} s ago`,
        { chainId, ageSeconds: Math.floor(age), blockNumber: `${latest.market.block.number}` },
      )
    return latest
  }

  function assemble(): Market {
    const chains = [...feeds].flatMap(([chainId, { feed }]) => {
      const latest = feed.latest()
      return latest === undefined ? [] : [[chainId, latest.market] as const]
    })
    const read = config.assets.map((asset) => toAsset(currencies, asset))
    // Unchanged assets stay the same object, which tells that a price of the same blocks is still right.
    if (!isDeepStrictEqual(read, assets)) assets = read
    return {
      chains: new Map(chains),
      assets,
      feeSchedule: config.feeSchedule,
    }
  }

  return {
    snapshot(chainIds) {
      for (const chainId of chainIds) latestOf(chainId)
      current ??= assemble()
      return current
    },
    listen: (onSnapshot) => {
      listeners.add(onSnapshot)
      return () => void listeners.delete(onSnapshot)
    },
    latest: (chainId) => feeds.get(chainId)?.feed.latest()?.market,
    ready: async () => {
      await Promise.all([...feeds.values()].map(({ feed }) => feed.ready))
    },
    status: () =>
      [...feeds].map(([chainId, { chain, feed }]) => {
        const latest = feed.latest()
        return {
          chainId,
          head: latest && {
            ...latest.market.block,
            ageSeconds: ageSeconds(latest),
            isStale: ageSeconds(latest) > stalenessOf(chain),
            pools: latest.trackedPools,
            routedPools: latest.market.graph.pools.length,
            refusedCurrencies: latest.market.refusedCurrencies.size,
          },
          ...feed.counts(),
        }
      }),
    currencies,
    currencyLoader: () => currencies.loader((chainId) => latestOf(chainId).market.block.hash),
    balanceLoader,
    simulator: createTransactionSimulator(clients, gates),
    permits,
    close: async () => {
      await Promise.all([...feeds.values()].map(({ feed }) => feed.close()))
    },
  }
}

/** A third of the requests may estimate gas, so that these do not keep out what quotes cannot do without. */
function createGates(chains: Config['chains'], maxCalls: number): CallGates {
  const estimates = Math.max(1, Math.floor(maxCalls / 3))
  const gatesOf = (maxRunning: number) =>
    new Map(
      chains.map(({ id }) => [
        id,
        createCallGate(() => new NodesBusyError(id), { maxRunning, maxWaiting: 4 * maxRunning }),
      ]),
    )
  return { estimates: gatesOf(estimates), reads: gatesOf(Math.max(1, maxCalls - estimates)) }
}

const stalenessOf = ({ blockSeconds }: ChainConfig): number =>
  Math.max(staleBlocks * blockSeconds, minStaleSeconds)

/** The currencies that the solver can pay out on a chain: native, wrapped native, and those of all assets. */
function solverCurrencies(
  { assets }: Pick<Config, 'assets'>,
  { id, wrappedNative }: ChainConfig,
): readonly Address[] {
  const ofAssets = assets.flatMap(({ currencies }) =>
    currencies.filter(({ chainId }) => chainId === id).map(({ address }) => address),
  )
  return [...new Set([nativeAddress, wrappedNative, ...ofAssets])]
}

/** The currencies whose permits are read in advance: those of the token list, and the solver's. */
const payableIn = (
  listed: readonly Currency[],
  own: readonly Address[],
  chainId: ChainId,
): readonly Address[] => {
  const known = listed.filter((each) => each.chainId === chainId).map(({ address }) => address)
  return [...new Set([...known, ...own])].filter((each) => each !== nativeAddress)
}

/** Leaves out currencies that have not been read from their chain. */
function toAsset(currencies: Pick<Currencies, 'known'>, asset: Config['assets'][number]): Asset {
  const known = asset.currencies.flatMap((key) => {
    const currency = currencies.known(key)
    return currency === undefined ? [] : [[key.chainId, currency] as const]
  })
  return { symbol: asset.symbol, class: asset.class, currencies: new Map(known) }
}
