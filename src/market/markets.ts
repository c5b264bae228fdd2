import { isDeepStrictEqual } from 'node:util'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { createMemorySearches, type SearchStore } from '#src/chains/search/searchStore.ts'
import type { ChainConfig, Config } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import { AppError } from '#src/core/errors.ts'
import type { Asset, ChainMarket, Market, SettlementState } from '#src/core/pricing/market.ts'
import type { Account } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { toUsd, type Usd } from '#src/core/units/usd.ts'
import { nativeOf } from './chainMarket.ts'
import { ChainMarketFollower } from './chainMarketFollower.ts'
import { type ContractKinds, createContractKinds } from './contracts/contractKinds.ts'
import {
  type Currencies,
  type CurrencyLoader,
  type CurrencyRegister,
  createCurrencies,
} from './currencies/currencies.ts'
import { FollowedChain, freshnessOf } from './followedChain.ts'
import type { ChainStatus, MarketFollower } from './marketFollower.ts'
import type { OtherChain } from './otherChain.ts'
import { createPermits, type Permits } from './permitSupport/permitSupport.ts'
import { type BalanceLoader, createBalances } from './reads/balances.ts'
import { createGates } from './reads/gatedAsk.ts'
import {
  createTransactionSimulator,
  type TransactionSimulator,
} from './reads/transactionSimulator.ts'
import { type ReplicaPlace, ReplicaReader } from './replica/replicaReader.ts'
import { payableIn, type SolverOnChain, solverOf } from './solverOnChain.ts'

export type MarketSnapshots = Readonly<{
  /**
   * The current market of all chains: an immutable value, taken without any RPC call.
   * @throws AppError for a chain of `chainIds`: UNSUPPORTED_CHAIN if it is not configured, SERVICE_UNAVAILABLE before
   * its first snapshot, and while its sequencer is down or has been back for less than the grace time; STALE_MARKET if
   * the timestamp of its newest block is older than `maxMarketAgeSeconds`, or more than 15 s in the future.
   */
  snapshot: (chainIds: readonly ChainId[]) => Market
}>

export type LatestMarkets = Readonly<{
  /** Calls the listener after each change of a chain's market, until the returned function is called. */
  listen: (onSnapshot: (chainId: ChainId) => void) => () => void
  /** The last market of one chain, of any age. Undefined before its first snapshot. */
  latest: (chainId: ChainId) => ChainMarket | undefined
}>

/** How current the markets are. */
export type ChainStatuses = Readonly<{
  status: () => readonly ChainStatus[]
}>

export type PoolDemand = Readonly<{
  /**
   * Requests the price of a currency. If none of its pools is followed, they join the followed pools as far as there is
   * room. Returns the seconds after which to ask again; undefined if asking again does not help. Makes no RPC call.
   */
  ask: (currency: Readonly<{ chainId: ChainId; address: Account }>) => number | undefined
}>

export type KnownCurrencies = Readonly<{ currencies: CurrencyRegister }>

export type MarketLoaders = Readonly<{
  /** A loader for one request. A load of an unknown currency throws as `snapshot` does, except for the sequencer. */
  currencyLoader: () => CurrencyLoader
  /** A loader for one request. */
  balanceLoader: () => BalanceLoader
}>

export type Simulations = Readonly<{ simulator: TransactionSimulator }>

/** Everything that the APIs read of the markets. */
export type ServedMarkets = MarketSnapshots &
  LatestMarkets &
  ChainStatuses &
  PoolDemand &
  KnownCurrencies &
  MarketLoaders &
  Simulations &
  Readonly<{
    /** Reason why a chain has no snapshot yet, as a phrase for operators; undefined after the first snapshot. */
    waitsFor: (chainId: ChainId) => string | undefined
    /** Milliseconds since the timestamp of a block of a configured chain; 0 for one that is dated in the future. */
    ageMs: (block: Readonly<{ chainId: ChainId; timestamp: bigint }>) => number
    contractKinds: ContractKinds
    permits: Omit<Permits, 'refresh'>
  }>

