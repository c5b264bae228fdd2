import { type PoolSimulation, rateOf } from '#src/core/router/pools/poolSimulation.ts'
import { ratesFrom, ratesTo } from './rateTables.ts'
import type { SearchEnds } from './searchBounds.ts'

/** `score` is the score at the end. */
export type GreedyPath = Readonly<{ edges: readonly number[]; score: number }>

/**
 * Walks from the start to the end, and takes the edge with the best bound at each currency. The edges are in the order
 * of the walk. `undefined` if the walk ends elsewhere.
 * @param nextScore as in the scoring of paths.
 */
export function findGreedyPath(
  simulation: PoolSimulation,
  ends: SearchEnds,
  startScore: number,
  nextScore: (edge: number, score: number) => number,
): GreedyPath | undefined {
  const { start, end, maxHops, flip } = ends
  const { edgesFrom, outputs } = simulation.graph.topology
  const { graph } = simulation
  const bounds = flip === 0 ? ratesTo(graph, end, maxHops) : ratesFrom(graph, end, maxHops)
  const edges: number[] = []
  const visited = [start]
  let at = start
  let score = startScore
  while (at !== end) {
    const behind = bounds[maxHops - edges.length - 1]
    let best = { bound: 0, edge: -1, next: -1, score: 0 }
    for (const onward of behind === undefined ? [] : (edgesFrom[at] as readonly number[])) {
      const next = outputs[onward] as number
      const edge = onward ^ flip
      const rest = behind?.[next] as number
      if (rest === 0 || simulation.closed[edge] === 1 || visited.includes(next)) continue
      if (score * rateOf(simulation, edge) * rest <= best.bound) continue
      const reached = nextScore(edge, score)
      if (reached * rest > best.bound) best = { bound: reached * rest, edge, next, score: reached }
    }
    if (best.edge < 0) return undefined
    edges.push(best.edge)
    visited.push(best.next)
    at = best.next
    score = best.score
  }
  return { edges, score }
}
