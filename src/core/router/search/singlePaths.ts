import { swapExactInput, swapExactOutput } from '#src/core/pools/pool.ts'
import { isZeroForOne, poolOfEdge } from '#src/core/router/graph.ts'
import {
  crossingsFor,
  inputFor,
  outputForAll,
  type PoolSimulation,
} from '#src/core/router/pools/poolSimulation.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import {
  type EdgePath,
  edgeGas,
  type FoundPath,
  minStepGas,
  type PathFinder,
  type PathScoring,
  pathGasUnits,
  tickGasUnits,
  withoutDiscount,
} from './searchPaths.ts'

/** A path that swaps the whole given amount, with the amount on its other side and its gas. */
export type SinglePath = Readonly<{ edges: EdgePath; amount: number; gas: number }>

/** How to score paths that swap a whole amount. A score is an amount, or the reciprocal of an amount. */
type Sizing = Readonly<{
  scoring: Pick<PathScoring, 'startScore' | 'nextScore'>
  amountOf: (score: number) => number
  scoreOf: (amount: number) => number
  /** The input of an edge, from the scores before and after it. */
  paid: (before: number, after: number) => number
  /** The edges of a path in the order in which the search scores them. */
  searched: (edges: EdgePath) => EdgePath
}>

/**
 * Single paths that swap all of `amountIn`, the best after gas first.
 * @param finder searches forwards, with the pools in the state of the graph.
 * @param gasPrice in raw units of the output.
 */
export function pathsForInput(
  simulation: PoolSimulation,
  finder: PathFinder,
  amountIn: number,
  gasPrice: number,
): SinglePath[] {
  const paths = searchWithGas(simulation, finder, gasPrice, {
    scoring: {
      startScore: amountIn,
      nextScore: (edge, amount) => wholeOutputFor(simulation, edge, amount),
    },
    amountOf: (score) => score,
    scoreOf: (amount) => amount,
    paid: (before) => before,
    searched: (edges) => edges,
  })
  const net = ({ amount, gas }: SinglePath) => amount - gasPrice * gas
  return paths.sort((one, other) => net(other) - net(one))
}

/**
 * Single paths that give all of `amountOut`, the cheapest with gas first.
 * @param finder searches backwards, with the pools in the state of the graph.
 * @param gasPrice in raw units of the input.
 */
export function pathsForOutput(
  simulation: PoolSimulation,
  finder: PathFinder,
  amountOut: number,
  gasPrice: number,
): SinglePath[] {
  const amountOf = (score: number) => Math.round(1 / score)
  const paths = searchWithGas(simulation, finder, gasPrice, {
    scoring: {
      startScore: 1 / amountOut,
      nextScore: (edge, score) => 1 / wholeInputFor(simulation, edge, amountOf(score)),
    },
    amountOf,
    scoreOf: (amountIn) => 1 / amountIn,
    paid: (_, after) => amountOf(after),
    searched: (edges) => edges.toReversed(),
  })
  const cost = ({ amount, gas }: SinglePath) => amount + gasPrice * gas
  return paths.sort((one, other) => cost(one) - cost(other))
}

/** Maximum number of paths per search. A larger number prunes less of the search. */
const maxSingles = 2

/** Paths that are this close to the best one are found too, because floats may order them wrongly. */
const nearTie = 1 - 1e-9

/**
 * Gas is a cost in the last currency of a path, but the search compares partial paths in other currencies. So it
 * counts gas as a discount: a share of the result of a good path. If gas takes much of that, the discount only hints at
 * the best path, and paths are searched for without gas and with as little gas as possible too.
 */
function searchWithGas(
  simulation: PoolSimulation,
  finder: PathFinder,
  gasPrice: number,
  sizing: Sizing,
): SinglePath[] {
  const greedy = greedyPath(simulation, finder, sizing)
  const search = (share: number) => searchAtShare(simulation, finder, greedy, share, sizing)
  if (gasPrice === 0) return search(0)
  const guess = greedy ?? search(0)[0]
  if (guess === undefined) return []
  const share = gasPrice / guess.amount
  const priced = search(Math.min(share, maxShare))
  return share * guess.gas < smallGas ? priced : [...search(0), ...priced, ...search(maxShare)]
}

/** Up to this share of the result, the gas of a path is as good as its discount. */
const smallGas = 0.3
/** A discount that prefers any path to one with more hops. */
const maxShare = 20 / minStepGas

function greedyPath(
  simulation: PoolSimulation,
  finder: PathFinder,
  sizing: Sizing,
): SinglePath | undefined {
  const greedy = finder.findGreedyPath(sizing.scoring)
  return greedy && toSingle(simulation, sizing, greedy)
}

