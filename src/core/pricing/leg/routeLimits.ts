import type { Pool } from '#src/core/pools/pool.ts'
import type { Order, SwapSourceFilter } from '#src/core/pricing/order.ts'

/** Limits on the routes of a leg; absent: no limit. */
export type RouteLimits = Readonly<{
  maxHops?: number
  allowsPool?: (pool: Pool) => boolean
  /**
   * Whether a swap for an exact output may use pools with a moving fee. Set only if less than that output may arrive.
   */
  allowsMovingFees?: boolean
}>

export const withoutLimits: RouteLimits = {}

/** The limits of `order` on a leg. Pools must pass every filter. */
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
