import type { Price, PricedBlock } from '#src/pricing/price.ts'
import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Currency } from '#src/units/currency.ts'
import type { PriceRequest } from './priceInput.ts'

/** Batched look-ups that live as long as one request: all its prices share them. */
export type Loaders = Readonly<{
  /** `undefined` where no currency can be read at the address. */
  currency: (chainId: ChainId, address: Address) => Promise<Currency | undefined>
  /** What `account` holds of `currency` at a block. */
  balance: (currency: Currency, account: Address, blockHash: PricedBlock['hash']) => Promise<Amount>
}>

/** A price, with what is read only when somebody asks for it. */
export type PriceAnswer = Price &
  Readonly<{
    /** The user's balance of the origin currency: the one part of a price that costs an RPC call. */
    userBalance: () => Promise<Amount>
  }>

/** A chain as clients see it. */
export type ChainSummary = Readonly<{
  id: ChainId
  name: string
  displayName: string
  explorerUrl: string | undefined
  iconUrl: string | undefined
  /** Whether orders on this chain are refused for now. */
  disabled: boolean
  nativeCurrency: Currency
  wrappedNative: Address
  /** Mean seconds between blocks. */
  blockSeconds: number
  /** Names of the AMM deployments that routes on this chain may use. */
  swapSources: readonly string[]
  /** Currencies that the solver pays out on this chain, and how much it holds of each. */
  solverCurrencies: readonly Readonly<{ currency: Currency; balance: Amount }>[]
  /** The head of the market, absent until the first snapshot is in. */
  head:
    | Readonly<{
        number: bigint
        hash: `0x${string}`
        timestamp: bigint
        baseFeePerGas: bigint
        priorityFeePerGas: bigint
        /** Pools that routes may use. */
        pools: number
      }>
    | undefined
}>

export type CurrencyFilter = Readonly<{
  /** Absent: every chain. */
  chainIds?: readonly ChainId[]
  /** Part of a symbol or a name in any case, or a whole address. */
  term?: string
  verified?: boolean
}>

/** All that a face can ask for. */
export type Operations = Readonly<{
  loaders: () => Loaders
  /** @throws AppError with a code for whatever stands in the way. */
  price: (request: PriceRequest, loaders: Loaders) => Promise<PriceAnswer>
  chains: () => readonly ChainSummary[]
  chain: (id: number) => ChainSummary | undefined
  /** By chain, native first, then verified, then by symbol and address. */
  currencies: (filter: CurrencyFilter) => readonly Currency[]
  /** @throws AppError UNSUPPORTED_CHAIN for a chain that is not configured. */
  currency: (chainId: number, address: Address, loaders: Loaders) => Promise<Currency | undefined>
}>
