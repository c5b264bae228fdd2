import type { Hash } from 'viem'
import type { ProtocolOrder } from '#src/execution/order/protocolOrder.ts'
import type { Step } from '#src/execution/steps/step.ts'
import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'
import type { Authorization } from '#src/units/authorization.ts'
import type { Bps } from '#src/units/bps.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Currency } from '#src/units/currency.ts'
import type { Usd } from '#src/units/usd.ts'

/** The terms of a quote and its steps, as stored for tracking and filling. */
export type QuotedRequest = Readonly<{
  requestId: Hash
  user: Address
  recipient: Address
  refundTo: Address
  /** `originChainId`, `originCurrency` and `amountIn` describe the first input of a multi-input request. */
  originChainId: ChainId
  destinationChainId: ChainId
  originCurrency: Address
  destinationCurrency: Address
  tradeType: (typeof tradeTypes)[number]
  /** In the origin currency. */
  amountIn: Amount
  /** In the destination currency. */
  amountOut: Amount
  minimumAmountOut: Amount
  steps: readonly Step[]
  /** The source of the user, as the client names it. */
  referrer?: string
  referrerAddress?: Address
  /** Configured name of the API key that asked for the quote. */
  apiKey?: string
  /** Under which name the open quotes of the caller are counted. */
  quota?: string
  /** The part of the fees that the sponsor pays. */
  subsidizedUsd: Usd
  /** What the history shows of the price; absent in rows from before it was stored. */
  summary?: QuoteSummary
  /** Unix time in milliseconds. */
  createdAt: number
  /** Unix time in seconds. */
  deadline: number
}> &
  (UserExecution | SolverExecution | UpstreamExecution)

/** An amount of a quote with its value at that time, rounded down; absent without a price. */
export type QuotedAmount = Readonly<{ amount: Amount; usd?: Usd }>

/** The values and fees of a quote, as they were when it was made. */
export type QuoteSummary = Readonly<{
  /** Of everything that is paid in: of all inputs of a multi-input request. Absent without a price. */
  inUsd?: Usd
  outUsd?: Usd
  /** Whole units of the output for one whole unit of the input. */
  rate: string
  slippageBps: Bps
  /** Seconds from the broadcast of the deposit to the payment. */
  timeEstimate: number
  /** The gas of the user's own transactions, in the native currency of `chainId`. */
  gas: QuotedAmount & Readonly<{ chainId: ChainId }>
  /** The currency of the fees below. */
  feeCurrency: Readonly<{ chainId: ChainId; address: Address }>
  relayerGas: QuotedAmount
  relayerService: QuotedAmount
  app: QuotedAmount
  /** The parts of `app`. */
  appFees: readonly (QuotedAmount & Readonly<{ recipient: Address; bps: Bps }>)[]
  /** The most that the fill pays in native currency of the destination chain beside the output. */
  topup?: QuotedAmount
}>

/** The user swaps on one chain, without the solver. */
type UserExecution = Readonly<{ execution: 'user' }>

/** The user deposits with `orderId`, and the solver fills. */
export type SolverExecution = Readonly<{
  execution: 'solver'
  orderId: Hash
  order: ProtocolOrder
  /** In the same order as the inputs of `order`. */
  inputs: readonly RequestInput[]
  /** Set only for multi-input requests. */
  funding?: FundingTerms
  /**
   * Set only where the user pays an address that can only deposit for this order. It is on the chain of the only input,
   * and `depositor` is in whose name it deposits: the order id and the depositor are all that a sweep needs.
   */
  depositAddress?: Address
  depositor?: Address
  /**
   * Set only where the address is open: it takes any number of payments. The request itself is never filled and stays
   * `waiting`; each payment becomes a request of its own.
   */
  open?: OpenTerms
  /** Set only on the request of a payment to an open address: the request of the address. */
  parentId?: Hash
  fill: FillTerms
}>

/** What each payment to an open address is quoted with, beside what the request of the address has. */
export type OpenTerms = Readonly<{
  /** Absent: `automaticSlippage` of the moment. */
  slippageTolerance?: Bps
  /** Whether swaps may lose more of a payment's value than the configured limit. */
  overridePriceImpact?: true
  /** Taken of each payment; absent: none. */
  appFees?: readonly Readonly<{ recipient: Address; fee: Bps }>[]
  /**
   * What the sponsor pays at most of the fees of all payments together. A payment with higher fees than what is left of it
   * pays them itself. Absent: nobody sponsors.
   */
  sponsoredUsd?: Usd
}>

/** Another service of the interface executes the request: its steps are that service's, and it is followed there. */
export type UpstreamExecution = Readonly<{
  execution: 'upstream'
  upstream: Readonly<{
    /** Base URL of the service that has quoted. */
    service: string
    /** The id of the request there. Never shown: ours stands in its place. */
    requestId: Hash
    /** As the service has described them: their chains need not be configured here. */
    currencies: Readonly<{ origin: Currency; destination: Currency }>
  }>
}>

/** One deposit that a request asks for. */
export type RequestInput = Readonly<{
  chainId: ChainId
  user: Address
  refundTo: Address
  /** The currency that the user pays. */
  currency: Address
  amount: Amount
  /** The currency that the depository receives, after an origin swap if there is one. */
  depositCurrency: Address
  /** The amount that the depository receives, as quoted. */
  depositAmount: Amount
  /** The smallest complete deposit: the origin swap may return less than quoted. */
  leastDeposit: Amount
  /** The part of the fill's `payoutAmount` that this deposit contributes, before fixed costs. */
  payoutAmount: Amount
  /**
   * What the settlement of this deposit, the sweep of its address and the sending of a signed one were to cost, in the
   * payout currency. A fill never spends it.
   */
  settlement: Amount
  /** The proportional fees, app fees included, of what is deposited beyond `depositAmount`. */
  surplusBps: Bps
}>

/** How the inputs of a multi-input request are funded. */
export type FundingTerms = Readonly<{
  /** Unix time in seconds. Deposits in blocks with a later timestamp are late. */
  depositDeadline: number
  /** Whether the solver fills with the inputs funded by then if others are missed. */
  partial: boolean
}>

/** How the solver planned to produce the output when it quoted. */
export type FillTerms = Readonly<{
  /** The currency that the solver spends on the destination chain. */
  payoutCurrency: Address
  /** The amount that the solver spends, as quoted. */
  payoutAmount: Amount
  /** `payoutAmount` plus the solver's service fee less what settlements cost. An exact output that costs more is refunded. */
  maxPayout: Amount
  /** The quote's limits on the route of the destination leg. */
  includedSwapSources?: readonly string[]
  excludedSwapSources: readonly string[]
  maxRouteLength?: number
  txsGasLimit?: bigint
  /** What the fill applies before the calls of the order; absent: none. */
  authorizationList?: readonly Authorization[]
  /** How much dearer the fill of a late deposit may be than quoted; absent: late deposits are refunded. */
  latePaymentBps?: Bps
  /**
   * Seconds after its last deposit in which the solver may get what it lacks: of a quote beyond its balance. Absent: the
   * solver held enough.
   */
  externalLiquiditySeconds?: number
  /** What sending the signed deposit was to cost: a sponsor pays it beside the fill. */
  relayUsd?: Usd
  /** Value of the gas top-up. The fill pays what it is worth then, at most the amount in the order. */
  topupUsd?: Usd
  /** Whether the solver keeps the surplus of an exact output. */
  enableTrueExactOutput: boolean
}>

export const executions = ['user', 'solver', 'upstream'] as const

export const tradeTypes = ['EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT'] as const
