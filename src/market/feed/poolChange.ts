import { z } from 'zod'
import { type AnyKind, marketKindOf, marketKinds } from '#src/market/pools/kinds/kinds.ts'
import type { Pool } from '#src/pools/pool.ts'
import { type PoolIdentity, poolIdOf } from '#src/pools/poolIdentity.ts'
import type { ChainId } from '#src/units/chainId.ts'

/** A pool as a message tells it: the whole of one that the reader does not know, else what has changed. */
export type PoolChange = Readonly<{ kind: string }> & Pick<PoolIdentity, 'address' | 'id'>

/** The same as it is sent. */
export type SentPoolChange = Readonly<Record<string, unknown>> & Readonly<{ kind: string }>

/** The compiler cannot follow that each schema has its own kind. */
const schemas = marketKinds.flatMap(([, { feed }]) => [feed.whole, feed.change])
export const poolChange: z.ZodType<PoolChange> = z.discriminatedUnion(
  'kind',
  schemas as unknown as [z.ZodObject],
) as unknown as z.ZodType<PoolChange>

/** What a reader needs that knows `before`. */
export function poolChangeOf(pool: Pool, before: Pool | undefined): SentPoolChange {
  const { kind, address, id } = pool
  const { feed } = marketKindOf(pool)
  return before === undefined || !isSamePool(pool, before, feed)
    ? { ...feed.tellWhole(pool), kind }
    : { ...feed.tellChange(pool, before), kind: feed.changeKind, address, ...(id && { id }) }
}

/** Whether only what a change tells differs. */
const isSamePool = (one: Pool, other: Pool, { isSame, tellsFee }: AnyKind['feed']): boolean =>
  one.kind === other.kind &&
  one.source === other.source &&
  one.currency0 === other.currency0 &&
  one.currency1 === other.currency1 &&
  (tellsFee || one.fee === other.fee) &&
  isSame(one, other)

const byWhole = new Map<string, AnyKind['feed']>(
  marketKinds.map(([kind, { feed }]) => [kind, feed]),
)
const byChange = new Map(
  marketKinds.map(([kind, { feed }]) => [feed.changeKind, { kind, feed }] as const),
)

/**
 * The pool after the change.
 * @throws RangeError for a change of a pool that is not known or is of another kind, and for a state that no pool can have.
 */
export function applyPoolChange(
  change: PoolChange,
  before: Pool | undefined,
  chainId: ChainId,
): Pool {
  const whole = byWhole.get(change.kind)
  if (whole !== undefined) return { chainId, ...whole.open(change) } as Pool
  const changed = byChange.get(change.kind)
  if (changed === undefined || before?.kind !== changed.kind)
    throw new RangeError(`The feed changes an unknown pool: ${poolIdOf(change)}`)
  return changed.feed.apply(before, change)
}
