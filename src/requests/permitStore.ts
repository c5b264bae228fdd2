import type { Hash, Hex } from 'viem'
import type { Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'

/** A user's signatures for a request. The solver sends the transaction that uses them. */
export type StoredPermit = Readonly<{
  requestId: Hash
  /** The chain that the user pays on. */
  chainId: ChainId
  /** The only account that may send the transaction. */
  relayer: Address
  /** Lets Permit2 transfer the currency. */
  allowanceSignature?: Hex
  /** Pays. Absent while only the allowance is signed: then nothing is sent. */
  signature?: Hex
  /** Id of the transaction that uses the signatures, once it exists. A permit never gets a second transaction. */
  transactionId?: string
  /** Time of the solver's next check, Unix milliseconds. */
  dueAt: number
  /** 0 until it is stored. Each save adds 1 and fails if the stored version differs. */
  version: number
}>

/** A transaction of a signed permit that reverted in a final block. */
export type RevertedPermit = Readonly<{
  payer: Address
  /** Time at which the solver first sent it, Unix milliseconds. */
  at: number
  /** In wei. */
  cost: bigint
}>

/** Time in which a reverted permit counts, in milliseconds: one day. */
export const permitMemoryMs = 86_400_000

const firstBlockMs = 3_600_000

/**
 * Time until which no permit of a payer is taken, in Unix milliseconds; 0 if none of them has reverted. The block begins
 * with the last revert and lasts an hour, twice as long after each further one, and at most a day.
 */
export function permitsBlockedUntil(reverts: readonly Readonly<{ at: number }>[]): number {
  if (reverts.length === 0) return 0
  const last = Math.max(...reverts.map(({ at }) => at))
  return last + Math.min(firstBlockMs * 2 ** (reverts.length - 1), permitMemoryMs)
}

export type PermitStore = Readonly<{
  /** The signatures for the request. */
  findPermit: (requestId: string) => Promise<StoredPermit | undefined>
  /**
   * Paying permits of the relayer on the chain that are due at `now` (Unix ms). Those that were looked at least often
   * come first, and of these the newest: old ones without money delay no new one.
   */
  duePermits: (
    args: Readonly<{ chainId: ChainId; relayer: Address; now: number; limit: number }>,
  ) => Promise<readonly StoredPermit[]>
  /** Transactions of permits that were sent on the chain since `since` (Unix ms) and have reverted, the newest first. */
  revertedPermits: (chainId: ChainId, since: number) => Promise<readonly RevertedPermit[]>
  /** Transactions of permits of each payer that took effect on the chain, for requests quoted since `since` (Unix ms). */
  countPaidPermits: (
    chainId: ChainId,
    payers: readonly Address[],
    since: number,
  ) => Promise<ReadonlyMap<Address, number>>
  /** Deletes the signatures of requests that have ended. */
  removePermits: (requestIds: readonly string[]) => Promise<void>
}>
