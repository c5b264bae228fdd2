import { reverseEdge } from './topology.ts'
import { rateOf, type Trial } from './trial.ts'

/** Edges from the input currency to the output currency. */
export type EdgePath = readonly number[]

export type FoundPath = Readonly<{ score: number; edges: EdgePath }>

export type PathSearch = Readonly<{
  /** Paths run from `start` to `end`; backwards, they are followed from their `end`. */
  direction: 'forwards' | 'backwards'
  start: number
  end: number
  maxHops: number
  /** At `start`: positive, as all scores are. More is better. */
  score: number
  /**
   * The score behind an edge, from the score before it: 0 for none. The more before, the more behind, and
   * never more than the edge's rate times the score before.
   */
  carry: (edge: number, score: number) => number
  /** What to multiply a path's score by for the use of an edge, at most 1, before paths are compared. */
  discount: (edge: number) => number
}>

/**
 * The best path for each last edge and number of hops, best first; none visits a currency twice.
 *
 * Currencies are labelled hop by hop with the best score at which they are reached. A label may be of
 * no use to the next currency, when its path has been there already; so every currency keeps two labels,
 * which come from different currencies. For paths of up to four hops that finds the very best, even
 * where going round in circles would pay: of two labels after two hops, one at least has not been at
 * the currency that comes third. Of longer paths it may miss the best.
 */
export function searchPaths(trial: Trial, search: PathSearch): FoundPath[] {
  const { topology } = trial.graph
  const { start, end, maxHops } = search
  const labels = createLabels(topology.edgesFrom.length, maxHops)
  labels.scores[start] = search.score
  const isNearEnd = new Uint8Array(topology.edgesFrom.length)
  for (const edge of topology.edgesFrom[end] ?? []) isNearEnd[topology.outputs[edge] as number] = 1
  const found: FoundPath[] = []
  for (let hops = 1; hops <= maxHops; hops++) {
    finishPaths(trial, search, labels, hops, found)
    const mayPass = (currency: number) =>
      currency !== start && currency !== end && (hops < maxHops - 1 || isNearEnd[currency] === 1)
    if (hops < maxHops) extendPaths(trial, search, labels, hops, mayPass)
  }
  return found.sort((one, other) => other.score - one.score)
}

/**
 * Labels by number. Those after n hops fill two rows with one place for each currency: row 2n holds the better
 * ones, row 2n + 1 the others.
 */
type Labels = Readonly<{
  /** Of a row. */
  width: number
  /** 0 where there is no label. */
  scores: Float64Array
  /** The discounts of the whole path, multiplied. */
  discounts: Float64Array
  /** The edge that leads to the label, in the direction in which it is paid. */
  edges: Int32Array
  /** The label that this edge comes from, and its currency; -1 at the start. */
  origins: Int32Array
  from: Int32Array
}>

function createLabels(width: number, maxHops: number): Labels {
  const count = 2 * width * maxHops
  return {
    width,
    scores: new Float64Array(count),
    discounts: new Float64Array(count).fill(1),
    edges: new Int32Array(count),
    origins: new Int32Array(count).fill(-1),
    from: new Int32Array(count).fill(-1),
  }
}

/** Labels the currencies that are `hops` away with the best ways there. */
function extendPaths(
  trial: Trial,
  { direction, carry, discount }: PathSearch,
  labels: Labels,
  hops: number,
  mayPass: (currency: number) => boolean,
): void {
  const { width, scores, discounts } = labels
  const { edgesFrom, outputs } = trial.graph.topology
  const before = 2 * (hops - 1) * width
  const behind = before + 2 * width
  for (let currency = 0; currency < width; currency++) {
    if (scores[before + currency] === 0) continue
    for (const onward of edgesFrom[currency] as readonly number[]) {
      const next = outputs[onward] as number
      const edge = direction === 'forwards' ? onward : reverseEdge(onward)
      if (trial.closed[edge] === 1 || !mayPass(next)) continue
      let origin = before + currency
      if (hasVisited(labels, origin, next)) {
        origin += width
        if (hasVisited(labels, origin, next)) continue
      }
      const score = scores[origin] as number
      const share = (discounts[origin] as number) * discount(edge)
      const other = behind + width + next
      if (score * rateOf(trial, edge) * share <= worthOf(labels, other)) continue
      placeLabel(labels, behind + next, currency, origin, edge, carry(edge, score), share)
    }
  }
}

const worthOf = ({ scores, discounts }: Labels, label: number): number =>
  (scores[label] as number) * (discounts[label] as number)

/** Whether a label's path has been at a currency between its start and its own currency. */
function hasVisited({ from, origins }: Labels, label: number, currency: number): boolean {
  for (let at = label; at >= 0; at = origins[at] as number) if (from[at] === currency) return true
  return false
}

/** Keeps the new label at its currency if it is one of the best two, from different currencies. */
function placeLabel(
  labels: Labels,
  best: number,
  currency: number,
  origin: number,
  edge: number,
  score: number,
  discount: number,
): void {
  const { width, scores, discounts, edges, origins, from } = labels
  const other = best + width
  const worth = score * discount
  let place = best
  if (worth <= worthOf(labels, best)) {
    if (from[best] === currency || worth <= worthOf(labels, other)) return
    place = other
  } else if (from[best] !== currency) {
    for (const column of [scores, discounts, edges, origins, from])
      column[other] = column[best] as number
  }
  scores[place] = score
  discounts[place] = discount
  edges[place] = edge
  origins[place] = origin
  from[place] = currency
}

/** Adds the paths whose last hop, the one numbered `hops`, comes to the end. */
function finishPaths(
  trial: Trial,
  { direction, end, carry }: PathSearch,
  labels: Labels,
  hops: number,
  found: FoundPath[],
): void {
  const { edgesFrom, outputs } = trial.graph.topology
  const before = 2 * (hops - 1) * labels.width
  for (const backward of edgesFrom[end] ?? []) {
    const edge = direction === 'forwards' ? reverseEdge(backward) : backward
    const label = before + (outputs[backward] as number)
    const score = labels.scores[label] as number
    if (score === 0 || trial.closed[edge] === 1) continue
    const reached = carry(edge, score)
    if (reached > 0)
      found.push({ score: reached, edges: traceBack(labels, label, edge, direction) })
  }
}

function traceBack(
  { edges, origins }: Labels,
  label: number,
  lastEdge: number,
  direction: PathSearch['direction'],
): EdgePath {
  const path = [lastEdge]
  for (let at = label; (origins[at] as number) >= 0; at = origins[at] as number)
    path.push(edges[at] as number)
  return direction === 'forwards' ? path.reverse() : path
}
