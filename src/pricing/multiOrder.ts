import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'
import type { Bps } from '#src/units/bps.ts'
import type { Currency } from '#src/units/currency.ts'
import type { Tx } from './order.ts'

/** One account's part in paying for a multi-input order. */
export type Origin = Readonly<{
  /** Deposits on the currency's chain. */
  user: Address
  /** Is paid back there, and gets there what a swap leaves over. */
  refundTo: Address
  currency: Currency
  /** More than 0: all of it is paid in for EXACT_INPUT, and so much at the most for EXACT_OUTPUT. */
  amount: Amount
}>

/** One swap into one currency that several deposits pay for: everything about it but the market. */
export type MultiOrder = Readonly<{
  user: Address
  /** Is paid on the destination chain. */
  recipient: Address
  /** One at the least; no two of one account and one currency, and none in the destination currency. */
  origins: readonly Origin[]
  destination: Currency
  /** Of the destination currency, to the unit: EXACT_OUTPUT has it, EXACT_INPUT has not. */
  output?: Amount
  /** Absent: `automaticSlippage` decides. */
  slippageTolerance?: Bps
  /** Gas that each deposit's transaction takes beside its own, such as a smart account's. */
  originGasOverhead: bigint
  /** Calls on the destination chain once the output is there. */
  txs: readonly Tx[]
  /** For all `txs` together; absent: `transactionSize` estimates it. */
  txsGasLimit?: bigint
}>
