import type { ChainInput } from '#src/config/chain.ts'
import type { FactoryInput } from '#src/config/factories/factory.ts'

/** The published facts of a chain, from which its preset is made. Addresses have their EIP-55 checksums. */
export type ChainFacts = Readonly<{
  /** Seconds between blocks, depths and the like, as the configuration takes them. */
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
  /** ERC-20 currencies that are traded, by symbol. Pools of each two of them and the wrapped native one are tracked. */
  currencies: Readonly<Record<string, string>>
  /** The factories of pools, by source. */
  factories: Readonly<Record<string, FactoryFacts>>
  /** Chainlink's feeds, by the symbol of the currency; `native` for the native one. */
  feeds: Readonly<Record<string, Feed>>
  /** The currency of each bridged asset: its symbol here, or `native`. */
  assets: Readonly<Partial<Record<AssetSymbol, string>>>
  /** Whether the published block time is known from the press alone. */
  isBlockTimeUncertain?: boolean
}>

type WithoutNames<Factory> = Factory extends unknown ? Omit<Factory, 'source' | 'pairs'> : never

/** A factory as the configuration takes it, without its source and pairs. */
type FactoryFacts = Readonly<WithoutNames<FactoryInput>>

type Feed = Readonly<{
  aggregator: string
  /** Beginning of the feed's description, or one of several. */
  pair: string | readonly string[]
  /** Published seconds between two answers of a price that does not move. */
  heartbeat: number
  /** Whether the heartbeat was published two years ago, and not since. */
  isOld?: boolean
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
  /** Values that nobody has compared with the chain, and no node can tell: fact and value. */
  unverified: readonly Readonly<{ fact: string; value: string; aggregator?: string }>[]
}>

/** Feeds answer up to a minute after their heartbeat is over: the slack keeps their prices. */
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
        ...{ source, ...factory, pairs },
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
      ...(facts.isBlockTimeUncertain
        ? [{ fact: 'blockSeconds', value: `${chain.blockSeconds}` }]
        : []),
      ...Object.values(feeds)
        .filter(({ isOld }) => isOld)
        .map(({ aggregator, heartbeat }) => ({
          ...{ fact: 'maxAgeSeconds', value: `${maxAgeOf(heartbeat)}`, aggregator },
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
