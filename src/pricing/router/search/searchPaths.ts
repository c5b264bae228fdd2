import { type PoolSimulation, rateOf } from '#src/pricing/router/pools/poolSimulation.ts'
import { reverseEdge } from '#src/pricing/router/pools/topology.ts'
import {
  clearLabels,
  createLabels,
  edgesBackFrom,
  labelNumberFor,
  type PathLabels,
  previousLabelFor,
} from './pathLabels.ts'
import {
  computeRateBounds,
  createRateBounds,
  type RateBounds,
  type SearchEnds,
} from './rateBounds.ts'

/** Edges from the input currency to the output currency. */
export type EdgePath = readonly number[]

/** `gas` is as measured by the scoring. */
type FoundPath = Readonly<{ score: number; gas: number; edges: EdgePath }>

export type PathSearch = Readonly<{
  /** Currencies by number. */
  input: number
  output: number
  maxHops: number
}>

/** How paths are scored and compared. Scores are positive; higher is better. */
export type PathScoring = Readonly<{
  startScore: number
  /**
   * The score after an edge, from the score before it; 0 if the edge cannot be used. It must rise with the score
   * before and never exceed that score times the marginal rate of the edge.
   */
  nextScore: (edge: number, score: number) => number
  /** Gas units of an edge, from the scores before and after it. */
  gas: (edge: number, before: number, after: number) => number
  /** The value by which paths are compared. It rises with the score and falls with the gas. */
  value: (score: number, gas: number) => number
  /** Paths must reach a higher score than this. */
  minScore: number
  /** The largest number of paths to return. */
  maxCount: number
}>

/** Ignores gas. */
export const withoutGas = {
  gas: () => 0,
  value: (score) => score,
} as const satisfies Partial<PathScoring>

/**
 * Finds a few of the best paths, best first. They differ in their last hop or in length, and none visits a currency
 * twice.
 *
 * The search labels currencies hop by hop with the best score that reaches them (dynamic programming over the number of
 * hops, as in Bellman–Ford). A label is useless for a next currency that its path has visited already. So every
 * currency keeps two labels that arrive from different currencies. For paths of up to four hops this finds the best
 * path, even if cycles are profitable: of two labels after two hops, at least one has not visited the third currency.
 * For longer paths it may miss the best one.
 */
export type PathFinder = Readonly<{
  /**
   * Recomputes the rate bounds from the current pools. Call it before `findPaths` whenever pools have changed.
   * @returns an upper bound on the marginal rate of any path.
   */
  updateBounds: () => number
  findPaths: (scoring: PathScoring) => FoundPath[]
}>

/** Searches forwards from the input. It can be repeated with another scoring or after pools have changed. */
export const createPathSearch = (
  simulation: PoolSimulation,
  { input, output, maxHops }: PathSearch,
): PathFinder => createFinder(simulation, { start: input, end: output, maxHops, flip: 0 })

/** Searches backwards from the output to the input. */
export const createBackwardSearch = (
  simulation: PoolSimulation,
  { input, output, maxHops }: PathSearch,
): PathFinder => createFinder(simulation, { start: output, end: input, maxHops, flip: 1 })

function createFinder(simulation: PoolSimulation, ends: SearchEnds): PathFinder {
  const currencies = simulation.graph.topology.edgesFrom.length
  const labels = createLabels(currencies, ends.maxHops)
  const bounds = createRateBounds(currencies, ends.maxHops)
  const search = { ...ends, simulation, labels, bounds }
  return {
    updateBounds: () => computeRateBounds(bounds, simulation, ends),
    findPaths: (scoring) => {
      clearLabels(labels, ends.start, scoring.startScore)
      const ranked: RankedPath[] = []
      for (let hops = 1; hops <= ends.maxHops; hops++) {
        finishPaths(search, scoring, hops, ranked)
        if (hops < ends.maxHops) extendPaths(search, scoring, hops, minValue(scoring, ranked))
      }
      return ranked.map((rankedPath) => traceBack(search, rankedPath))
    },
  }
}

