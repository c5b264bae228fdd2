import type { VirtualReserves } from '#src/pools/virtualReserves.ts'
import { type PoolSimulation, rateOf } from '#src/pricing/router/pools/poolSimulation.ts'
import { findGreedyPath } from './greedyPath.ts'
import {
  clearLabels,
  createLabels,
  edgesTo,
  type PathLabels,
  previousLabelFor,
  setLabel,
} from './pathLabels.ts'
import {
  createSearchSpace,
  type EdgeDiscount,
  narrowSpace,
  roundingUp,
  type SearchEnds,
  type SearchSpace,
} from './searchSpace.ts'

/** Edges from the input currency to the output currency. */
export type EdgePath = readonly number[]

export type FoundPath = Readonly<{ score: number; edges: EdgePath }>

export type PathSearch = Readonly<{
  /** Currencies by number. */
  input: number
  output: number
  maxHops: number
}>

/** How paths are scored and compared: by value, which is the score times the discounts of all edges. Higher is better. */
export type PathScoring = Readonly<{
  /** Positive. */
  startScore: number
  /**
   * The score after an edge, from the score before it; 0 if the edge cannot be used. It must rise with the score
   * before and never exceed that score times the marginal rate of the edge.
   */
  nextScore: (edge: number, score: number) => number
  /** At most the discount of the edge that `narrow` was given. From the scores before and after the edge. */
  discount: (edge: number, before: number, after: number) => number
  /** Paths must reach a higher value than this. */
  minValue: number
  /** The largest number of paths to return. */
  maxCount: number
}>

/** Compares paths by their score alone. */
export const withoutDiscount = {
  discount: () => 1,
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
   * Narrows the search to edges that can be part of a path with a better rate than `minRate`, and renews the bounds
   * from the current pools. Call it before `findPaths`, and whenever pools have changed.
   * @param discount by edge, at least that of any scoring that follows; default 1.
   * @returns an upper bound on the rate of any path, with its discounts.
   */
  narrow: (minRate: number, discount?: EdgeDiscount) => number
  findPaths: (scoring: PathScoring) => FoundPath[]
  /** A path to start with: at each currency it takes the edge with the best bound. It may miss the end. */
  findGreedyPath: (scoring: Pick<PathScoring, 'startScore' | 'nextScore'>) => FoundPath | undefined
}>

/**
 * Searches forwards from the input. It can be repeated with another scoring or after pools have changed. A simulation has
 * one search in each direction at a time.
 */
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
  const inSwapOrder = (edges: EdgePath) => (ends.flip === 0 ? edges : edges.toReversed())
  const { labels, space } = arraysFor(simulation, ends)
  return {
    narrow: (minRate, discount) => narrowSpace(space, simulation, ends, minRate, discount),
    findPaths: (scoring) => {
      const search = { ...ends, simulation, labels, space, ranked: [] }
      clearLabels(labels, ends.start, scoring.startScore)
      for (let hops = 1; hops <= ends.maxHops; hops++) extendPaths(search, scoring, hops)
      return search.ranked.map(({ score, edge, label }) => ({
        score,
        edges: inSwapOrder([...edgesTo(labels, label), edge]),
      }))
    },
    findGreedyPath: ({ startScore, nextScore }) => {
      const found = findGreedyPath(simulation, ends, startScore, nextScore)
      return found && { score: found.score, edges: inSwapOrder(found.edges) }
    },
  }
}

/** The arrays of a search. They stay with the reserves of its simulation, which serve one simulation after the other. */
type SearchArrays = Readonly<{ maxHops: number; labels: PathLabels; space: SearchSpace }>

const arraysByReserves = [
  new WeakMap<VirtualReserves, SearchArrays>(),
  new WeakMap<VirtualReserves, SearchArrays>(),
] as const

function arraysFor(simulation: PoolSimulation, { maxHops, flip }: SearchEnds): SearchArrays {
  const known = arraysByReserves[flip].get(simulation.reserves)
  if (known?.maxHops === maxHops) {
    known.space.candidates.minRate = undefined
    return known
  }
  const labels = createLabels(simulation.graph.topology.edgesFrom.length, maxHops)
  const arrays = { maxHops, labels, space: createSearchSpace(simulation, maxHops) }
  arraysByReserves[flip].set(simulation.reserves, arrays)
  return arrays
}

/** The value that a path must exceed to be among the paths found. */
const valueToBeat = ({ minValue, maxCount }: PathScoring, ranked: readonly RankedPath[]): number =>
  ranked[maxCount - 1]?.value ?? minValue

/** A complete path: its last edge, and the label before that edge. */
type RankedPath = Readonly<{
  score: number
  value: number
  edge: number
  label: number
}>

type LabelSearch = SearchEnds &
  Readonly<{
    simulation: PoolSimulation
    labels: PathLabels
    space: SearchSpace
    /** The paths found so far, best first. */
    ranked: RankedPath[]
  }>

/** Labels the currencies that are `hops` hops away, and ranks the paths that reach the end. */
function extendPaths(search: LabelSearch, scoring: PathScoring, hops: number): void {
  const { labels, simulation, space, flip, end, ranked } = search
  const { nextScore, discount } = scoring
  const { width, scores, discounts, values } = labels
  const { currencies, currencyCount } = space.candidates
  const { inputs, outputs } = simulation.graph.topology
  const far = flip === 0 ? outputs : inputs
  const before = 2 * (hops - 1) * width
  const after = 2 * hops * width
  const { firstEdge, nextEdge } = space
  const bounds = space.bounds[search.maxHops - hops] as Float64Array
  let minValue = valueToBeat(scoring, ranked)
  for (let at = 0; at < currencyCount; at++) {
    const currency = currencies[at] as number
    if (scores[before + currency] === 0) continue
    for (let edge = firstEdge[currency] as number; edge >= 0; edge = nextEdge[edge] as number) {
      const next = far[edge] as number
      const bound = bounds[next] as number
      if (bound === 0 || simulation.closed[edge] === 1) continue
      const label = previousLabelFor(labels, before + currency, next)
      if (label < 0) continue
      const score = scores[label] as number
      const discounted = discounts[label] as number
      const maxValue = score * rateOf(simulation, edge) * discounted
      if (maxValue * bound * roundingUp <= minValue) continue
      if (next !== end && maxValue <= (values[after + width + next] as number)) continue
      const reached = nextScore(edge, score)
      if (reached === 0) continue
      const further = discounted * discount(edge, score, reached)
      if (next !== end) setLabel(labels, after + next, currency, label, edge, reached, further)
      else if (reached * further > minValue) {
        rank(ranked, { score: reached, value: reached * further, edge, label }, scoring.maxCount)
        minValue = valueToBeat(scoring, ranked)
      }
    }
  }
}

function rank(ranked: RankedPath[], path: RankedPath, maxCount: number): void {
  const place = ranked.findIndex((other) => other.value < path.value)
  ranked.splice(place === -1 ? ranked.length : place, 0, path)
  ranked.length = Math.min(ranked.length, maxCount)
}
