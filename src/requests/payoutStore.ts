import type { Account } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Usd } from '#src/core/units/usd.ts'
import type { Page } from './requestList.ts'
import type { Deposit } from './state/deposit.ts'
import type { StoredRequest } from './state/requestState.ts'

/** An operator accepts transactions of the solver's account that the store does not have. */
type Acceptance = Readonly<{
  chainId: ChainId
  account: Account
  /** Every transaction with a lower nonce is accepted. */
  nonce: number
  /** Unix time in seconds. */
  acceptedAt: number
}>

/** An asset that is neither taken nor paid out on a chain until an operator resumes it. */
export type StoppedAsset = Readonly<{
  chainId: ChainId
  /** Symbol of the asset in the configuration. */
  asset: string
  /** Unix time in milliseconds. */
  stoppedAt: number
  /** For operators. */
  reason: string
}>

/** Requests and deposits that await the solver of a chain. */
export type WorkReads = Readonly<{
  /**
   * `pending` requests that pay out on the chain and have no refund due, by their id. If `incomplete`, those with an
   * incomplete deposit or a quote that awaits liquidity; if not, all others.
   */
  fillable: (
    destinationChainId: ChainId,
    incomplete: boolean,
    page: Page,
  ) => Promise<readonly StoredRequest[]>
  /** `refundable` deposits on the chain whose refund is due at `now` (Unix ms), by their id. */
  refundable: (chainId: ChainId, now: number, page: Page) => Promise<readonly Deposit[]>
  /** `filled` deposits on the chain that no settlement includes yet. */
  unsettled: (chainId: ChainId) => Promise<readonly Deposit[]>
  /**
   * `seen` deposits on the chain in blocks up to `height` that pay an open deposit address of an order on this chain,
   * without those of `except`. First the largest of each address, then the second of each, and so on.
   */
  openPayments: (
    chainId: ChainId,
    height: bigint,
    terms: Readonly<{ except: readonly string[]; limit: number }>,
  ) => Promise<readonly Deposit[]>
  /**
   * Deposits in a block of the chain that fund a request or a fill and are not settled (`credited`, `filled` or `settling`),
   * and that their depositors can take back before `before` (Unix seconds).
   */
  nearExit: (chainId: ChainId, before: number) => Promise<readonly Deposit[]>
  /** Deposits of the chain that are filled, or whose fill was sent, and that are not settled: their sum by currency. */
  unsettledAmounts: (chainId: ChainId) => Promise<ReadonlyMap<Account, Amount>>
}>

/** Deposits that the solver paid for and that a reorganization could still undo. */
export type ExposureReads = Readonly<{
  /** Total value of the chain's deposits with `exposure`. */
  exposureUsd: (chainId: ChainId) => Promise<Usd>
  /** The same of each payer. */
  exposureByPayer: (chainId: ChainId) => Promise<ReadonlyMap<Account, Usd>>
  /** The first `limit` deposits on the chain with `exposure`, by its height. */
  exposedDeposits: (chainId: ChainId, limit: number) => Promise<readonly Deposit[]>
}>

export type NonceStore = Readonly<{
  /**
   * One above the highest nonce of the stored transactions and of those that an operator has accepted; 0 if there are
   * none.
   */
  nextNonce: (chainId: ChainId, account: Account) => Promise<number>
  /** The highest nonce that an operator has accepted, or 0: all transactions below it are accepted. */
  acceptedNonce: (chainId: ChainId, account: Account) => Promise<number>
  /** Accepts all transactions below a nonce that the store does not have. Never lowers the accepted nonce. */
  acceptNonce: (acceptance: Acceptance) => Promise<void>
}>

export type StoppedAssetStore = Readonly<{
  /** Stops an asset on a chain. False if it is stopped already. */
  stopAsset: (stop: StoppedAsset) => Promise<boolean>
  /** The stopped assets of a chain, or of all chains. */
  stoppedAssets: (chainId?: ChainId) => Promise<readonly StoppedAsset[]>
  /** Resumes an asset on a chain. False if it is not stopped there. */
  resumeAsset: (chainId: ChainId, asset: string) => Promise<boolean>
}>

/** For the solver of a chain. */
export type PayoutStore = WorkReads & ExposureReads & NonceStore & StoppedAssetStore
