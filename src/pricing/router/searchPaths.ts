import { depthSize, reserveIn, reserveOut } from './depths.ts'
import {
  clearLabels,
  createLabels,
  edgesBackFrom,
  originFor,
  type PathLabels,
  placeFor,
} from './pathLabels.ts'
import type { Trial } from './trial.ts'

/** Edges from the input currency to the output currency. */
export type EdgePath = readonly number[]

export type FoundPath = Readonly<{ score: number; edges: EdgePath }>

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
  /** What to multiply a path's score by for the use of an edge, at most 1, before paths are compared. */
  discount: (edge: number) => number
}>

/**
 * Gives the best path for each last edge and number of hops, best first; none visits a currency twice.
 *
 * Currencies are labelled hop by hop with the best score at which they are reached. A label may be of
 * no use to the next currency, when its path has been there already; so every currency keeps two labels,
 * which come from different currencies. For paths of up to four hops that finds the very best, even
 * where going round in circles would pay: of two labels after two hops, one at least has not been at
 * the currency that comes third. Of longer paths it may miss the best.
 */
export type FindPaths = (scoring: Scoring) => FoundPath[]

/** Follows paths from their input. The search can be repeated, with other scores or once pools have changed. */
export const createPathSearch = (trial: Trial, { input, output, maxHops }: PathSearch): FindPaths =>
  createWalk(trial, { start: input, end: output, maxHops, turn: 0 })

/** Follows paths from their output back to their input. */
export const createBackwardSearch = (
  trial: Trial,
  { input, output, maxHops }: PathSearch,
): FindPaths => createWalk(trial, { start: output, end: input, maxHops, turn: 1 })

function createWalk(trial: Trial, way: Way): FindPaths {
  const labels = createLabels(trial.graph.topology.edgesFrom.length, way.maxHops)
  const walk = { ...way, trial, labels, places: findPlaces(trial, way) }
  return (scoring) => {
    clearLabels(labels, way.start, scoring.atStart)
    const found: FoundPath[] = []
    for (let hops = 1; hops <= way.maxHops; hops++) {
      finishPaths(walk, scoring, hops, found)
      if (hops < way.maxHops) extendPaths(walk, scoring, hops)
    }
    return found.sort((one, other) => other.score - one.score)
  }
}

type Way = Readonly<{
  start: number
  end: number
  maxHops: number
  /** 1 where paths are followed backwards: the edge paid is then the reverse of the edge that leads on. */
  turn: 0 | 1
}>

type Walk = Way & Readonly<{ trial: Trial; labels: PathLabels; places: Uint8Array }>

const isEnd = 0
const isBetween = 1
const isNextToEnd = 2

/** By currency: what paths may pass, and what can come last but one. */
function findPlaces({ graph }: Trial, { start, end }: Way): Uint8Array {
  const { edgesFrom, outputs } = graph.topology
  const places = new Uint8Array(edgesFrom.length).fill(isBetween)
  for (const edge of edgesFrom[end] ?? []) places[outputs[edge] as number] = isNextToEnd
  places[start] = isEnd
  places[end] = isEnd
  return places
}

/** Labels the currencies that are `hops` away. */
function extendPaths(walk: Walk, { carry, discount }: Scoring, hops: number): void {
  const { labels, places, trial, turn } = walk
  const { width, scores, discounts, worths, edges, origins, from } = labels
  const { closed, depths } = trial
  const { edgesFrom, outputs } = trial.graph.topology
  const before = 2 * (hops - 1) * width
  const behind = 2 * hops * width
  const wanted = hops === walk.maxHops - 1 ? isNextToEnd : isBetween
  for (let currency = 0; currency < width; currency++) {
    if (scores[before + currency] === 0) continue
    for (const onward of edgesFrom[currency] as readonly number[]) {
      const next = outputs[onward] as number
      const edge = onward ^ turn
      if ((places[next] as number) < wanted || closed[edge] === 1) continue
      const origin = originFor(labels, before + currency, next)
      if (origin < 0) continue
      const score = scores[origin] as number
      const share = (discounts[origin] as number) * discount(edge)
      const most = score * share * (depths[edge * depthSize + reserveOut] as number)
      const enough =
        (worths[behind + width + next] as number) * (depths[edge * depthSize + reserveIn] as number)
      if (most <= enough) continue
      const reached = carry(edge, score)
      const place = placeFor(labels, behind + next, currency, reached * share)
      if (place < 0) continue
      scores[place] = reached
      discounts[place] = share
      worths[place] = reached * share
      edges[place] = edge
      origins[place] = origin
      from[place] = currency
    }
  }
}

/** Adds the paths whose last hop, the one numbered `hops`, comes to the end. */
function finishPaths(walk: Walk, { carry }: Scoring, hops: number, found: FoundPath[]): void {
  const { labels, trial, turn } = walk
  const { edgesFrom, outputs } = trial.graph.topology
  const before = 2 * (hops - 1) * labels.width
  for (const backward of edgesFrom[walk.end] ?? []) {
    const edge = backward ^ 1 ^ turn
    const label = before + (outputs[backward] as number)
    const score = labels.scores[label] as number
    if (score === 0 || trial.closed[edge] === 1) continue
    const reached = carry(edge, score)
    if (reached === 0) continue
    const path = [edge, ...edgesBackFrom(labels, label)]
    found.push({ score: reached, edges: turn === 0 ? path.reverse() : path })
  }
}
