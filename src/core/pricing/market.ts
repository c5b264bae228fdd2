import type { PoolGraph } from '#src/core/router/graph.ts'
import type { Account } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { Bps } from '#src/core/units/bps.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { type Currency, isNative } from '#src/core/units/currency.ts'
import type { BlockHash } from '#src/core/units/txId.ts'
import type { Usd, UsdPrice } from '#src/core/units/usd.ts'
import type { DepositPolicy } from './deposits/depositDepth.ts'
import type { GasMarket } from './gas/gas.ts'

/** The sequencer of a rollup, as reported by the uptime feed of Chainlink on the chain. */
export type SequencerState =
  | Readonly<{ status: 'up' }>
  /** `isKnown`: the feed reports it. If not, the feed gives no usable answer. */
  | Readonly<{ status: 'down'; isKnown: boolean }>
  /**
   * The sequencer is up again, but prices may still be from before the outage. They are trusted from `trustedAt` on
   * (seconds since 1970).
   */
  | Readonly<{ status: 'recovering'; trustedAt: bigint }>

/**
 * Why a depository pays the solver nothing, or proves no refund recipient (`otherName`: it has another name of its
 * chain). `unread`: it did not answer.
 */
export type SettlementStop = 'paused' | 'otherAllocator' | 'notAPayee' | 'otherName' | 'unread'

/** What the depository of a chain can pay to the solver, of the deposits that it has filled. */
export type SettlementState = Readonly<{
  /** Absent: the depository pays. */
  stopped?: SettlementStop | undefined
  /** The amount that it pays in an hour, by currency; absent: 0. */
  outflowLimits: ReadonlyMap<Account, Amount>
  /** Deposits that are filled, or whose fill is under way, and that are not settled, by currency; absent: 0. */
  unsettled: ReadonlyMap<Account, Amount>
}>

/** The prices of a chain's currencies. */
export type ChainPrices = Readonly<{
  /** By currency; absent without a trustworthy price. The native currency has its own entry. */
  usdPrices: ReadonlyMap<Account, UsdPrice>
}>

/** The state of one chain at one block, as pricing needs it. */
export type ChainMarket = ChainPrices &
  Readonly<{
    chain: Readonly<{
      id: ChainId
      name: string
      native: Currency
      /** The ERC-20 that wraps the native currency one to one. */
      wrappedNative: Account
      /** Mean seconds between blocks. */
      blockSeconds: number
      /** Minimum depth of a pool that prices a currency. */
      minPoolDepthUsd: Usd
      depositPolicy: DepositPolicy
    }>
    block: Readonly<{
      number: bigint
      hash: BlockHash
      /** Seconds since 1970. */
      timestamp: bigint
    }>
    finality: Readonly<{
      /** Height of the newest final block; undefined while none is known. */
      height: bigint | undefined
      /** Blocks on top of a block until it is final: the recent maximum. */
      blocks: number
    }>
    /**
     * Total value of the deposits on the chain that are filled and not final yet. It counts towards
     * `maxUnfinalizedUsd`.
     */
    exposedUsd: Usd
    /** Absent on a chain without contracts: nothing is filled from there. */
    settlement?: SettlementState | undefined
    graph: PoolGraph
    gas: GasMarket
    /** The `usdPrices` that price feeds give: no swap moves them. */
    feedPrices: ReadonlyMap<Account, UsdPrice>
    /** The amount that the solver can pay out, by currency; absent: 0. */
    solverBalances: ReadonlyMap<Account, Amount>
    /** Absent on a chain without a sequencer feed. No price of the chain may be used unless the sequencer is up. */
    sequencer?: SequencerState | undefined
    /** Symbols of the assets that are neither taken nor paid out on the chain until an operator resumes them. */
    stoppedAssets: ReadonlySet<string>
    /** Unsupported currencies, each with a reason for the user. */
    refusedCurrencies: ReadonlyMap<Account, string>
  }>

/** Currencies of equal value on several chains. The solver pays out one for another, one to one. */
export type Asset = Readonly<{
  symbol: string
  class: 'stable' | 'major' | 'other'
  /** Largest difference between its prices on two chains, as a share of the higher one. */
  pegTolerance: Bps
  currencies: ReadonlyMap<ChainId, Currency>
}>

/** The fee of the solver: a flat part, and basis points of the deposit by the classes of the two assets. */
type FeeSchedule = Readonly<{
  flat: Usd
  sameAsset: Bps
  stable: Bps
  major: Bps
  other: Bps
}>

/** Everything that a price depends on except the order. Immutable; one block per chain. */
export type Market = Readonly<{
  chains: ReadonlyMap<ChainId, ChainMarket>
  assets: readonly Asset[]
  feeSchedule: FeeSchedule
}>

/**
 * The market of a currency's chain.
 * @throws Error if the market was taken without this chain.
 */
export function marketOf(market: Market, { chainId }: Currency): ChainMarket {
  const chain = market.chains.get(chainId)
  if (chain === undefined) throw new Error(`The market has no chain ${chainId}`)
  return chain
}

/** The markets of the two chains of an order. */
export type ChainMarkets = Readonly<{ origin: ChainMarket; destination: ChainMarket }>

/** The asset of a currency. A wrapped native currency belongs to the asset of its native currency. */
export function assetOf(market: Market, currency: Currency): Asset | undefined {
  return market.assets.find((asset) => {
    const member = asset.currencies.get(currency.chainId)
    if (member === undefined) return false
    if (member.address === currency.address) return true
    const chain = market.chains.get(currency.chainId)?.chain
    return isNative(member.address) && currency.address === chain?.wrappedNative
  })
}
