import type { ChainClient } from '#src/chains/chainClient.ts'
import type { ChainConfig, Config } from '#src/config.ts'
import { AppError } from '#src/errors.ts'
import type { Log } from '#src/log.ts'
import type { Asset, ChainMarket, Market } from '#src/pricing/market.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Currency } from '#src/units/currency.ts'
import { createChainFeed, type Snapshot } from './chainFeed.ts'
import { nativeOf } from './chainMarket.ts'
import { type Currencies, type CurrencyLoader, createCurrencies } from './currencies/currencies.ts'
import { type BalanceLoader, createBalances } from './reads/balances.ts'
import { createTrials, type Trials } from './reads/transactionSimulator.ts'

/** How the market of one chain stands, for health checks and metrics. */
type ChainStatus = Readonly<{
  chainId: ChainId
  /** Absent until the first snapshot is in. */
  head:
    | Readonly<{
        number: bigint
        hash: `0x${string}`
        /** Seconds since 1970. */
        timestamp: bigint
        /** Since the block was seen. */
        ageSeconds: number
        isStale: boolean
        /** Pools that are followed. */
        pools: number
        /** Of these, pools that routes may use. */
        routedPools: number
        refusedCurrencies: number
      }>
    | undefined
  /** Pools that were found not to be as the chain had them, and were read anew. */
  differences: number
  /** Times that everything was read anew. */
  resyncs: number
}>

/** The markets of all chains, kept current in memory. */
export type MarketFeed = Readonly<{
  /**
   * The market as it is now. It never changes and asks nobody.
   * @throws AppError UNSUPPORTED_CHAIN for a chain of `chainIds` that is not configured,
   * SERVICE_UNAVAILABLE for one without a snapshot yet, STALE_MARKET for one whose last block was
   * seen more than 15 s and five mean block times ago.
   */
  snapshot: (chainIds: readonly ChainId[]) => Market
  /** What is known of one chain, however old; undefined before its first snapshot. */
  latest: (chainId: ChainId) => ChainMarket | undefined
  /** Resolves once every chain has its first snapshot (or the market is closed). */
  ready: () => Promise<void>
  status: () => readonly ChainStatus[]
  currencies: Pick<Currencies, 'known' | 'list'>
  /** For one request. A load at a chain without a snapshot fails as `snapshot` does. */
  currencyLoader: () => CurrencyLoader
  /** For one request. */
  balanceLoader: () => BalanceLoader
  trials: Trials
  /** Stops following; resolves when nothing of the market is at work any more. The clients stay open. */
  close: () => Promise<void>
}>

type Deps = Readonly<{
  clients: ReadonlyMap<ChainId, ChainClient>
  log: Log
  /** A clock that never goes back, in milliseconds. */
  now: () => number
}>

type MarketArgs = Readonly<{
  config: Pick<Config, 'chains' | 'assets' | 'feeSchedule' | 'solver'>
  /** What the token list vouches for. */
  listed: readonly Currency[]
}>

/** A head is stale when no block has come for so many mean block times, */
const staleBlocks = 5
/** but not before so many seconds: a short pause of a fast chain is nothing. */
const staleSeconds = 15

/**
 * Follows all chains from now on.
 * @throws Error when a configured chain has no client.
 */
export function createMarket(
  { clients, log, now }: Deps,
  { config, listed }: MarketArgs,
): MarketFeed {
  const currencies = createCurrencies(clients, [...config.chains.map(nativeOf), ...listed])
  const balanceLoader = createBalances(clients)
  let current: Market | undefined

  const feeds = new Map(
    config.chains.map((chain) => {
      const client = clients.get(chain.id)
      if (client === undefined) throw new Error(`Chain ${chain.id} has no client`)
      const onSnapshot = () => {
        current = undefined
      }
      const solver = { address: config.solver.address, currencies: solverCurrencies(config, chain) }
      const feed = createChainFeed({ client, log, currencies, now, onSnapshot }, { chain, solver })
      return [chain.id, { chain, feed }] as const
    }),
  )

  const ageSeconds = ({ seenAt }: Snapshot): number => (now() - seenAt) / 1000

  /** @throws as `snapshot` does. */
  function latestOf(chainId: ChainId): Snapshot {
    const followed = feeds.get(chainId)
    if (followed === undefined)
      throw new AppError('UNSUPPORTED_CHAIN', `No chain ${chainId} is served here`, { chainId })
    const { chain, feed } = followed
    const latest = feed.latest()
    if (latest === undefined)
      throw new AppError(
        'SERVICE_UNAVAILABLE',
        `The market of ${chain.displayName} is still being read`,
        { chainId },
      )
    const age = ageSeconds(latest)
    if (age > stalenessOf(chain))
      throw new AppError(
        'STALE_MARKET',
        `No block of ${chain.displayName} has come for ${Math.floor(age)} s`,
        { chainId, ageSeconds: Math.floor(age), blockNumber: `${latest.market.block.number}` },
      )
    return latest
  }

  function assemble(): Market {
    const chains = [...feeds].flatMap(([chainId, { feed }]) => {
      const latest = feed.latest()
      return latest === undefined ? [] : [[chainId, latest.market] as const]
    })
    return {
      chains: new Map(chains),
      assets: config.assets.map((asset) => toAsset(currencies, asset)),
      feeSchedule: config.feeSchedule,
    }
  }

  return {
    snapshot(chainIds) {
      for (const chainId of chainIds) latestOf(chainId)
      current ??= assemble()
      return current
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
            pools: latest.followed,
            routedPools: latest.market.graph.pools.length,
            refusedCurrencies: latest.market.refusedCurrencies.size,
          },
          ...feed.counts(),
        }
      }),
    currencies,
    currencyLoader: () => currencies.loader((chainId) => latestOf(chainId).market.block.hash),
    balanceLoader,
    trials: createTrials(clients),
    close: async () => {
      await Promise.all([...feeds.values()].map(({ feed }) => feed.close()))
    },
  }
}

const stalenessOf = ({ blockSeconds }: ChainConfig): number =>
  Math.max(staleBlocks * blockSeconds, staleSeconds)

/** What the solver can pay out on a chain: its part of every asset, and the native currency in both forms. */
function solverCurrencies(
  { assets }: Pick<Config, 'assets'>,
  { id, wrappedNative }: ChainConfig,
): readonly Address[] {
  const held = assets.flatMap(({ currencies }) =>
    currencies.filter(({ chainId }) => chainId === id).map(({ address }) => address),
  )
  return [...new Set([nativeAddress, wrappedNative, ...held])]
}

/** A currency that could not be read on its chain (so far) is left out. */
function toAsset(currencies: Pick<Currencies, 'known'>, asset: Config['assets'][number]): Asset {
  const known = asset.currencies.flatMap((key) => {
    const currency = currencies.known(key)
    return currency === undefined ? [] : [[key.chainId, currency] as const]
  })
  return { symbol: asset.symbol, class: asset.class, currencies: new Map(known) }
}
