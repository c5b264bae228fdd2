import type { Pool } from '#src/pools/pool.ts'
import type { Order, SwapSourceFilter } from '#src/pricing/order.ts'

/** Limits to the routes of a leg; absent: no limit. */
export type RouteLimits = Readonly<{
  maxHops?: number
  allowsPool?: (pool: Pool) => boolean
  /** Whether an exact output may be bought in pools whose fee moves: where less than it may arrive. */
  allowsMovingFees?: boolean
}>

export const withoutLimits: RouteLimits = {}

/** The limits of `order` to a leg whose pools must pass every filter. */
export function limitsOf(
  { maxRouteLength, tradeType }: Pick<Order, 'maxRouteLength'> & Partial<Pick<Order, 'tradeType'>>,
  ...filters: readonly SwapSourceFilter[]
): RouteLimits {
  const filtering = filters.filter(
    ({ included, excluded }) => included !== undefined || excluded.size > 0,
  )
  const allowsMovingFees = tradeType === 'EXPECTED_OUTPUT'
  if (maxRouteLength === undefined && filtering.length === 0 && !allowsMovingFees)
    return withoutLimits
  const allowsPool = ({ source }: Pool) =>
    filtering.every(
      ({ included, excluded }) => !excluded.has(source) && (included?.has(source) ?? true),
    )
  return {
    ...(maxRouteLength !== undefined && { maxHops: maxRouteLength }),
    ...(filtering.length > 0 && { allowsPool }),
    ...(allowsMovingFees && { allowsMovingFees }),
  }
}
