import type { ProtocolOrder } from '#src/execution/protocolOrder.ts'
import type { Step } from '#src/execution/step.ts'
import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Usd } from '#src/units/usd.ts'
import type { RequestStatus } from './requestStatus.ts'

/** 32 bytes in lower case. */
type Hash = `0x${string}`

/** What a quote promised, and the steps it handed out. */
export type QuotedRequest = Readonly<{
  requestId: Hash
  user: Address
  recipient: Address
  refundTo: Address
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

/** The user deposits with `orderId`, the solver fills. */
type SolverExecution = Readonly<{
  execution: 'solver'
  orderId: Hash
  order: ProtocolOrder
  /** What the depository of the origin chain must receive. */
  depositCurrency: Address
  depositAmount: Amount
}>

/** A quoted request and what became of it. */
export type StoredRequest = QuotedRequest &
  Readonly<{
    status: RequestStatus
    /** Counts the changes of status: 0 at first. */
    seq: number
  }>

export const executions = ['user', 'solver'] as const

export const tradeTypes = ['EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT'] as const
