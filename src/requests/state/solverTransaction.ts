import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'
import type { ChainId } from '#src/units/chainId.ts'

type Hash = `0x${string}`

/**
 * `sent`: written ahead, and sent or about to be. `mined`: a block holds one of its attempts. `final`: deep
 * enough in the chain to count. `reverted`: mined, without effect, in a block that is final; until then it stays
 * `sent`, as a reorg may let it through yet. sent ↔ mined → final; sent → reverted. A reorg deeper than what counts as
 * enough leads back to `sent`.
 */
export const solverTransactionStatuses = ['sent', 'mined', 'final', 'reverted'] as const

type SolverTransactionStatus = (typeof solverTransactionStatuses)[number]

export const purposes = ['fill', 'refund', 'approval', 'settlement', 'cancellation'] as const

/** One try to have it mined: all tries of a transaction share its nonce, so that one at the most can be. */
export type Attempt = Readonly<{
  hash: Hash
  /** Signed, as it is sent. */
  raw: `0x${string}`
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}>

/** A transaction of the solver's, stored before it is sent. */
export type SolverTransaction = Readonly<{
  /** `fill:<requestId>:<try>`, `refund:<depositId>:<try>` and the like: a second of the same name is refused. */
  transactionId: string
  purpose: (typeof purposes)[number]
  chainId: ChainId
  account: Address
  /** Unique with chain and account. */
  nonce: number
  requestId?: Hash
  /** What it fills, refunds or settles. */
  depositIds: readonly string[]
  /** What leaves the solver, gas aside; of a refund, what leaves the depository. */
  spends: readonly Readonly<{ currency: Address; amount: Amount }>[]
  /** Oldest first; one at the least. */
  attempts: readonly Attempt[]
  status: SolverTransactionStatus
  /** Where it was mined, and by which attempt. */
  mined?: Readonly<{ hash: Hash; block: Readonly<{ number: bigint; hash: Hash }> }>
  /** Milliseconds since 1970. */
  createdAt: number
  /** 0 until it is stored; the store counts it up with each save, and saves none that has moved on. */
  version: number
}>
