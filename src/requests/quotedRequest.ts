import type { ProtocolOrder } from '#src/execution/order/protocolOrder.ts'
import type { Step } from '#src/execution/steps/step.ts'
import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Usd } from '#src/units/usd.ts'

/** 32 bytes in lower case. */
type Hash = `0x${string}`

/** What a quote promised, and the steps it handed out. */
export type QuotedRequest = Readonly<{
  requestId: Hash
  user: Address
  recipient: Address
  refundTo: Address
  /** With the origin currency and its amount: of the first input, where there are several. */
  originChainId: ChainId
  destinationChainId: ChainId
  originCurrency: Address
  destinationCurrency: Address
  tradeType: (typeof tradeTypes)[number]
  /** Of the origin currency. */
  amountIn: Amount
  /** Of the destination currency. */
  amountOut: Amount
  minimumAmountOut: Amount
  steps: readonly Step[]
  /** Who sent the user, in the client's own words. */
  referrer?: string
  referrerAddress?: Address
  /** The name that the configuration gives to the key which the quote was asked for with. */
  apiKey?: string
  /** What the sponsor pays of the fees. */
  subsidizedUsd: Usd
  /** Milliseconds since 1970. */
  createdAt: number
  /** Seconds since 1970. */
  deadline: number
}> &
  (UserExecution | SolverExecution)

/** The user swaps alone, on one chain. */
type UserExecution = Readonly<{ execution: 'user' }>

/** Users deposit with `orderId`, the solver fills. */
type SolverExecution = Readonly<{
  execution: 'solver'
  orderId: Hash
  order: ProtocolOrder
  /** One an input of the order, and in its order. */
  inputs: readonly RequestInput[]
  /** Of multi-input requests alone: how long deposits are gathered, and what is filled by then. */
  gathering?: Gathering
  fill: FillTerms
}>

/** What one account is to deposit for a request. */
export type RequestInput = Readonly<{
  chainId: ChainId
  user: Address
  refundTo: Address
  /** What the user pays in. */
  currency: Address
  amount: Amount
  /** What the depository is to receive, and the least of it that is as ordered: a swap before it may give less. */
  depositCurrency: Address
  depositAmount: Amount
  leastDeposit: Amount
  /** Of the fill's payoutAmount, what this deposit adds beside the costs that do not depend on it. */
  payoutAmount: Amount
}>

export type Gathering = Readonly<{
  /** Seconds since 1970: deposits in later blocks come too late. */
  until: number
  /** Whether what has come by then is filled without the rest. */
  partial: boolean
}>

/** What the solver promised itself when it quoted: how it makes the output of the deposit. */
export type FillTerms = Readonly<{
  /** What the solver spends on the destination chain, and how much of it the quote reckons with. */
  payoutCurrency: Address
  payoutAmount: Amount
  /** With the solver's own service fee: an exact output may cost so much before it is refunded. */
  mostPayout: Amount
  /** The quote's limits on routes of the destination leg, by names of swap sources. */
  includedSwapSources?: readonly string[]
  excludedSwapSources: readonly string[]
  maxRouteLength?: number
  txsGasLimit?: bigint
  /** Whether what an exact output leaves over stays with the solver. */
  enableTrueExactOutput: boolean
}>

export const executions = ['user', 'solver'] as const

export const tradeTypes = ['EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT'] as const
