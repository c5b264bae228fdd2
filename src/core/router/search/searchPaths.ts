import { minHopGas } from '#src/core/pools/pool.ts'
import type { VirtualReserves } from '#src/core/pools/virtualReserves.ts'
import { type PoolGraph, poolOfEdge } from '#src/core/router/graph.ts'
import { maxOutputFor, type PoolSimulation, rateOf } from '#src/core/router/pools/poolSimulation.ts'
import { hopOverhead, pathGas, tickGas } from '#src/core/router/route.ts'
import {
  clearLabels,
  createLabels,
  edgesTo,
  type PathLabels,
  previousLabelFor,
  setLabel,
} from './pathLabels.ts'
import {
  createPathRateBounds,
  fillPathRateBounds,
  type PathRateBounds,
  pathRateBoundsOf,
  ratesFrom,
  ratesTo,
  roundingUp,
  type SearchEnds,
} from './rateTables.ts'

/** Edges from the input currency to the output currency. */
export type EdgePath = readonly number[]

export type FoundPath = Readonly<{ score: number; edges: EdgePath }>

export type PathSearch = Readonly<{
  /** Currencies by number. */
  input: number
  output: number
  maxHops: number
}>

/**
 * How paths are scored and compared. The value of a path is its score times the discounts of all its edges. A higher
 * value is better.
 */
export type PathScoring = Readonly<{
  /** Positive. */
  startScore: number
  /**
   * The score after an edge, from the score before it; 0 if the edge cannot be used. It must rise with the score before
   * and never exceed that score times the marginal rate of the edge. Forwards, scores are amounts: it must not exceed
   * what the pool gives for the amount before.
   */
  nextScore: (edge: number, score: number) => number
  /** At most `maxDiscount`. From the scores before and after the edge. */
  discount: (edge: number, before: number, after: number) => number
  /** At most 1. */
  maxDiscount: number
  /** Paths must reach a higher value than this. */
  minValue: number
  /** The largest number of paths to return. */
  maxCount: number
}>

/** Compares paths by their score alone. */
export const withoutDiscount = {
  discount: () => 1,
  maxDiscount: 1,
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
   * Renews the bounds that prune the search; at first they are those of the graph. Call it whenever pools have changed.
   * @param paths the paths whose pools have changed since the state of the graph.
   * @returns an upper bound on the rate of any path.
   */
  renewBounds: (paths: readonly EdgePath[]) => number
  findPaths: (scoring: PathScoring) => FoundPath[]
  /** A first path: at each currency it takes the edge with the best bound. `undefined` if it misses the end. */
  findGreedyPath: (scoring: Pick<PathScoring, 'startScore' | 'nextScore'>) => FoundPath | undefined
}>

/**
 * Searches forwards from the input. It can be repeated with another scoring or after pools have changed. A simulation
 * supports one search per direction and number of hops at a time.
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
  const { labels, ownBounds } = arraysFor(simulation, ends)
  let bounds = pathRateBoundsOf(simulation.graph, ends)
  return {
    renewBounds: (paths) => {
      bounds = ownBounds
      simulation.work.left -= workOfBounds(simulation.graph, ends.maxHops)
      return fillPathRateBounds(bounds, simulation, ends, paths)
    },
    findPaths: (scoring) => {
      const search = { ...ends, simulation, labels, bounds, ranked: [] }
      clearLabels(labels, ends.start, scoring.startScore)
      for (let hops = 1; hops < ends.maxHops; hops++) {
        // A complete path raises the value that the others have to beat.
        arriveAtEnd(search, scoring, hops)
        extendPaths(search, scoring, hops)
      }
      arriveAtEnd(search, scoring, ends.maxHops)
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

const workOfBounds = ({ topology }: PoolGraph, maxHops: number): number =>
  (topology.inputs.length + maxHops * topology.edgesFrom.length) >> 4

/** The arrays of a search. They belong to the reserves of its simulation, which later simulations reuse. */
type SearchArrays = Readonly<{ labels: PathLabels; ownBounds: PathRateBounds }>

/** By direction and number of hops. */
const arraysByReserves = new WeakMap<VirtualReserves, Map<string, SearchArrays>>()

function arraysFor(
  { reserves, graph }: PoolSimulation,
  { maxHops, flip }: SearchEnds,
): SearchArrays {
  const byKey = arraysByReserves.get(reserves) ?? new Map<string, SearchArrays>()
  arraysByReserves.set(reserves, byKey)
  const key = `${flip} ${maxHops}`
  const known = byKey.get(key)
  if (known !== undefined) return known
  const labels = createLabels(graph.topology.edgesFrom.length, maxHops)
  const arrays = { labels, ownBounds: createPathRateBounds(graph, maxHops) }
  byKey.set(key, arrays)
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
    bounds: PathRateBounds
    /** The paths found so far, best first. */
    ranked: RankedPath[]
  }>

