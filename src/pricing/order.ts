import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'
import type { Bps } from '#src/units/bps.ts'
import type { Currency } from '#src/units/currency.ts'
import type { Usd } from '#src/units/usd.ts'

/**
 * What `amount` means: the input that is paid in, the output that must arrive to the unit, or the
 * output that is expected and may differ within the slippage tolerance.
 */
export type TradeType = 'EXACT_INPUT' | 'EXACT_OUTPUT' | 'EXPECTED_OUTPUT'

/** A share of the input that goes to whoever built the frontend. */
export type AppFee = Readonly<{ recipient: Address; fee: Bps }>

/** A call on the destination chain once the output is there. */
export type Tx = Readonly<{ to: Address; value: Amount; data: `0x${string}` }>

/** Which swap sources a leg may trade through, by the names that the configuration gives them. */
export type SwapSourceFilter = Readonly<{
  /** Absent: all. */
  included?: ReadonlySet<string>
  excluded: ReadonlySet<string>
}>

/** What the user wants: everything about a swap but the market. */
export type Order = Readonly<{
  /** Deposits on the origin chain. */
  user: Address
  /** Is paid on the destination chain. */
  recipient: Address
  /** Is paid back on the origin chain, and gets there what a swap leaves over. */
  refundTo: Address
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
  explicitDeposit: boolean
  swapSources: Readonly<{ origin: SwapSourceFilter; destination: SwapSourceFilter }>
  /** Hops of a path at the most, 1 to 6; absent: 4. */
  maxRouteLength?: number
  /** Whether the deposit must be the origin currency itself, wrapped or unwrapped at the most. */
  disableOriginSwaps: boolean
  /** Whether the solver fills also where the user could swap alone, on one chain. */
  forceSolverExecution: boolean
  /** Gas that the origin transaction takes beside its own, such as a smart account's. */
  originGasOverhead: bigint
  /** Charged in place of the schedule's basis points; the output is then promised to the unit. */
  fixedRate?: Bps
  /** Worth of native currency that the fill pays the recipient on top; absent: none. */
  topup?: Usd
  /** Whether a sponsor pays the relayer fees, unless they are worth more than `most`. */
  sponsorship?: Readonly<{ most?: Usd }>
  /** Who gets what a swap for an exact output leaves over: the solver, else the recipient. */
  enableTrueExactOutput: boolean
  txs: readonly Tx[]
  /** For all `txs` together; absent: `transactionSize` estimates it. */
  txsGasLimit?: bigint
}>
