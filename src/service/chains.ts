import type { ChainConfig, Config } from '#src/config/config.ts'
import { AppError } from '#src/core/errors.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { ChainStatuses, MarketSnapshots, Markets } from '#src/market/markets.ts'
import type { ChainSummary, MarketStatus } from './chainSummary.ts'
import { headOf } from './live/chainHeads.ts'

export type ChainsDeps = Readonly<{
  config: Pick<Config, 'chains' | 'assets'>
  latest: Markets['latest']
  status: Markets['status']
  known: Markets['currencies']['known']
  waitsFor?: Markets['waitsFor']
}>

/** All configured chains, in the order of the configuration. */
export const listChains = (deps: ChainsDeps): readonly ChainSummary[] =>
  deps.config.chains.map((chain) => summarize(deps, chain))

export function findChain(deps: ChainsDeps, id: number): ChainSummary | undefined {
  const chain = deps.config.chains.find((each) => each.id === id)
  return chain && summarize(deps, chain)
}

/** Whether the market of a chain has a current block. */
export function isCurrent({ snapshot }: MarketSnapshots, chainId: ChainId): boolean {
  try {
    snapshot([chainId])
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/** The currency itself, and those of the same asset on other chains, in the order of the configuration. */
export function assetCurrencies(
  { config, known }: ChainsDeps,
  currency: Currency,
): readonly Currency[] {
  const asset = config.assets.find(({ currencies }) =>
    currencies.some(
      ({ chainId, address }) => chainId === currency.chainId && address === currency.address,
    ),
  )
  return asset === undefined ? [currency] : asset.currencies.flatMap((key) => known(key) ?? [])
}

function summarize(deps: ChainsDeps, chain: ChainConfig): ChainSummary {
  const market = deps.latest(chain.id)
  const nativeCurrency = deps.known({ chainId: chain.id, address: nativeAddress })
  if (nativeCurrency === undefined) throw new Error(`Chain ${chain.id} has no native currency`)
  return {
    id: chain.id,
    name: chain.name,
    displayName: chain.displayName,
    explorerUrl: chain.explorerUrl,
    iconUrl: chain.iconUrl,
    disabled: chain.disabled,
    nativeCurrency,
    wrappedNative: chain.wrappedNative,
    publicRpcUrl: chain.publicRpcUrl,
    publicWsUrl: chain.publicWsUrl,
    contracts: chain.contracts,
    multicall3: chain.multicall3,
    blockSeconds: chain.blockSeconds,
    swapSources: [...new Set(chain.factories.map(({ source }) => source))].sort(),
    solverCurrencies: solverCurrenciesOf(deps, chain, market),
    head: market && headOf(market),
    sequencer: market?.sequencer?.status,
    waitsFor: deps.waitsFor?.(chain.id),
    market: marketStatusOf(deps, chain.id),
  }
}

/** `undefined` for a chain that the market does not follow. */
export function marketStatusOf(
  { status }: ChainStatuses,
  chainId: ChainId,
): MarketStatus | undefined {
  const found = status().find((each) => each.chainId === chainId)
  return (
    found && {
      ageSeconds: found.head?.ageSeconds,
      lagBlocks: found.head?.lagBlocks,
      staleReason: found.head?.staleReason,
      pools: { discovered: found.discovered, followed: found.head?.pools },
      verified: found.verified,
      differences: found.differences,
      resyncs: found.resyncs,
      refusedFactories: found.refusedFactories,
      feed: found.feed,
    }
  )
}

const none: Amount = toAmount(0n)

function solverCurrenciesOf(
  { config, known }: ChainsDeps,
  chain: ChainConfig,
  market: ChainMarket | undefined,
): ChainSummary['solverCurrencies'] {
  return config.assets
    .flatMap(({ currencies }) => currencies.filter(({ chainId }) => chainId === chain.id))
    .flatMap((key) => {
      const currency = known(key)
      const balance = market?.solverBalances.get(key.address) ?? none
      return currency === undefined ? [] : [{ currency, balance }]
    })
}

/**
 * The currencies that a sweep may bring to the solver on a chain: the native currency, and those that the solver
 * bridges.
 */
export function sweepableOn({ config, known }: ChainsDeps, chainId: ChainId): readonly Currency[] {
  const bridged = config.assets.flatMap(({ currencies }) =>
    currencies.filter((each) => each.chainId === chainId),
  )
  const keys = [{ chainId, address: nativeAddress }, ...bridged]
  const found = keys.flatMap((key) => known(key) ?? [])
  return [...new Map(found.map((each) => [each.address, each])).values()]
}