/** The markets of all chains, kept current in memory. */
export type Markets = ServedMarkets &
  Readonly<{
    /** Resolves when every chain has its first snapshot, or when the market is closed. */
    ready: () => Promise<void>
    /** Stops following all chains. Resolves when all work has ended. The clients stay open. */
    close: () => Promise<void>
  }>

type Deps = Readonly<{
  clients: ReadonlyMap<ChainId, ChainClient>
  log: Log
  /** Value of a chain's deposits that are filled and not final yet; left out if no solver fills. */
  exposureOf?: (chainId: ChainId) => Promise<Usd>
  /** Deposits of a chain that are filled, or whose fill is under way, and that are not settled; left out likewise. */
  unsettledOf?: (chainId: ChainId) => Promise<SettlementState['unsettled']>
  /** The assets that are stopped on a chain; left out if no solver fills. */
  stoppedAssets?: (chainId: ChainId) => Promise<readonly Readonly<{ asset: string }>[]>
  /** Stores the search for pools. By default it is in memory, and each start searches again. */
  searches?: SearchStore
  /** A monotonic clock, in milliseconds. */
  now: () => number
  /** The time of day that the blocks of a chain are compared with, in milliseconds since 1970. */
  time: (chainId: ChainId) => number
}>

type MarketConfig = Pick<Config, 'chains' | 'assets' | 'feeSchedule' | 'solver'>

type MarketArgs = Readonly<{
  config: MarketConfig
  /** The currencies of the token list. */
  listed: readonly Currency[]
  /** Maximum number of concurrent requests to the nodes of a chain that callers of the APIs can cause. */
  maxCallerCalls?: number | undefined
  /** Whether to read in advance if each currency supports permits. Only quotes need it. */
  readsPermits?: boolean
  /** The Redis feed on which another process publishes the markets. If present, no node is asked for them. */
  feed?: ReplicaPlace | undefined
  /** Chains of other virtual machines. Each process follows them itself. */
  others?: readonly OtherChain[] | undefined
}>

const defaultCallerCalls = 16

/**
 * Starts to follow all chains.
 * @throws Error if a configured chain has no client.
 */
export function createMarkets(deps: Deps, args: MarketArgs): Markets {
  const { clients, log, now, time, searches = createMemorySearches() } = deps
  const {
    config,
    listed,
    maxCallerCalls = defaultCallerCalls,
    readsPermits = false,
    others = [],
  } = args
  const gates = createGates([...config.chains, ...others.map(({ facts }) => facts)], maxCallerCalls)
  const byId = new Map(others.map((other) => [other.facts.id, other]))
  const currencies = createCurrencies(
    { clients, others: byId, log, gates: gates.reads },
    { natives: nativesOf(config, others), listed },
  )
  const readAssets = createAssets(currencies, config.assets)
  const permits = createPermits({ clients, log, now, gates: gates.reads }, config.chains)
  let current: Market | undefined
  const listeners = new Set<(chainId: ChainId) => void>()

  function announce(chainId: ChainId): void {
    current = undefined
    for (const listener of listeners) listener(chainId)
  }

  const chains = new Map(
    config.chains.map((chain) => {
      const solver = solverOf(config, chain)
      const onSnapshot = () => {
        if (readsPermits)
          permits.refresh(chain.id, () => payableIn(listed, solver.currencies, chain.id))
        announce(chain.id)
      }
      const follower = startFollower(
        { ...deps, searches, currencies, onSnapshot },
        args.feed,
        chain,
        solver,
      )
      return [chain.id, new FollowedChain(follower, chain, () => time(chain.id))] as const
    }),
  )
  for (const { facts, follow } of others) {
    const { id } = facts
    const priced = (chainId: ChainId) => chains.get(chainId)?.priced()
    const follower = follow({ currencies, priced, onSnapshot: () => announce(id) })
    chains.set(id, new FollowedChain(follower, facts, () => time(id)))
  }
  const followers = () => [...chains.values()].map(({ follower }) => follower)

  /** @throws AppError UNSUPPORTED_CHAIN */
  function chainOf(chainId: ChainId): FollowedChain {
    const chain = chains.get(chainId)
    if (chain === undefined)
      throw new AppError('UNSUPPORTED_CHAIN', `Chain ${chainId} is not supported`, { chainId })
    return chain
  }

  function assemble(): Market {
    const found = [...chains].flatMap(([chainId, { follower }]) => {
      const latest = follower.latest()
      return latest === undefined ? [] : [[chainId, latest.market] as const]
    })
    return { chains: new Map(found), assets: readAssets(), feeSchedule: config.feeSchedule }
  }

  return {
    snapshot(chainIds) {
      for (const chainId of chainIds) chainOf(chainId).refuseUnpriced()
      current ??= assemble()
      return current
    },
    listen: (onSnapshot) => {
      listeners.add(onSnapshot)
      return () => void listeners.delete(onSnapshot)
    },
    latest: (chainId) => chains.get(chainId)?.follower.latest()?.market,
    waitsFor: (chainId) => chains.get(chainId)?.follower.waitsFor(),
    ageMs: ({ chainId, timestamp }) => chains.get(chainId)?.ageMs(timestamp) ?? 0,
    ready: async () => {
      await Promise.all(followers().map(({ ready }) => ready))
    },
    status: () => [...chains.values()].map((chain) => chain.status()),
    ask: ({ chainId, address }) => chains.get(chainId)?.follower.ask?.(address),
    currencies,
    currencyLoader: () => currencies.loader((chainId) => chainOf(chainId).current().block.hash),
    balanceLoader: createBalances(clients, gates, byId),
    simulator: createTransactionSimulator(clients, gates),
    contractKinds: createContractKinds(clients, gates),
    permits,
    close: async () => {
      await Promise.all(followers().map((follower) => follower.close()))
    },
  }
}

