import { depthSize, reserveIn } from './depths.ts'
import type { EdgePath } from './searchPaths.ts'
import { rateOf, type Trial } from './trial.ts'

/** How the marginal rates of several paths answer to input, as the pools stand now. */
export type Resistance = Readonly<{
  /** By path: what one more unit of input gives. */
  rates: Float64Array
  /**
   * Row by row: by how much more input on one path lowers the rate of another, because they share pools.
   * Symmetric, as far as paths that share a pool agree on what is worth what.
   */
  fall: Float64Array
}>

type Use = Readonly<{
  path: number /** Units that arrive for one more unit of input. */
  gain: number
}>

/**
 * A unit more into an edge lowers its rate by the share 2 ÷ reserveIn. Of one more unit into path q, gain(q)
 * units arrive at the edge; a unit there is worth rate(p) ÷ gain(p) at the end of path p.
 */
export function measureResistance(trial: Trial, paths: readonly EdgePath[]): Resistance {
  const size = paths.length
  const rates = new Float64Array(size)
  const uses = new Map<number, Use[]>()
  paths.forEach((path, number) => {
    let gain = 1
    for (const edge of path) {
      const use = { path: number, gain }
      const others = uses.get(edge)
      if (others === undefined) uses.set(edge, [use])
      else others.push(use)
      gain *= rateOf(trial, edge)
    }
    rates[number] = gain
  })
  const fall = new Float64Array(size * size)
  for (const [edge, users] of uses) {
    const worth = users.reduce(
      (most, { path, gain }) => Math.max(most, (rates[path] as number) / gain),
      0,
    )
    const share = (2 * worth) / (trial.depths[edge * depthSize + reserveIn] as number)
    for (const one of users)
      for (const other of users)
        fall[one.path * size + other.path] =
          (fall[one.path * size + other.path] as number) + share * one.gain * other.gain
  }
  return { rates, fall }
}
