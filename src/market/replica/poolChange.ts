import { z } from 'zod'
import type { Pool } from '#src/core/pools/pool.ts'
import { type PoolIdentity, poolIdOf } from '#src/core/pools/poolIdentity.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { type AnyKind, marketKindOf, marketKinds } from '#src/market/kinds/kinds.ts'

/** A pool in a message: whole if it is new to the reader, else only its changed fields. */
export type PoolChange = Readonly<{ kind: string }> & Pick<PoolIdentity, 'address' | 'id'>

/** A pool change before it is encoded into a message. */
export type SentPoolChange = Readonly<Record<string, unknown>> & Readonly<{ kind: string }>

/** The compiler cannot follow that each schema has its own kind. */
const schemas = marketKinds.flatMap(([, { replica }]) => [replica.whole, replica.change])
export const poolChange: z.ZodType<PoolChange> = z.discriminatedUnion(
  'kind',
  schemas as unknown as [z.ZodObject],
) as unknown as z.ZodType<PoolChange>

/** The change that brings a reader from `before` to `pool`. */
export function poolChangeOf(pool: Pool, before: Pool | undefined): SentPoolChange {
  const { kind, address, id } = pool
  const { replica } = marketKindOf(pool)
  return before === undefined || !isSamePool(pool, before, replica)
    ? { ...replica.encodeWhole(pool), kind }
    : {
        ...replica.encodeChange(pool, before),
        kind: replica.changeKind,
        address,
        ...(id && { id }),
      }
}

/** Whether `one` and `other` differ only in fields that a change includes. */
const isSamePool = (one: Pool, other: Pool, { isSame, includesFee }: AnyKind['replica']): boolean =>
  one.kind === other.kind &&
  one.source === other.source &&
  one.currency0 === other.currency0 &&
  one.currency1 === other.currency1 &&
  (includesFee || one.fee === other.fee) &&
  isSame(one, other)

const byWhole = new Map<string, AnyKind['replica']>(
  marketKinds.map(([kind, { replica }]) => [kind, replica]),
)
const byChange = new Map(
  marketKinds.map(([kind, { replica }]) => [replica.changeKind, { kind, replica }] as const),
)

/**
 * The pool after the change.
 * @throws RangeError if the pool of a partial change is unknown or of another kind, or if the new state is impossible.
 */
export function applyPoolChange(
  change: PoolChange,
  before: Pool | undefined,
  chainId: ChainId,
): Pool {
  const whole = byWhole.get(change.kind)
  if (whole !== undefined) return { chainId, ...whole.decodeWhole(change) } as Pool
  const changed = byChange.get(change.kind)
  if (changed === undefined || before?.kind !== changed.kind)
    throw new RangeError(`The replica changes an unknown pool: ${poolIdOf(change)}`)
  return changed.replica.apply(before, change)
}
