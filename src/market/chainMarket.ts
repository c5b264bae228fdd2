import type { DatedBlock } from '#src/chains/chainEvent.ts'
import type { ChainConfig } from '#src/config/config.ts'
import type { DepositPolicy } from '#src/core/pricing/deposits/depositDepth.ts'
import type { ChainMarket, SettlementState } from '#src/core/pricing/market.ts'
import type { PoolGraph } from '#src/core/router/graph.ts'
import { type Account, type Address, nativeAddress } from '#src/core/units/address.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { Usd } from '#src/core/units/usd.ts'
import type { BlockReads } from './blockReads.ts'
import type { ChainCurrencies } from './currencies/currencies.ts'
import { type createUsdPrices, type PriceRules, withBothNatives } from './prices/usdPrices.ts'

type Parts = Readonly<{
  chain: ChainConfig
  block: DatedBlock
  graph: PoolGraph
  finality: ChainMarket['finality']
  exposedUsd: ChainMarket['exposedUsd']
  unsettled: SettlementState['unsettled']
  reads: BlockReads
  /** Created with the rules from `priceRulesOf`. */
  findPrices: ReturnType<typeof createUsdPrices>
  refusedCurrencies: ReadonlyMap<Account, string>
  stoppedAssets: ReadonlySet<string>
  unrecordedLimitUsd: Usd
}>

/** Assembles a chain's market at one block. */
export function toChainMarket(currencies: ChainCurrencies, parts: Parts): ChainMarket {
  const { chain, block, finality, exposedUsd, graph, reads } = parts
  const { findPrices, refusedCurrencies, stoppedAssets, unrecordedLimitUsd, unsettled } = parts
  const usdPrices = findPrices({
    feeds: reads.feedPrices,
    pools: graph.pools,
    decimalsOf: (address) => currencies.known({ chainId: chain.id, address })?.decimals,
    // The currencies of the graph are permanent ones.
    known: currencies.ofChain(chain.id),
  })
  return {
    chain: chainFactsOf(chain, unrecordedLimitUsd),
    block: { number: block.number, hash: block.hash, timestamp: block.timestamp },
    finality,
    exposedUsd,
    settlement: reads.depository && { ...reads.depository, unsettled },
    graph,
    gas: reads.gas,
    usdPrices,
    feedPrices: withBothNatives(reads.feedPrices, chain.wrappedNative),
    solverBalances: reads.solverBalances,
    sequencer: reads.sequencer,
    refusedCurrencies,
    stoppedAssets,
  }
}

/** @param solverCurrencies the payout currencies and the native currency: pools price them only if `allowPoolPrices` */
export const priceRulesOf = (
  { minPoolDepthUsd, wrappedNative, allowPoolPrices }: ChainConfig,
  solverCurrencies: readonly Address[],
): PriceRules => ({
  minDepth: minPoolDepthUsd,
  wrappedNative,
  feedOnly: new Set(allowPoolPrices ? [] : solverCurrencies),
})

/** The part of a chain's configuration that its market contains. */
export const chainFactsOf = (
  chain: ChainConfig,
  unrecordedLimitUsd: Usd,
): ChainMarket['chain'] => ({
  id: chain.id,
  name: chain.name,
  native: nativeOf(chain),
  wrappedNative: chain.wrappedNative,
  blockSeconds: chain.blockSeconds,
  minPoolDepthUsd: chain.minPoolDepthUsd,
  depositPolicy: depositPolicyOf(chain, unrecordedLimitUsd),
})

const depositPolicyOf = (chain: ChainConfig, unrecordedLimitUsd: Usd): DepositPolicy => ({
  minBlocks: chain.depositConfirmations,
  tiers: chain.depositTiers,
  agreeAboveUsd: chain.agreeAboveUsd,
  agreeingEndpoints: chain.agreeingEndpoints,
  endpoints: chain.rpcUrls.length,
  maxUnfinalizedUsd: chain.maxUnfinalizedUsd,
  unrecordedLimitUsd,
})

/** The native currency of a chain, as its configuration describes it. */
export function nativeOf({ id, nativeCurrency }: ChainConfig): Currency {
  const { symbol, name, decimals, logoURI } = nativeCurrency
  return {
    chainId: id,
    address: nativeAddress,
    symbol,
    name,
    decimals,
    metadata: { ...(logoURI === undefined ? {} : { logoURI }), verified: true, isNative: true },
  }
}
