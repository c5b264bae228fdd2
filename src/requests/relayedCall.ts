import type { Hash } from 'viem'
import type { Address } from '#src/core/units/address.ts'
import type { Authorization } from '#src/core/units/authorization.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Usd } from '#src/core/units/usd.ts'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'
import type { FailReason } from './state/requestState.ts'

/**
 * queued → sent → succeeded | failed; queued → failed.
 * - `queued`: accepted. Nothing is signed yet.
 * - `sent`: its transaction is stored, and sent or about to be sent. A call never gets a second transaction.
 * - `succeeded`: its transaction is confirmed.
 * - `failed`: it had no effect, and never will.
 */
export const relayedCallStatuses = ['queued', 'sent', 'succeeded', 'failed'] as const

/** A call that the relayer sends for an API key. It carries no value: the relayer pays only gas. */
export type RelayedCall = Readonly<{
  /** `<requestId>:<chainId>:<try>` for a quoted request, else `<requestId>`. A duplicate is refused. */
  callId: string
  /** Id of the quoted request that the call deposits for, else an id of the call's own. */
  requestId: Hash
  chainId: ChainId
  /** The only account that may send it. */
  relayer: Address
  /** Name of the API key whose budget pays. */
  apiKey: string
  /** Whether `requestId` is the id of a quoted request. */
  isQuoted: boolean
  call: Omit<TransactionCall, 'value' | 'authorizationList'> &
    Readonly<{ authorizationList?: readonly Authorization[] }>
  /** Gas limit of the transaction. */
  gas: bigint
  /** Maximum cost of the transaction when it is sent, in wei. */
  maxCost: bigint
  /**
   * Charge to the key, rounded up: the value of `maxCost` while the call is open, then the value of the actual cost.
   */
  chargedUsd: Usd
  status: (typeof relayedCallStatuses)[number]
  /** Set if the call failed. */
  failReason?: FailReason
  /** Reason of the failure, for people. */
  reason?: string
  /** Hash of the final transaction. */
  txHash?: Hash
  /** Time of the relayer's next check, Unix milliseconds. */
  dueAt: number
  /** Unix time in milliseconds. */
  createdAt: number
  /** Unix time in milliseconds. */
  updatedAt: number
  /** 0 until it is stored. Each save adds 1 and fails if the stored version differs. */
  version: number
}>

/** Id of the call's transaction. */
export const relayedTransactionId = ({ callId }: RelayedCall): string => `relayedCall:${callId}`

export const isOpenCall = ({ status }: RelayedCall): boolean =>
  status === 'queued' || status === 'sent'

/** Maximum that an API key may be charged for calls since `since` (Unix ms). */
export type GasBudget = Readonly<{ apiKey: string; since: number; maxUsd: Usd }>

/** Reads of relayed calls. `RequestStore.save` writes them. */
export type RelayedCallStore = Readonly<{
  /** Calls under a request id, the oldest first. */
  relayedCallsOf: (requestId: string) => Promise<readonly RelayedCall[]>
  /** Open calls of the relayer on the chain that are due at `now` (Unix ms), the longest overdue first. */
  dueRelayedCalls: (
    args: Readonly<{ chainId: ChainId; relayer: Address; now: number; limit: number }>,
  ) => Promise<readonly RelayedCall[]>
  /** Total charge to an API key for its calls since `since` (Unix ms). */
  gasChargedUsd: (apiKey: string, since: number) => Promise<Usd>
  /** Number of open calls of an API key, at most `limit`. */
  countOpenRelayedCalls: (apiKey: string, terms: Readonly<{ limit: number }>) => Promise<number>
}>
