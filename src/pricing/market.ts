import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'
import type { Bps } from '#src/units/bps.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Currency } from '#src/units/currency.ts'
import type { Usd, UsdPrice } from '#src/units/usd.ts'
import type { GasMarket } from './gas/gas.ts'
import type { PoolGraph } from './router/graph.ts'

/** What pricing knows of one chain, all of it true at one block. */
export type ChainMarket = Readonly<{
  chain: Readonly<{
    id: ChainId
    name: string
    native: Currency
    /** The ERC-20 that wraps the native currency one to one. */
    wrappedNative: Address
    /** Mean seconds between blocks. */
    blockSeconds: number
    /** Blocks on top of a deposit before the solver fills: 0 means as soon as it is mined. */
    depositConfirmations: number
  }>
  block: Readonly<{
    number: bigint
    hash: `0x${string}`
    /** Seconds since 1970. */
    timestamp: bigint
  }>
  graph: PoolGraph
  gas: GasMarket
  /** By currency; one without a trustworthy price is absent. The native currency has its own entry. */
  usdPrices: ReadonlyMap<Address, UsdPrice>
  /** What the solver can pay out, by currency; absent means nothing. */
  solverBalances: ReadonlyMap<Address, Amount>
  /** Currencies that cannot be priced, with the reason in words for the user. */
  refusedCurrencies: ReadonlyMap<Address, string>
}>

/** Currencies on several chains that are worth the same: the solver pays out one for the other. */
export type Asset = Readonly<{
  symbol: string
  class: 'stable' | 'major' | 'other'
  currencies: ReadonlyMap<ChainId, Currency>
}>

/** What the solver charges: a flat part, and basis points of the input by class of pair. */
export type FeeSchedule = Readonly<{
  flat: Usd
  sameAsset: Bps
  stable: Bps
  major: Bps
  other: Bps
}>

/** Everything a price depends on beside the order: immutable, one block per chain. */
export type Market = Readonly<{
  chains: ReadonlyMap<ChainId, ChainMarket>
  assets: readonly Asset[]
  feeSchedule: FeeSchedule
}>
