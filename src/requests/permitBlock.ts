import type { Address } from '#src/core/units/address.ts'

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
export function permitsBlockedUntil(reverts: readonly Pick<RevertedPermit, 'at'>[]): number {
  if (reverts.length === 0) return 0
  const last = Math.max(...reverts.map(({ at }) => at))
  return last + Math.min(firstBlockMs * 2 ** (reverts.length - 1), permitMemoryMs)
}
