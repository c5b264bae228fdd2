import { rateOf, type Trial } from '#src/pricing/router/pools/poolSimulation.ts'
import { reverseEdge } from '#src/pricing/router/pools/topology.ts'

/** Where paths lead to, and how they are followed. */
export type Way = Readonly<{
  /** Currencies by number. */
  start: number
  end: number
  maxHops: number
  /** 1 where paths are followed backwards: the edge paid is then the reverse of the edge that leads on. */
  turn: 0 | 1
}>

/**
 * How much a score can be multiplied by on the rest of its way, at most: in row n for each currency, where
 * n hops are left. 0 where no path may be, and from where none comes to the end.
 */
export type Prospects = readonly Float64Array[]

export const createProspects = (currencies: number, maxHops: number): Prospects =>
  Array.from({ length: maxHops }, () => new Float64Array(currencies))

/**
 * Measures the rates that pools have now; swaps only make them worse.
 * @returns the prospects at the start
 */
export function measureProspects(prospects: Prospects, trial: Trial, way: Way): number {
  const { start, end, maxHops } = way
  for (let hops = 0; hops < maxHops; hops++) {
    const row = prospects[hops] as Float64Array
    if (hops === 0) row.fill(0)
    else spreadProspects(row, prospects[hops - 1] as Float64Array, trial, way)
    row[start] = 0
    row[end] = hops === 0 ? 1 : 0
  }
  return prospectAtStart(prospects, trial, way)
}

/** From the currencies that can be next, back to those before them. */
function spreadProspects(row: Float64Array, nearer: Float64Array, trial: Trial, way: Way): void {
  const { edgesFrom, outputs } = trial.graph.topology
  row.set(nearer)
  for (let next = 0; next < nearer.length; next++) {
    const rest = nearer[next] as number
    if (rest === 0) continue
    for (const backward of edgesFrom[next] as readonly number[]) {
      const edge = reverseEdge(backward) ^ way.turn
      if (trial.closed[edge] === 1) continue
      const currency = outputs[backward] as number
      const prospect = rateOf(trial, edge) * rest
      if (prospect > (row[currency] as number)) row[currency] = prospect
    }
  }
}

function prospectAtStart(
  prospects: Prospects,
  trial: Trial,
  { start, end, maxHops, turn }: Way,
): number {
  const { edgesFrom, outputs } = trial.graph.topology
  const behind = prospects[maxHops - 1] as Float64Array
  let best = 0
  for (const onward of edgesFrom[start] as readonly number[]) {
    const next = outputs[onward] as number
    const edge = onward ^ turn
    const rest = next === end ? 1 : (behind[next] as number)
    if (trial.closed[edge] === 0) best = Math.max(best, rateOf(trial, edge) * rest)
  }
  return best
}
