import type { Pool } from '#src/pools/pool.ts'
import type { Order, SwapSourceFilter } from '#src/pricing/order.ts'

/** Limits to the routes of a leg; absent: no limit. */
export type RouteLimits = Readonly<{
  maxHops?: number
  allowsPool?: (pool: Pool) => boolean
}>

export const withoutLimits: RouteLimits = {}

/** The limits of `order` to a leg whose pools must pass every filter. */
export function limitsOf(
  { maxRouteLength }: Pick<Order, 'maxRouteLength'>,
  ...filters: readonly SwapSourceFilter[]
): RouteLimits {
  const filtering = filters.filter(
    ({ included, excluded }) => included !== undefined || excluded.size > 0,
  )
  if (maxRouteLength === undefined && filtering.length === 0) return withoutLimits
  const allowsPool = ({ source }: Pool) =>
    filtering.every(
      ({ included, excluded }) => !excluded.has(source) && (included?.has(source) ?? true),
    )
  return {
    ...(maxRouteLength !== undefined && { maxHops: maxRouteLength }),
    ...(filtering.length > 0 && { allowsPool }),
  }
}
