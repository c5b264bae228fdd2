import type { Hash } from 'viem'
import type { TransactionCall } from '#src/execution/calls/transactionCall.ts'
import type { Address } from '#src/units/address.ts'
import type { Authorization } from '#src/units/authorization.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Usd } from '#src/units/usd.ts'
import type { FailReason } from './state/requestState.ts'

/**
 * queued → sent → succeeded | failed; queued → failed.
 * - `queued`: accepted. Nothing is signed yet.
 * - `sent`: its transaction is stored, and sent or about to be sent. There is never a second one.
 * - `succeeded`: its transaction is confirmed. `failed`: it had no effect, and never will.
 */
export const relayedCallStatuses = ['queued', 'sent', 'succeeded', 'failed'] as const

/** A call that an API key has the relayer send. It never carries a value: the relayer pays gas alone. */
export type RelayedCall = Readonly<{
  /** `<requestId>:<chainId>:<try>` for a quoted request, else `<requestId>`. A duplicate is refused. */
  callId: string
  /** The quoted request that the call deposits for, else an id of the call itself. */
  requestId: Hash
  chainId: ChainId
  /** The only account that may send it. */
  relayer: Address
  /** Name of the API key whose budget pays. */
  apiKey: string
  /** Whether `requestId` is that of a quote. */
  isQuoted: boolean
  call: Omit<TransactionCall, 'value' | 'authorizationList'> &
    Readonly<{ authorizationList?: readonly Authorization[] }>
  /** Gas limit of the transaction. */
  gas: bigint
  /** The most that it may cost when it is sent, in wei. */
  maxCost: bigint
  /** What the key is charged: while the call is open the value of `maxCost`, then that of what it has cost. Rounded up. */
  chargedUsd: Usd
  status: (typeof relayedCallStatuses)[number]
  /** Set for a failed one. */
  failReason?: FailReason
  /** For people: why it failed. */
  reason?: string
  /** The transaction that no longer changes. */
  txHash?: Hash
  /** When the relayer next looks at it, in milliseconds since 1970. */
  dueAt: number
  /** Unix time in milliseconds. */
  createdAt: number
  /** Unix time in milliseconds. */
  updatedAt: number
  /** 0 until it is stored. Each save adds 1 and fails if the stored version differs. */
  version: number
}>

/** The transaction of a call. */
export const relayedTransactionId = ({ callId }: Pick<RelayedCall, 'callId'>): string =>
  `relayedCall:${callId}`

export const isOpenCall = ({ status }: Pick<RelayedCall, 'status'>): boolean =>
  status === 'queued' || status === 'sent'

/** The most that an API key may be charged for calls since `since` (Unix ms). */
export type GasBudget = Readonly<{ apiKey: string; since: number; maxUsd: Usd }>

/** What the store reads of calls. Batches save them. */
export type RelayedCallStore = Readonly<{
  /** Calls under a request id, the oldest first. */
  relayedCallsOf: (requestId: string) => Promise<readonly RelayedCall[]>
  /** Open calls of the relayer on the chain that are due at `now` (Unix ms), those first that have waited longest. */
  dueRelayedCalls: (
    args: Readonly<{ chainId: ChainId; relayer: Address; now: number; limit: number }>,
  ) => Promise<readonly RelayedCall[]>
  /** What an API key was charged for its calls since `since` (Unix ms). */
  gasChargedUsd: (apiKey: string, since: number) => Promise<Usd>
  /** Number of open calls of an API key, at most `limit`. */
  countOpenRelayedCalls: (apiKey: string, terms: Readonly<{ limit: number }>) => Promise<number>
}>