type FollowerDeps = Deps &
  Readonly<{ searches: SearchStore; currencies: Currencies; onSnapshot: () => void }>

/** @throws Error if the chain has no client */
function startFollower(
  deps: FollowerDeps,
  place: ReplicaPlace | undefined,
  chain: ChainConfig,
  solver: SolverOnChain,
): MarketFollower {
  const client = deps.clients.get(chain.id)
  if (client === undefined) throw new Error(`Chain ${chain.id} has no client`)
  const { log, currencies, now, onSnapshot } = deps
  if (place !== undefined) {
    const isFresh = (block: ChainMarket['block']) =>
      freshnessOf(chain, block, { time: deps.time(chain.id), announced: 0n }).refusal === undefined
    return new ReplicaReader(
      { log, currencies, now, isFresh, onSnapshot },
      { place, chain, solver },
    )
  }
  const {
    searches,
    exposureOf = async () => toUsd(0n),
    unsettledOf = async () => new Map(),
    stoppedAssets = async () => [],
  } = deps
  const stored = { searches, exposureOf, unsettledOf, stoppedAssets }
  return new ChainMarketFollower(
    { client, log, currencies, now, onSnapshot, ...stored },
    { chain, solver },
  )
}

const nativesOf = ({ chains }: MarketConfig, others: readonly OtherChain[]) => [
  ...chains.map((chain) => ({ ...chain, native: nativeOf(chain) })),
  ...others.map(({ native }) => ({ native, wrappedNative: native.address })),
]

/** Unchanged assets stay the same object: caches compare it to find that a price of the same blocks is still valid. */
function createAssets(
  currencies: Currencies,
  configured: Config['assets'],
): () => readonly Asset[] {
  let assets: readonly Asset[] = []
  return () => {
    const read = configured.map((asset) => toAsset(currencies, asset))
    if (!isDeepStrictEqual(read, assets)) assets = read
    return assets
  }
}

/** Leaves out currencies that have not been read from their chain, and those that contradict the configuration. */
function toAsset(currencies: Currencies, asset: Config['assets'][number]): Asset {
  const known = asset.currencies.flatMap((key) => {
    const currency = currencies.known(key)
    const isUsable =
      currency !== undefined && !currencies.conflicts(key.chainId).has(currency.address)
    return isUsable ? [[key.chainId, currency] as const] : []
  })
  return { ...asset, currencies: new Map(known) }
}
