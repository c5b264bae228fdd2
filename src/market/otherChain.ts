import type { ChainMarket } from '#src/core/pricing/market.ts'
import type { Account } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { BlockHash } from '#src/core/units/txId.ts'
import type { MarketFollower } from './marketFollower.ts'

/** The facts of a chain by which the age of its market is judged. */
export type FollowedFacts = Readonly<{
  id: ChainId
  displayName: string
  maxMarketAgeSeconds: number
  clockSkewSeconds: number
}>

/** The metadata of the currencies that the operator names. */
type NamedCurrencies = Readonly<{
  known: (key: Readonly<{ chainId: ChainId; address: Account }>) => Currency | undefined
  /** Reads those of the token list and `addresses`. Logs the operator's errors. */
  learnNamed: (
    chainId: ChainId,
    addresses: readonly Account[],
    blockHash: BlockHash,
  ) => Promise<void>
  /** Why currencies are refused whose decimals differ from the operator's settings. */
  conflicts: (chainId: ChainId) => ReadonlyMap<Account, string>
}>

/** What a follower of another virtual machine needs of the markets. */
export type OtherChainPorts = Readonly<{
  currencies: NamedCurrencies
  /** The market of an EVM chain while its prices are trusted. */
  priced: (chainId: ChainId) => ChainMarket | undefined
  onSnapshot: () => void
}>

/** A balance that a caller asks for. */
export type Holding = Readonly<{ currency: Account; account: Account }>

/** A chain of another virtual machine than the EVM. */
export type OtherChain = Readonly<{
  facts: FollowedFacts
  native: Currency
  /** Starts to follow its market. */
  follow: (ports: OtherChainPorts) => MarketFollower
  /** In the order of `addresses`; undefined for one without a supported currency. */
  readCurrencies: (addresses: readonly Account[]) => Promise<readonly (Currency | undefined)[]>
  /** In the order of `holdings`. */
  readBalances: (holdings: readonly Holding[]) => Promise<readonly Amount[]>
}>
