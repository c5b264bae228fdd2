import type { PoolIdentity } from '#src/core/pools/poolIdentity.ts'

/** x × y = k: Uniswap v2 and its forks. */
export type ConstantProductPool = PoolIdentity &
  Readonly<{ kind: 'constantProduct'; reserve0: bigint; reserve1: bigint }>

/** A decoded event of a Uniswap v2 pair with its whole state. */
export type ConstantProductEvent = Readonly<{
  eventName: 'Sync'
  args: Readonly<{ reserve0: bigint; reserve1: bigint }>
}>

/** The pair after the event. */
export const applyConstantProductEvent = (
  pool: ConstantProductPool,
  { args: { reserve0, reserve1 } }: ConstantProductEvent,
): ConstantProductPool => ({ ...pool, reserve0, reserve1 })
