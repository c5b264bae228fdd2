import type { Address } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { Currency } from '#src/core/units/currency.ts'

/** Identifies a deposit address by the chain of its quote. */
export type AddressQuestion = Readonly<{
  chainId: number
  depositAddress: Address
  /** Chain whose balances are read. Absent: the chain of the quote. */
  targetChainId?: number
  /** The only currency to read. Absent: all that the solver accepts on that chain. */
  currency?: Address
}>

/** The balances of a deposit address. `triggered` has the currencies with a balance above zero. */
export type IndexedAddress = Readonly<{
  triggered: readonly Readonly<{ currency: Currency; balance: Amount }>[]
  /** Number of currencies that were read, and of those whose read failed. */
  checked: number
  failed: number
}>

/** Reads the balances of an account at a block. */
export type BalanceLoader = Readonly<{
  balance: (currency: Currency, account: Address, blockHash: `0x${string}`) => Promise<Amount>
}>

/** The operations on deposit addresses. */
export type AddressOperations = Readonly<{
  /**
   * Reads the balances of a deposit address, and asks the solver to sweep it.
   * @throws AppError UNKNOWN_REQUEST for an unknown address; UNSUPPORTED_CHAIN if it cannot be swept on that chain;
   * UNSUPPORTED_CURRENCY; RATE_LIMITED if it was read less than 10 seconds ago; SERVICE_UNAVAILABLE; RPC_HTTP_ERROR.
   */
  indexDepositAddress: (
    question: AddressQuestion,
    loaders: BalanceLoader,
  ) => Promise<IndexedAddress>
}>
