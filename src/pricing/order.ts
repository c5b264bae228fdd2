import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'
import type { Bps } from '#src/units/bps.ts'
import type { Currency } from '#src/units/currency.ts'

/**
 * What `amount` means: the input that is paid in, the output that must arrive to the unit, or the
 * output that is expected and may differ within the slippage tolerance.
 */
type TradeType = 'EXACT_INPUT' | 'EXACT_OUTPUT' | 'EXPECTED_OUTPUT'

/** A share of the input that goes to whoever built the frontend. */
export type AppFee = Readonly<{ recipient: Address; fee: Bps }>

/** What the user wants: everything about a swap but the market. */
export type Order = Readonly<{
  /** Deposits on the origin chain. */
  user: Address
  /** Is paid on the destination chain. */
  recipient: Address
  origin: Currency
  destination: Currency
  /** In the origin currency for EXACT_INPUT, else in the destination currency; more than 0. */
  amount: Amount
  tradeType: TradeType
  /** Absent: `automaticSlippage` decides. */
  slippageTolerance?: Bps
  /** Together less than 10,000 bps. */
  appFees: readonly AppFee[]
  /** Whether the deposit calls the depository, rather than sending to it with the id appended. */
  useReceiver: boolean
}>
