import type { Account, Address } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { Authorization } from '#src/core/units/authorization.ts'
import type { Bps } from '#src/core/units/bps.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { Usd } from '#src/core/units/usd.ts'

/**
 * What `amount` means: the input, the output to the unit, or the expected output, which may differ within the slippage
 * tolerance.
 */
export type TradeType = 'EXACT_INPUT' | 'EXACT_OUTPUT' | 'EXPECTED_OUTPUT'

/** A share of the input that goes to the operator of a frontend. */
export type AppFee = Readonly<{ recipient: Account; fee: Bps }>

/** A call on the destination chain. It runs before the recipient is paid, and may spend the output. */
export type Tx = Readonly<{ to: Address; value: Amount; data: `0x${string}` }>

/** The swap sources that a leg may use, by their names in the configuration. */
export type SwapSourceFilter = Readonly<{
  /** Absent: all. */
  included?: ReadonlySet<string>
  excluded: ReadonlySet<string>
}>

/**
 * How a user pays by signature: by EIP-3009, by Permit2, or by Permit2 after an allowance by EIP-2612.
 */
export type PermitKind = 'eip3009' | 'permit2' | 'eip2612'

/** Everything about a swap except the market. */
export type Order = Readonly<{
  /** Deposits on the origin chain. */
  user: Account
  /** Gets the output on the destination chain. */
  recipient: Account
  /** Gets refunds and leftovers of swaps on the origin chain. */
  refundTo: Account
  origin: Currency
  destination: Currency
  /** In the origin currency for EXACT_INPUT, else in the destination currency; positive. */
  amount: Amount
  tradeType: TradeType
  /** Absent: `automaticSlippage`. */
  slippageTolerance?: Bps
  /** Less than 10,000 bps together. */
  appFees: readonly AppFee[]
  /** Whether the deposit calls the depository, instead of a transfer to it with the id appended. */
  explicitDeposit: boolean
  /** Whether the user pays a deposit address, which the solver sweeps into the depository. Absent: false. */
  useDepositAddress?: boolean
  /** Present: the user pays by signature. */
  permit?: Readonly<{
    kind: PermitKind
    /** The account that sends the signed transaction and pays its gas. Absent: the solver, which charges for it. */
    payer?: Address
  }>
  swapSources: Readonly<{ origin: SwapSourceFilter; destination: SwapSourceFilter }>
  /** Maximum hops per path, 1 to 6; absent: 4. */
  maxRouteLength?: number
  /** Whether the deposit must be the origin currency itself; it may be wrapped or unwrapped. */
  disableOriginSwaps: boolean
  /** Whether the solver fills the order even on one chain, where the user could swap alone. */
  forceSolverExecution: boolean
  /** Extra gas of the origin transaction, such as that of a smart account. */
  originGasOverhead: bigint
  /** Replaces the basis points of the fee schedule; the output is then promised to the unit. */
  fixedRate?: Bps
  /** Gas top-up: the value of native currency that the fill pays the recipient in addition; absent: none. */
  topup?: Usd
  /** Present: a sponsor pays the relayer fees, unless their value exceeds `maxUsd`. */
  sponsorship?: Readonly<{ maxUsd?: Usd }>
  /** How much more the fill of a late deposit may cost than quoted; absent: late deposits are refunded. */
  latePaymentBps?: Bps
  /** Seconds that a fill may wait for liquidity that the solver lacks; absent: the solver must hold enough. */
  externalLiquiditySeconds?: number
  /** Whether the solver keeps the surplus of an exact output; else the recipient gets it. */
  enableTrueExactOutput: boolean
  txs: readonly Tx[]
  /** For all `txs` together; absent: an estimate by `transactionSize`. */
  txsGasLimit?: bigint
  /** EIP-7702 authorizations that take effect before the `txs` run, at least one; absent: none. Needs the solver. */
  authorizationList?: readonly Authorization[]
  /** The recipient has a token account for the destination currency. Absent: the order pays the rent of a new one. */
  hasTokenAccount?: true
}>

/** The executor of the order: on one chain the user, unless `forceSolverExecution` is set; else the solver. */
export const executorOf = ({
  origin,
  destination,
  forceSolverExecution,
}: Order): 'user' | 'solver' =>
  origin.chainId === destination.chainId && !forceSolverExecution ? 'user' : 'solver'

/** Whether the solver sends the user's transaction, and charges its gas. */
export const isRelayed = ({ permit }: Pick<Order, 'permit'>): boolean =>
  permit !== undefined && permit.payer === undefined

/** The destination calls and authorizations that an order adds to its fill, and the account that it saves. */
export type FillCalls = Pick<Order, 'txs' | 'txsGasLimit' | 'authorizationList' | 'hasTokenAccount'>

/** One deposit of a multi-input order: an account with a currency. */
export type Origin = Readonly<{
  /** Deposits on the chain of the currency. */
  user: Account
  /** Gets refunds and leftovers of swaps on that chain. */
  refundTo: Account
  currency: Currency
  /** Positive: the input for EXACT_INPUT, the maximum input for EXACT_OUTPUT. */
  amount: Amount
}>

/** A swap into one currency that several deposits pay for: everything except the market. */
export type MultiOrder = Readonly<{
  user: Account
  /** Gets the output on the destination chain. */
  recipient: Account
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
  /** As of an `Order`. */
  hasTokenAccount?: true
}>
