import type { Address } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { Bps } from '#src/core/units/bps.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { Tx } from './order.ts'

/** One deposit of a multi-input order: an account with a currency. */
export type Origin = Readonly<{
  /** Deposits on the chain of the currency. */
  user: Address
  /** Gets refunds and leftovers of swaps on that chain. */
  refundTo: Address
  currency: Currency
  /** Positive: the input for EXACT_INPUT, the maximum input for EXACT_OUTPUT. */
  amount: Amount
}>

/** A swap into one currency that several deposits pay for: everything except the market. */
export type MultiOrder = Readonly<{
  user: Address
  /** Gets the output on the destination chain. */
  recipient: Address
  /** At least one; no two with the same account and currency, and none in the destination currency. */
  origins: readonly Origin[]
  destination: Currency
  /** For EXACT_OUTPUT: the exact amount of the destination currency. Absent for EXACT_INPUT. */
  output?: Amount
  /** Absent: `automaticSlippage`. */
  slippageTolerance?: Bps
  /** Extra gas of each deposit transaction, such as that of a smart account. */
  originGasOverhead: bigint
  /** Calls on the destination chain. They run before the recipient is paid, and may spend the output. */
  txs: readonly Tx[]
  /** For all `txs` together; absent: an estimate by `transactionSize`. */
  txsGasLimit?: bigint
}>