/** Labels the currencies that are `hops` hops away, except the end. */
function extendPaths(search: LabelSearch, scoring: PathScoring, hops: number): void {
  const { labels, bounds, simulation, flip, end, maxHops, ranked } = search
  const { rates, toEnd } = bounds
  const { nextScore, discount, maxDiscount } = scoring
  const { width, scores, discounts, values, frontier } = labels
  const { closed } = simulation
  const { offsets, edges, neighbours } = simulation.graph.topology.adjacency
  const before = 2 * (hops - 1) * width
  const after = 2 * hops * width
  const fromHere = toEnd[maxHops - hops + 1]
  const fromNext = toEnd[maxHops - hops] as Float64Array
  const minValue = valueToBeat(scoring, ranked)
  for (let place = 0; place < (frontier.counts[hops - 1] as number); place++) {
    const currency = frontier.currencies[(hops - 1) * width + place] as number
    // Upper bound on the value after the cheapest hop, at a rate of 1.
    const maxValueHere = (values[before + currency] as number) * maxDiscount * roundingUp
    if (hops > 1 && maxValueHere * ((fromHere as Float64Array)[currency] as number) <= minValue)
      continue
    const last = offsets[currency + 1] as number
    simulation.work.left -= (last - (offsets[currency] as number)) >> 2
    for (let at = offsets[currency] as number; at < last; at++) {
      const next = neighbours[at] as number
      const edge = (edges[at] as number) ^ flip
      if (next === end) continue
      const onward = (fromNext[next] as number) * maxDiscount
      const bound = (rates[edge] as number) * onward
      if (maxValueHere * bound <= minValue || closed[edge] === 1) continue
      const label = previousLabelFor(labels, before + currency, next)
      if (label < 0) continue
      const score = scores[label] as number
      const maxScore =
        flip === 0 ? maxOutputFor(simulation, edge, score) : score * (rates[edge] as number)
      const maxValue = maxScore * (discounts[label] as number) * maxDiscount
      if (maxValue * onward * roundingUp <= minValue) continue
      if (maxValue <= (values[after + width + next] as number)) continue
      const reached = nextScore(edge, score)
      const further = (discounts[label] as number) * discount(edge, score, reached)
      const value = reached * further
      if (value * onward * roundingUp <= minValue) continue
      setLabel(labels, hops, next, currency, label, edge, reached, further)
    }
  }
}

/** Ranks the paths that reach the end with `hops` hops. Few edges lead to the end, so it starts from these. */
function arriveAtEnd(search: LabelSearch, scoring: PathScoring, hops: number): void {
  const { labels, bounds, simulation, flip, end, ranked } = search
  const { nextScore, discount, maxDiscount } = scoring
  const { width, scores, discounts, values } = labels
  const { closed } = simulation
  const { offsets, edges, neighbours } = simulation.graph.topology.adjacency
  const before = 2 * (hops - 1) * width
  let minValue = valueToBeat(scoring, ranked)
  for (let at = offsets[end] as number; at < (offsets[end + 1] as number); at++) {
    const edge = (edges[at] as number) ^ 1 ^ flip
    const label = before + (neighbours[at] as number)
    const value = values[label] as number
    const maxValue = value * maxDiscount * (bounds.rates[edge] as number)
    if (maxValue * roundingUp <= minValue || closed[edge] === 1) continue
    const score = scores[label] as number
    const reached = nextScore(edge, score)
    const reachedValue = reached * (discounts[label] as number) * discount(edge, score, reached)
    if (reachedValue <= minValue) continue
    rank(ranked, { score: reached, value: reachedValue, edge, label }, scoring.maxCount)
    minValue = valueToBeat(scoring, ranked)
  }
}

function rank(ranked: RankedPath[], path: RankedPath, maxCount: number): void {
  const place = ranked.findIndex((other) => other.value < path.value)
  ranked.splice(place === -1 ? ranked.length : place, 0, path)
  ranked.length = Math.min(ranked.length, maxCount)
}

/** `score` is the score at the end. */
type GreedyPath = Readonly<{ edges: readonly number[]; score: number }>

/**
 * Walks from the start to the end, and takes the edge with the best bound at each currency. The edges are in the order
 * of the walk. `undefined` if the walk ends elsewhere.
 * @param nextScore as in the scoring of paths.
 */
function findGreedyPath(
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

/** The currencies of a route and its limits. */
export type RouteTask = Readonly<{
  /** Currencies by number. */
  input: number
  output: number
  maxHops: number
  /** Hops of the paths that a large amount may also take: `maxHops` or more. */
  furtherHops: number
  maxPaths: number
  /** Price of one unit of gas in raw units of the output, or of the input for an exact output. */
  gasPrice: number
}>

export const pathGasUnits = Number(pathGas)
export const tickGasUnits = Number(tickGas)
const overhead = Number(hopOverhead)

/** Gas of the cheapest hop. */
export const minStepGas = Number(minHopGas) + overhead

/** Gas of one hop without tick crossings. */
export const edgeGas = ({ graph }: PoolSimulation, edge: number): number =>
  (graph.hopGas[poolOfEdge(edge)] as number) + overhead

/** Gas of one path without tick crossings. */
export const edgePathGas = (simulation: PoolSimulation, path: EdgePath): number =>
  path.reduce((gas, edge) => gas + edgeGas(simulation, edge), pathGasUnits)
