import type { LegSwap } from '#src/pricing/leg/leg.ts'
import type { Path } from '#src/pricing/router/route.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { divUp } from '#src/units/mulDiv.ts'

/** Of what goes in: more would turn much of it into currencies between, where a path has several hops. */
const headroomShare = 1000n

/**
 * A leg for an exact output with a little more to pay in, up to `most`, so that small trades before it do not
 * undo it. Pools take no more than the output costs: the rest comes back.
 */
export function withHeadroom(leg: LegSwap, most: Amount): LegSwap {
  const { route, amountIn } = leg
  if (route === undefined || most <= amountIn) return leg
  const share = divUp(amountIn, headroomShare)
  let spare = most - amountIn
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
