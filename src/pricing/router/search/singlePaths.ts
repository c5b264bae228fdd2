import { crossingsFor, type PoolSimulation } from '#src/pricing/router/pools/poolSimulation.ts'
import { edgeGas, pathGasUnits, tickGasUnits } from './routeTask.ts'
import { type EdgePath, type PathFinder, type PathScoring, withoutGas } from './searchPaths.ts'
import { wholeInputFor, wholeOutputFor } from './wholeUnits.ts'

/** A path that swaps the whole given amount, with the amount on its other side and its gas. */
export type SinglePath = Readonly<{ edges: EdgePath; amount: number; gas: number }>

/** How to score paths that swap a whole amount. A score is an amount, or the reciprocal of an amount. */
type Sizing = Readonly<{
  scoring: Pick<PathScoring, 'startScore' | 'nextScore'>
  amountOf: (score: number) => number
  /** The input of an edge, from the scores before and after it. */
  paid: (before: number, after: number) => number
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
    paid: (before) => before,
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
    paid: (_, after) => amountOf(after),
  })
  const cost = ({ amount, gas }: SinglePath) => amount + gasPrice * gas
  return paths.sort((one, other) => cost(one) - cost(other))
}

/** A larger number prunes less of the search. */
const maxSingles = 4

/**
 * Gas is a cost in the last currency of a path, but the search compares partial paths in other currencies. So it
 * counts gas as a share of the result of the best path without gas.
 */
function searchWithGas(
  simulation: PoolSimulation,
  { updateBounds, findPaths }: PathFinder,
  gasPrice: number,
  { scoring, amountOf, paid }: Sizing,
): SinglePath[] {
  const toSingle = ({ edges, score, gas }: ReturnType<PathFinder['findPaths']>[number]) => ({
    edges,
    amount: amountOf(score),
    gas: pathGasUnits + gas,
  })
  const gas = (edge: number, before: number, after: number) =>
    edgeGas(simulation, edge) + tickGasUnits * crossingsFor(simulation, edge, paid(before, after))
  const limits = { minScore: 0, maxCount: maxSingles }
  updateBounds()
  if (gasPrice === 0) return findPaths({ ...scoring, ...limits, ...withoutGas }).map(toSingle)
  const plain = findPaths({ ...scoring, ...limits, gas, value: withoutGas.value }).map(toSingle)
  const best = plain[0]
  if (best === undefined) return []
  const share = gasPrice / best.amount
  const priced = [share, 1000 * share].flatMap((share) =>
    findPaths({
      ...scoring,
      ...limits,
      gas,
      value: (score, used) => Math.log(score) - share * used,
    }),
  )
  return [...plain, ...priced.map(toSingle)]
}