/**
 * The best paths if each unit of gas takes `share` of the result, the best first.
 * @param greedy a path that the others have to beat.
 */
function searchAtShare(
  simulation: PoolSimulation,
  { findPaths }: PathFinder,
  greedy: SinglePath | undefined,
  share: number,
  sizing: Sizing,
): SinglePath[] {
  const { scoreOf } = sizing
  const minValue =
    greedy === undefined
      ? 0
      : scoreOf(greedy.amount) * Math.exp(-share * (greedy.gas - pathGasUnits)) * nearTie
  const found = findPaths({
    ...scoringOf(simulation, share, sizing),
    minValue,
    maxCount: maxSingles,
  })
  return found.map((path) => toSingle(simulation, sizing, path))
}

function scoringOf(
  simulation: PoolSimulation,
  share: number,
  { scoring, paid }: Sizing,
): Omit<PathScoring, 'minValue' | 'maxCount'> {
  if (share === 0) return { ...scoring, ...withoutDiscount }
  const ofHop = hopDiscount(simulation, share)
  return {
    ...scoring,
    maxDiscount: maxDiscountOf(share),
    discount: (edge, before, after) => {
      const crossings = crossingsFor(simulation, edge, paid(before, after))
      return ofHop(edge) * (crossings === 0 ? 1 : Math.exp(-share * tickGasUnits * crossings))
    },
  }
}

/** The discount of the cheapest hop: no other is higher. */
const maxDiscountOf = (share: number): number => Math.exp(-share * minStepGas)

/** The discounts of hops that cross no ticks, by edge. */
function hopDiscount(simulation: PoolSimulation, share: number): (edge: number) => number {
  const max = maxDiscountOf(share)
  let latestGas = minStepGas
  let latest = max
  return (edge) => {
    const gas = edgeGas(simulation, edge)
    if (gas === minStepGas) return max
    if (gas !== latestGas) {
      latestGas = gas
      latest = Math.exp(-share * gas)
    }
    return latest
  }
}

/** The path with its amount and its gas. */
function toSingle(
  simulation: PoolSimulation,
  { scoring, amountOf, paid, searched }: Sizing,
  { edges, score }: FoundPath,
): SinglePath {
  let gas = pathGasUnits
  let before = scoring.startScore
  for (const edge of searched(edges)) {
    const after = scoring.nextScore(edge, before)
    gas +=
      edgeGas(simulation, edge) + tickGasUnits * crossingsFor(simulation, edge, paid(before, after))
    before = after
  }
  return { edges, amount: amountOf(score), gas }
}

/**
 * Amounts below this are swapped with the exact integer formulas, because rounding can decide which of two paths is
 * better. Above it, one unit is less than a millionth.
 */
const exactBelow = 2 ** 20

/** The output for all of `amountIn` in whole units, with the pool in the state of the graph; 0 if none. */
function wholeOutputFor(simulation: PoolSimulation, edge: number, amountIn: number): number {
  const amountOut = outputForAll(simulation, edge, amountIn)
  const isExhausted = amountOut === 0 && amountIn >= exactBelow
  if (isExhausted || Math.min(amountIn, amountOut) >= exactBelow) return Math.floor(amountOut)
  const pool = simulation.graph.pools[poolOfEdge(edge)]
  const swap = pool && swapExactInput(pool, isZeroForOne(edge), toAmount(BigInt(amountIn)))
  return Number(swap?.amountOut ?? 0n)
}

/** The input needed for `amountOut` in whole units; Infinity if the pool cannot pay that much. */
function wholeInputFor(simulation: PoolSimulation, edge: number, amountOut: number): number {
  const amountIn = inputFor(simulation, edge, amountOut)
  if (amountIn === Number.POSITIVE_INFINITY || Math.min(amountIn, amountOut) >= exactBelow)
    return Math.ceil(amountIn)
  return Number(minInput(simulation, edge, toAmount(BigInt(amountOut))) ?? Number.POSITIVE_INFINITY)
}

/** The smallest input that gives `amountOut`. It can be one unit more than the exact-output formula asks for. */
function minInput(simulation: PoolSimulation, edge: number, amountOut: Amount): bigint | undefined {
  const pool = simulation.graph.pools[poolOfEdge(edge)]
  const quoted = pool && swapExactOutput(pool, isZeroForOne(edge), amountOut)?.amountIn
  if (pool === undefined || quoted === undefined) return undefined
  for (let amountIn: bigint = quoted; amountIn <= quoted + 2n; amountIn++) {
    const swap = swapExactInput(pool, isZeroForOne(edge), toAmount(amountIn))
    if (swap !== undefined && swap.amountOut >= amountOut) return amountIn
  }
  return undefined
}
