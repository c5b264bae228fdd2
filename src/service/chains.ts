import type { Config } from '#src/config/config.ts'
import { AppError } from '#src/core/errors.ts'
import { gasPriceOf } from '#src/core/pricing/gas/gas.ts'
import type { ChainMarket, SequencerState } from '#src/core/pricing/market.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { BlockHash } from '#src/core/units/txId.ts'
import type { ChainStatuses, MarketSnapshots, Markets } from '#src/market/markets.ts'
import { type ListedChain, listedChains } from './listedChains.ts'

/** A configured chain with what is known of it. */
export type ChainSummary = Omit<ListedChain, 'native'> &
  Readonly<{
    nativeCurrency: Currency
    /** The currencies that the solver pays out on this chain, with its balances. */
    solverCurrencies: readonly Readonly<{ currency: Currency; balance: Amount }>[]
    /** The block of the newest market snapshot; `undefined` before the first one. */
    head: ChainHead | undefined
    /**
     * State of the rollup's sequencer. The chain has prices only while it is up. Absent if no sequencer feed is
     * configured.
     */
    sequencer?: SequencerState['status'] | undefined
    /** Reason why the first snapshot is missing, as a phrase for operators. Absent once there is one. */
    waitsFor?: string | undefined
    /** Age and verification of the chain's market. Absent if the market does not follow the chain. */
    market?: MarketStatus | undefined
  }>

/** The age and the verification results of a chain's market. */
export type MarketStatus = Readonly<{
  /**
   * Age of the newest block by its timestamp, negative for a timestamp in the future; `undefined` before the first
   * block.
   */
  ageSeconds: number | undefined
  /** Number of blocks that a node has announced and the market does not have yet; `undefined` before the first one. */
  lagBlocks: bigint | undefined
  /** Reason why prices are refused as stale, for people; `undefined` while they are not. */
  staleReason: string | undefined
  /** Numbers of known pools and of pools whose state is followed; `undefined` while unknown. */
  pools: Readonly<{ discovered: number | undefined; followed: number | undefined }>
  /**
   * Number of comparisons of a pool with the chain, of those that found a difference, and of full re-reads of all
   * pools.
   */
  verified: number
  differences: number
  resyncs: number
  /** Reasons why the pools of some factories are not used, for people. */
  refusedFactories: readonly string[]
  /** Present if the market comes from a feed instead of a node. */
  feed?:
    | Readonly<{
        /** Milliseconds since the last message that was accepted; `undefined` before the first one. */
        silentMs: number | undefined
        /** Number of refused messages by reason. They changed nothing. */
        refused: ReadonlyMap<string, number>
        /** Number of snapshots that the feed has started from. */
        snapshots: number
      }>
    | undefined
}>

/** The block that prices on a chain are computed from. */
export type ChainHead = Readonly<{
  number: bigint
  hash: BlockHash
  timestamp: bigint
  /** 0 where fees have no base fee. */
  baseFeePerGas: bigint
  priorityFeePerGas: bigint
  /** Number of pools that routes can use. */
  pools: number
}>

export type HeadOfChain = ChainHead & Readonly<{ chainId: ChainId }>

export type ChainsDeps = Readonly<{
  config: Config
  latest: Markets['latest']
  status: Markets['status']
  known: Markets['currencies']['known']
  waitsFor?: Markets['waitsFor']
}>

/** All configured chains, in the order of the configuration. */
export const listChains = (deps: ChainsDeps): readonly ChainSummary[] =>
  listedChains(deps.config).map((chain) => summarize(deps, chain))

export function findChain(deps: ChainsDeps, id: number): ChainSummary | undefined {
  const chain = listedChains(deps.config).find((each) => each.id === id)
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

function summarize(deps: ChainsDeps, { native, ...chain }: ListedChain): ChainSummary {
  const market = deps.latest(chain.id)
  const nativeCurrency = deps.known({ chainId: chain.id, address: native })
  if (nativeCurrency === undefined) throw new Error(`Chain ${chain.id} has no native currency`)
  return {
    ...chain,
    nativeCurrency,
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
  chain: Pick<ListedChain, 'id'>,
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
  const native = listedChains(config).find(({ id }) => id === chainId)?.native ?? nativeAddress
  const keys = [{ chainId, address: native }, ...bridged]
  const found = keys.flatMap((key) => known(key) ?? [])
  return [...new Map(found.map((each) => [each.address, each])).values()]
}

export const headOf = ({ block, gas, graph }: ChainMarket): ChainHead => ({
  ...block,
  baseFeePerGas: gas.vmType === 'evm' ? gas.baseFeePerGas : 0n,
  priorityFeePerGas: gas.vmType === 'evm' ? gas.priorityFeePerGas : gasPriceOf(gas),
  pools: graph.pools.length,
})
