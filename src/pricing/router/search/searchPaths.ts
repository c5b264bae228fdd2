import { rateOf, type Trial } from '#src/pricing/router/pools/poolSimulation.ts'
import { reverseEdge } from '#src/pricing/router/pools/topology.ts'
import {
  clearLabels,
  createLabels,
  edgesBackFrom,
  originFor,
  type PathLabels,
  placeFor,
} from './pathLabels.ts'
import { createProspects, measureProspects, type Prospects, type Way } from './rateBounds.ts'

/** Edges from the input currency to the output currency. */
export type EdgePath = readonly number[]

/** `gas` is what the scoring makes of it. */
type FoundPath = Readonly<{ score: number; gas: number; edges: EdgePath }>

export type PathSearch = Readonly<{
  /** Currencies by number. */
  input: number
  output: number
  maxHops: number
}>

/** Scores are positive, and more is better. */
export type Scoring = Readonly<{
  atStart: number
  /**
   * The score behind an edge, from the score before it; 0 for none. The more before, the more behind, and
   * never more than the edge's rate times the score before.
   */
  carry: (edge: number, score: number) => number
  /** Gas units for an edge, between the scores before and behind it. */
  gas: (edge: number, before: number, behind: number) => number
  /** What paths are compared by: the higher the score and the lower the gas, the more. */
  worth: (score: number, gas: number) => number
  /** Paths that come to no better score are not wanted. */
  least: number
  /** How many paths are wanted. */
  most: number
}>

/** Leaves gas out of account. */
export const withoutGas = {
  gas: () => 0,
  worth: (score) => score,
} as const satisfies Partial<Scoring>

/**
 * Gives a few of the best paths, best first, which differ in their last hop or in length; none visits a currency
 * twice.
 *
 * Currencies are labelled hop by hop with the best score at which they are reached. A label may be of
 * no use to the next currency, when its path has been there already; so every currency keeps two labels,
 * which come from different currencies. For paths of up to four hops that finds the very best, even
 * where going round in circles would pay: of two labels after two hops, one at least has not been at
 * the currency that comes third. Of longer paths it may miss the best.
 */
export type PathFinder = Readonly<{
  /**
   * Takes note of how the pools stand now: to be done before paths are sought.
   * @returns the best rate of any path at the least, in scores at the end for one at the start
   */
  look: () => number
  findPaths: (scoring: Scoring) => FoundPath[]
}>

/** Follows paths from their input. The search can be repeated, with other scores or once pools have changed. */
export const createPathSearch = (
  trial: Trial,
  { input, output, maxHops }: PathSearch,
): PathFinder => createWalk(trial, { start: input, end: output, maxHops, turn: 0 })

/** Follows paths from their output back to their input. */
export const createBackwardSearch = (
  trial: Trial,
  { input, output, maxHops }: PathSearch,
): PathFinder => createWalk(trial, { start: output, end: input, maxHops, turn: 1 })

function createWalk(trial: Trial, way: Way): PathFinder {
  const currencies = trial.graph.topology.edgesFrom.length
  const labels = createLabels(currencies, way.maxHops)
  const prospects = createProspects(currencies, way.maxHops)
  const walk = { ...way, trial, labels, prospects }
  return {
    look: () => measureProspects(prospects, trial, way),
    findPaths: (scoring) => {
      clearLabels(labels, way.start, scoring.atStart)
      const arrivals: Arrival[] = []
      for (let hops = 1; hops <= way.maxHops; hops++) {
        finishPaths(walk, scoring, hops, arrivals)
        if (hops < way.maxHops) extendPaths(walk, scoring, hops, leastWorth(scoring, arrivals))
      }
      return arrivals.map((arrival) => traceBack(walk, arrival))
    },
  }
}

/** What a path has to be worth more than to be among those found. */
const leastWorth = ({ least, most, worth }: Scoring, arrivals: readonly Arrival[]): number =>
  arrivals[most - 1]?.worth ?? (least > 0 ? worth(least, 0) : Number.NEGATIVE_INFINITY)

const traceBack = ({ labels, turn }: Walk, { score, gas, edge, label }: Arrival): FoundPath => {
  const edges = [edge, ...edgesBackFrom(labels, label)]
  return { score, gas, edges: turn === 1 ? edges : edges.reverse() }
}

type Walk = Way & Readonly<{ trial: Trial; labels: PathLabels; prospects: Prospects }>

/** A label is dropped when its prospects are no better, but for rounding. */
const roundingUp = 1 + 1e-9

/** Labels the currencies that are `hops` away. */
function extendPaths(walk: Walk, scoring: Scoring, hops: number, leastWorth: number): void {
  const { labels, trial, turn } = walk
  const { carry, gas, worth } = scoring
  const { width, scores, gases, worths, edges, origins, from } = labels
  const { edgesFrom, outputs } = trial.graph.topology
  const before = 2 * (hops - 1) * width
  const behind = 2 * hops * width
  const prospects = walk.prospects[walk.maxHops - hops] as Float64Array
  for (let currency = 0; currency < width; currency++) {
    if (scores[before + currency] === 0) continue
    for (const onward of edgesFrom[currency] as readonly number[]) {
      const next = outputs[onward] as number
      const edge = onward ^ turn
      const prospect = prospects[next] as number
      if (prospect === 0 || trial.closed[edge] === 1) continue
      const origin = originFor(labels, before + currency, next)
      if (origin < 0) continue
      const score = scores[origin] as number
      const used = gases[origin] as number
      const most = score * rateOf(trial, edge)
      if (worth(most, used) <= (worths[behind + width + next] as number)) continue
      if (worth(most * prospect * roundingUp, used) <= leastWorth) continue
      const reached = carry(edge, score)
      if (reached === 0) continue
      const spent = used + gas(edge, score, reached)
      const place = placeFor(labels, behind + next, currency, worth(reached, spent))
      if (place < 0) continue
      scores[place] = reached
      gases[place] = spent
      worths[place] = worth(reached, spent)
      edges[place] = edge
      origins[place] = origin
      from[place] = currency
    }
  }
}

/** A path that has come to its end: over `edge`, from `label`. */
type Arrival = Readonly<{ score: number; gas: number; worth: number; edge: number; label: number }>

/** Ranks the paths whose last hop, the one numbered `hops`, comes to the end among those found before. */
function finishPaths(walk: Walk, scoring: Scoring, hops: number, arrivals: Arrival[]): void {
  const { labels, trial, turn } = walk
  const { edgesFrom, outputs } = trial.graph.topology
  const before = 2 * (hops - 1) * labels.width
  for (const backward of edgesFrom[walk.end] as readonly number[]) {
    const edge = reverseEdge(backward) ^ turn
    const label = before + (outputs[backward] as number)
    const scoreBefore = labels.scores[label] as number
    const used = labels.gases[label] as number
    const least = leastWorth(scoring, arrivals)
    if (scoreBefore === 0 || trial.closed[edge] === 1) continue
    if (scoring.worth(scoreBefore * rateOf(trial, edge), used) <= least) continue
    const score = scoring.carry(edge, scoreBefore)
    if (score === 0) continue
    const gas = used + scoring.gas(edge, scoreBefore, score)
    const worth = scoring.worth(score, gas)
    if (worth <= least) continue
    const rank = arrivals.findIndex((other) => other.worth < worth)
    arrivals.splice(rank === -1 ? arrivals.length : rank, 0, { score, gas, worth, edge, label })
    arrivals.length = Math.min(arrivals.length, scoring.most)
  }
}
