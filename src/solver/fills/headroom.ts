import type { LegSwap } from '#src/pricing/leg/leg.ts'
import type { Path } from '#src/pricing/router/route.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { divUp } from '#src/units/mulDiv.ts'

/** One part in 1000 of the input. On a path with several hops more would leave a large rest in intermediate currencies. */
const headroomDivisor = 1000n

/**
 * Adds a little headroom to the input of a leg with an exact output, up to `maxIn`, so that small trades before it do
 * not make it fail. Pools take only what the output costs: the rest comes back.
 */
export function withHeadroom(leg: LegSwap, maxIn: Amount): LegSwap {
  const { route, amountIn } = leg
  if (route === undefined || maxIn <= amountIn) return leg
  const share = divUp(amountIn, headroomDivisor)
  let spare = maxIn - amountIn
  if (spare > share) spare = share
  const paths = route.paths.map(
    (path): Path => ({
      ...path,
      amountIn: toAmount(path.amountIn + (path.amountIn * spare) / amountIn),
    }),
  )
  const raised = toAmount(paths.reduce((sum, path) => sum + path.amountIn, 0n))
  return { ...leg, amountIn: raised, route: { ...route, amountIn: raised, paths } }
}
