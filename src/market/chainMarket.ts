import type { FollowedBlock } from '#src/chains/chainEvent.ts'
import type { ChainConfig } from '#src/config.ts'
import type { ChainMarket } from '#src/pricing/market.ts'
import type { PoolGraph } from '#src/pricing/router/graph.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'
import type { Currency } from '#src/units/currency.ts'
import type { Currencies } from './currencies/currencies.ts'
import { findUsdPrices } from './prices/usdPrices.ts'
import type { BlockReads } from './reads/blockReads.ts'

type Parts = Readonly<{
  chain: ChainConfig
  block: Pick<FollowedBlock, 'number' | 'hash' | 'timestamp'>
  graph: PoolGraph
  reads: BlockReads
  refusedCurrencies: ReadonlyMap<Address, string>
}>

/** Assembles a chain's market at one block. */
export function toChainMarket(
  currencies: Pick<Currencies, 'known'>,
  { chain, block, graph, reads, refusedCurrencies }: Parts,
): ChainMarket {
  const { id, name, wrappedNative, blockSeconds, depositConfirmations, minPoolDepthUsd } = chain
  const usdPrices = findUsdPrices({
    feeds: reads.feedPrices,
    pools: graph.pools,
    decimalsOf: (address) => currencies.known({ chainId: id, address })?.decimals,
    minDepth: minPoolDepthUsd,
    wrappedNative,
  })
  return {
    chain: {
      id,
      name,
      native: nativeOf(chain),
      wrappedNative,
      blockSeconds,
      depositConfirmations,
    },
    block: { number: block.number, hash: block.hash, timestamp: block.timestamp },
    graph,
    gas: reads.gas,
    usdPrices,
    solverBalances: reads.solverBalances,
    refusedCurrencies,
  }
}

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
