import type { ChainInput } from '#src/config/chain.ts'
import type { FactoryInput } from '#src/config/factory.ts'

/** The published facts of a chain. Its preset derives from them. Addresses have their EIP-55 checksums. */
export type ChainFacts = Readonly<{
  /**
   * Fields in the format of the configuration. Our own choices: `depositTiers` as in docs/configuration.md, one block up to
   * $1,000 on rollups only; `fillConfirmations` of at least 24 seconds; `finalityDepth` of the blocks that usually become
   * final together, for nodes without the `finalized` tag.
   */
  chain: Pick<
    ChainInput,
    | 'id'
    | 'name'
    | 'displayName'
    | 'explorerUrl'
    | 'nativeCurrency'
    | 'wrappedNative'
    | 'wrappedSymbol'
    | 'l1DataFee'
    | 'blockSeconds'
    | 'depositConfirmations'
    | 'depositTiers'
    | 'fillConfirmations'
    | 'finalityDepth'
    | 'sequencerFeed'
  >
  /** Traded ERC-20 currencies, by symbol. Their pools with each other and the wrapped native currency are tracked. */
  currencies: Readonly<Record<string, string>>
  /** The factories of pools, by source. */
  factories: Readonly<Record<string, FactoryFacts>>
  /** Chainlink's feeds, by the symbol of the currency; `native` for the native one. */
  feeds: Readonly<Record<string, Feed>>
  /** The currency of each bridged asset: its symbol on this chain, or `native`. */
  assets: Readonly<Partial<Record<AssetSymbol, string>>>
  /** Whether no current publication of the chain or of viem names the block time, such as where it changes by vote. */
  isBlockTimeUnverified?: boolean
}>

type WithoutNames<Factory> = Factory extends unknown ? Omit<Factory, 'source' | 'pairs'> : never

/** A factory in the format of the configuration, without `source` and `pairs`. */
type FactoryFacts = Readonly<WithoutNames<FactoryInput>>

type Feed = Readonly<{
  aggregator: string
  /** Beginning of the feed's description, or several of which one must match. */
  pair: string | readonly string[]
  /** Published maximum seconds between two answers while the price does not move. */
  heartbeat: number
  /** Whether no current publication of Chainlink names the heartbeat. */
  isHeartbeatUnverified?: boolean
}>

export const assetClasses = {
  ETH: 'major',
  BTC: 'major',
  USDC: 'stable',
  USDT: 'stable',
  DAI: 'stable',
} as const
export type AssetSymbol = keyof typeof assetClasses

export type ChainPreset = Readonly<{
  chain: Omit<ChainInput, 'rpcUrls' | 'preset'>
  assets: ChainFacts['assets']
  /** Address of each currency, by symbol, and of the native one. */
  addresses: Readonly<Record<string, string>>
  /** Values that no node can confirm, and that nobody has compared with the chain. */
  unverified: readonly Readonly<{ fact: string; value: string; aggregator?: string }>[]
}>

/** In seconds. Feeds answer up to a minute late: without the slack their prices would expire. */
const maxAgeOf = (heartbeat: number): number => Math.max(120, Math.ceil(heartbeat * 1.15))

/** The decimals of Chainlink's feeds in US dollars. */
const feedDecimals = 8

export function toPreset(facts: ChainFacts): ChainPreset {
  const { chain, currencies, feeds, assets } = facts
  const addresses = { ...currencies, native: `0x${'0'.repeat(40)}` }
  const traded = [chain.wrappedNative, ...Object.values(currencies)]
  const pairs = traded.flatMap((one, at) =>
    traded.slice(at + 1).map((other): [string, string] => [one, other]),
  )
  return {
    chain: {
      ...chain,
      factories: Object.entries(facts.factories).map(([source, factory]) => ({
        source,
        ...factory,
        pairs,
      })),
      priceFeeds: Object.entries(feeds).map(([symbol, { aggregator, pair, heartbeat }]) => ({
        currency: addressOf(addresses, symbol),
        aggregator,
        maxAgeSeconds: maxAgeOf(heartbeat),
        decimals: feedDecimals,
        description: [pair].flat(),
      })),
    },
    assets,
    addresses,
    unverified: [
      ...(facts.isBlockTimeUnverified
        ? [{ fact: 'blockSeconds', value: `${chain.blockSeconds}` }]
        : []),
      ...Object.values(feeds)
        .filter(({ isHeartbeatUnverified }) => isHeartbeatUnverified)
        .map(({ aggregator, heartbeat }) => ({
          fact: 'maxAgeSeconds',
          value: `${maxAgeOf(heartbeat)}`,
          aggregator,
        })),
    ],
  }
}

/** @throws Error if the facts of the chain have no such currency. */
export function addressOf(addresses: Readonly<Record<string, string>>, symbol: string): string {
  const address = addresses[symbol]
  if (address === undefined) throw new Error(`The preset has no ${symbol}`)
  return address
}

/** The tiers of Uniswap v3 and SushiSwap v3, and of PancakeSwap v3, in pips. */
export const uniswapTiers: number[] = [100, 500, 3000, 10_000]
export const pancakeTiers: number[] = [100, 500, 2500, 10_000]
