import type { Pool } from '#src/pools/pool.ts'
import type { Order, SwapSourceFilter } from '#src/pricing/order.ts'

/** Which routes a leg may take; what is absent limits nothing. */
export type RouteLimits = Readonly<{
  maxHops?: number
  allowsPool?: (pool: Pool) => boolean
}>

export const withoutLimits: RouteLimits = {}

/** What `order` allows a leg whose pools must pass every one of `filters`. */
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
