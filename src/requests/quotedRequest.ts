import type { Hash } from 'viem'
import type { Account } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { Authorization } from '#src/core/units/authorization.ts'
import type { Bps } from '#src/core/units/bps.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { Usd } from '#src/core/units/usd.ts'
import type { ProtocolOrder } from '#src/protocol/order/protocolOrder.ts'
import type { Step } from '#src/protocol/step.ts'

/** The terms of a quote and its steps, as stored for tracking and filling. */
export type QuotedRequest = Readonly<{
  requestId: Hash
  user: Account
  recipient: Account
  refundTo: Account
  /** `originChainId`, `originCurrency` and `amountIn` describe the first input of a multi-input request. */
  originChainId: ChainId
  destinationChainId: ChainId
  originCurrency: Account
  destinationCurrency: Account
  tradeType: (typeof tradeTypes)[number]
  /** In the origin currency. */
  amountIn: Amount
  /** In the destination currency. */
  amountOut: Amount
  minimumAmountOut: Amount
  steps: readonly Step[]
  /** Source of the user, as given by the client. */
  referrer?: string
  referrerAddress?: Account
  /** Configured name of the API key that asked for the quote. */
  apiKey?: string
  /** Name by which the open quotes of the caller are counted. */
  quota?: string
  /** Part of the fees that the sponsor pays, in millionths of a US dollar, rounded down. */
  subsidizedUsd: Usd
  /** Values and fees for the request history; absent in rows from before it was stored. */
  summary?: QuoteSummary
  /** Unix time in milliseconds. */
  createdAt: number
  /** Unix time in seconds. */
  deadline: number
}> &
  (UserExecution | SolverExecution | UpstreamExecution)

/** An amount of a quote. `usd`: its value at that time, rounded down; absent without a price. */
export type QuotedAmount = Readonly<{ amount: Amount; usd?: Usd }>

/** The values and fees of a quote, as they were when it was made. */
export type QuoteSummary = Readonly<{
  /** Value of all inputs, rounded down. Absent without a price. */
  inUsd?: Usd
  /** Value of the output, rounded down. Absent without a price. */
  outUsd?: Usd
  /** Whole units of the output for one whole unit of the input. */
  rate: string
  slippageBps: Bps
  /** Seconds from the broadcast of the deposit to the fill. */
  timeEstimate: number
  /** The gas of the user's own transactions, in the native currency of `chainId`. */
  gas: QuotedAmount & Readonly<{ chainId: ChainId }>
  /** The currency of the fees below. */
  feeCurrency: Readonly<{ chainId: ChainId; address: Account }>
  relayerGas: QuotedAmount
  relayerService: QuotedAmount
  app: QuotedAmount
  /** The parts of `app`. */
  appFees: readonly (QuotedAmount & Readonly<{ recipient: Account; bps: Bps }>)[]
  /** Maximum that the fill pays in the destination chain's native currency in addition to the output. */
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
   * Set only if the user pays a deposit address, which can deposit for this order only. It is on the chain of the only
   * input. It deposits on behalf of `depositor`. A sweep needs only the order id and the depositor.
   */
  depositAddress?: Account
  depositor?: Account
  /**
   * Set only if the address is open: it takes any number of payments. The request itself is never filled and stays
   * `waiting`. Each payment becomes a request of its own.
   */
  open?: OpenTerms
  /** Request of the open address. Set only on the request of a payment to that address. */
  parentId?: Hash
  fill: FillTerms
}>

/** Terms of the quote for each payment to an open address. The address's request has the other terms. */
export type OpenTerms = Readonly<{
  /** Absent: the current value of `automaticSlippage`. */
  slippageTolerance?: Bps
  /** Whether swaps may lose more of a payment's value than the configured limit. */
  overridePriceImpact?: true
  /** Deducted from each payment; absent: none. */
  appFees?: readonly Readonly<{ recipient: Account; fee: Bps }>[]
  /**
   * Maximum that the sponsor pays for the fees of all payments together. A payment pays its own fees if they exceed the
   * remainder. Absent: nobody sponsors.
   */
  sponsoredUsd?: Usd
}>

/** Another service with the same interface executes the request. It provides the steps, and its status is polled. */
export type UpstreamExecution = Readonly<{
  execution: 'upstream'
  upstream: Readonly<{
    /** Base URL of the service that gave the quote. */
    service: string
    /** The service's id of the request. Clients only see our own id. */
    requestId: Hash
    /** As the service describes them. Their chains may be missing in our configuration. */
    currencies: Readonly<{ origin: Currency; destination: Currency }>
  }>
}>

/** One deposit that a request asks for. */
export type RequestInput = Readonly<{
  chainId: ChainId
  user: Account
  refundTo: Account
  /** The currency that the user pays. */
  currency: Account
  amount: Amount
  /** The currency that the depository receives, after an origin swap if there is one. */
  depositCurrency: Account
  /** The amount that the depository receives, as quoted. */
  depositAmount: Amount
  /** The smallest complete deposit: the origin swap may return less than quoted. */
  leastDeposit: Amount
  /** The part of the fill's `payoutAmount` that this deposit contributes, before fixed costs. */
  payoutAmount: Amount
  /**
   * Estimated cost of the deposit's settlement, of the sweep of its address and of sending a signed deposit, in the
   * payout currency, rounded up. A fill never spends it.
   */
  settlement: Amount
  /** Proportional fees, app fees included, on the part of the deposit above `depositAmount`, rounded up. */
  surplusBps: Bps
}>

/** How the inputs of a multi-input request are funded. */
export type FundingTerms = Readonly<{
  /** Unix time in seconds. Deposits in blocks with a later timestamp are late. */
  depositDeadline: number
  /** Whether the solver fills with the inputs funded by the deadline if others are missed. */
  partial: boolean
}>

/** How the solver planned to produce the output when it quoted. */
export type FillTerms = Readonly<{
  /** The currency that the solver spends on the destination chain. */
  payoutCurrency: Account
  /** The amount that the solver spends, as quoted. */
  payoutAmount: Amount
  /**
   * `payoutAmount` plus the solver's service fee, minus settlement costs. An exact output that costs more is refunded.
   */
  maxPayout: Amount
  /** The quote's limits on the route of the destination leg. */
  includedSwapSources?: readonly string[]
  excludedSwapSources: readonly string[]
  maxRouteLength?: number
  txsGasLimit?: bigint
  /** EIP-7702 authorizations that the fill applies before the calls of the order; absent: none. */
  authorizationList?: readonly Authorization[]
  /** Maximum rise of the fill's cost over the quote for a late deposit; absent: late deposits are refunded. */
  latePaymentBps?: Bps
  /**
   * Seconds after the last deposit in which the solver may still receive liquidity for the fill. Set if the quote
   * exceeded the solver's balance.
   */
  externalLiquiditySeconds?: number
  /** Value of the gas top-up. The fill pays it at the current price, rounded down, and at most the order's amount. */
  topupUsd?: Usd
  /** The quote has a fixed rate, and so charges extra gas like an exact output. */
  hasFixedRate?: true
  /** Whether the solver keeps the surplus of an exact output. */
  enableTrueExactOutput: boolean
  /** The quote charged no rent for the recipient's token account. Without that account the deposits are refunded. */
  hasTokenAccount?: true
}>

export const executions = ['user', 'solver', 'upstream'] as const

export const tradeTypes = ['EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT'] as const
