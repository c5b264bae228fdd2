import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'
import type { Currency } from '#src/units/currency.ts'

/** A deposit address, by the chain of its quote. */
export type AddressQuestion = Readonly<{
  chainId: number
  depositAddress: Address
  /** Where to look. Absent: on the chain of its quote. */
  targetChainId?: number
  /** The only currency to look at. Absent: all that the solver takes there. */
  currency?: Address
}>

/** What a deposit address holds of the currencies that were looked at. */
export type IndexedAddress = Readonly<{
  triggered: readonly Readonly<{ currency: Currency; balance: Amount }>[]
  /** Number of currencies, and of those that could not be read. */
  checked: number
  failed: number
}>

/** Reads what an account holds at a block. */
export type BalanceLoader = Readonly<{
  balance: (currency: Currency, account: Address, blockHash: `0x${string}`) => Promise<Amount>
}>

/** The operations on deposit addresses. */
export type AddressOperations = Readonly<{
  /**
   * Reads what a deposit address holds, and asks the solver to sweep it.
   * @throws AppError UNKNOWN_REQUEST for an unknown address; UNSUPPORTED_CHAIN where it cannot be swept;
   * UNSUPPORTED_CURRENCY; RATE_LIMITED if it was looked at a moment ago; SERVICE_UNAVAILABLE; RPC_HTTP_ERROR.
   */
  indexDepositAddress: (
    question: AddressQuestion,
    loaders: BalanceLoader,
  ) => Promise<IndexedAddress>
}>