/** The value that a path must exceed to be among the paths found. */
const minValue = (
  { minScore, maxCount, value }: PathScoring,
  ranked: readonly RankedPath[],
): number =>
  ranked[maxCount - 1]?.value ?? (minScore > 0 ? value(minScore, 0) : Number.NEGATIVE_INFINITY)

const traceBack = (
  { labels, flip }: LabelSearch,
  { score, gas, edge, label }: RankedPath,
): FoundPath => {
  const edges = [edge, ...edgesBackFrom(labels, label)]
  return { score, gas, edges: flip === 1 ? edges : edges.reverse() }
}

type LabelSearch = SearchEnds &
  Readonly<{ simulation: PoolSimulation; labels: PathLabels; bounds: RateBounds }>

/** Allows for float rounding before the search drops a label by its bound. */
const roundingUp = 1 + 1e-9

/** Labels the currencies that are `hops` hops away. */
function extendPaths(
  search: LabelSearch,
  scoring: PathScoring,
  hops: number,
  minValue: number,
): void {
  const { labels, simulation, flip } = search
  const { nextScore, gas, value } = scoring
  const { width, scores, gases, values, edges, previous, previousCurrency } = labels
  const { edgesFrom, outputs } = simulation.graph.topology
  const before = 2 * (hops - 1) * width
  const after = 2 * hops * width
  const bounds = search.bounds[search.maxHops - hops] as Float64Array
  for (let currency = 0; currency < width; currency++) {
    if (scores[before + currency] === 0) continue
    for (const onward of edgesFrom[currency] as readonly number[]) {
      const next = outputs[onward] as number
      const edge = onward ^ flip
      const bound = bounds[next] as number
      if (bound === 0 || simulation.closed[edge] === 1) continue
      const previousLabel = previousLabelFor(labels, before + currency, next)
      if (previousLabel < 0) continue
      const score = scores[previousLabel] as number
      const used = gases[previousLabel] as number
      const maxScore = score * rateOf(simulation, edge)
      if (value(maxScore, used) <= (values[after + width + next] as number)) continue
      if (value(maxScore * bound * roundingUp, used) <= minValue) continue
      const reached = nextScore(edge, score)
      if (reached === 0) continue
      const spent = used + gas(edge, score, reached)
      const place = labelNumberFor(labels, after + next, currency, value(reached, spent))
      if (place < 0) continue
      scores[place] = reached
      gases[place] = spent
      values[place] = value(reached, spent)
      edges[place] = edge
      previous[place] = previousLabel
      previousCurrency[place] = currency
    }
  }
}

/** A complete path: its last edge, and the label before that edge. */
type RankedPath = Readonly<{
  score: number
  gas: number
  value: number
  edge: number
  label: number
}>

/** Ranks the complete paths of exactly `hops` hops among the paths found so far. */
function finishPaths(
  search: LabelSearch,
  scoring: PathScoring,
  hops: number,
  ranked: RankedPath[],
): void {
  const { labels, simulation, flip } = search
  const { edgesFrom, outputs } = simulation.graph.topology
  const before = 2 * (hops - 1) * labels.width
  for (const backward of edgesFrom[search.end] as readonly number[]) {
    const edge = reverseEdge(backward) ^ flip
    const label = before + (outputs[backward] as number)
    const scoreBefore = labels.scores[label] as number
    const used = labels.gases[label] as number
    const threshold = minValue(scoring, ranked)
    if (scoreBefore === 0 || simulation.closed[edge] === 1) continue
    if (scoring.value(scoreBefore * rateOf(simulation, edge), used) <= threshold) continue
    const score = scoring.nextScore(edge, scoreBefore)
    if (score === 0) continue
    const gas = used + scoring.gas(edge, scoreBefore, score)
    const value = scoring.value(score, gas)
    if (value <= threshold) continue
    const rank = ranked.findIndex((other) => other.value < value)
    ranked.splice(rank === -1 ? ranked.length : rank, 0, { score, gas, value, edge, label })
    ranked.length = Math.min(ranked.length, scoring.maxCount)
  }
}
