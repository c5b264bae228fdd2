import type { LegSwap } from '#src/core/pricing/leg/leg.ts'
import type { Path } from '#src/core/router/route.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { divUp } from '#src/core/units/mulDiv.ts'

/** 1/1000 of the input. More would leave large remainders in the intermediate currencies of paths with several hops. */
const headroomDivisor = 1000n

/**
 * Raises the input of a leg with an exact output by up to 1/1000 (rounded up), at most to `maxIn`, so that small trades
 * before it do not make it fail. Pools take only the amount that the output costs: the rest is returned.
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
