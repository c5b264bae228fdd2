import { crossingsFor, type Trial } from '#src/pricing/router/pools/poolSimulation.ts'
import { edgeGas, pathGasUnits, tickGasUnits } from './routeTask.ts'
import { type EdgePath, type PathFinder, type Scoring, withoutGas } from './searchPaths.ts'
import { wholeInputFor, wholeOutputFor } from './wholeUnits.ts'

/** A path for the whole of a given amount, the amount on its other side, and its gas. */
export type SinglePath = Readonly<{ edges: EdgePath; amount: number; gas: number }>

/** How paths are searched for that take all of an amount. Scores are amounts, or what one unit of an amount is worth. */
type Sizing = Readonly<{
  scoring: Pick<Scoring, 'atStart' | 'carry'>
  amountOf: (score: number) => number
  /** What an edge is paid, of the scores before and behind it. */
  paid: (before: number, behind: number) => number
}>

/**
 * Paths that can swap all of `amountIn`, the best after gas first.
 * @param finder forwards, of pools as they stand in the graph.
 * @param gasPrice in raw units of the output.
 */
export function pathsForInput(
  trial: Trial,
  finder: PathFinder,
  amountIn: number,
  gasPrice: number,
): SinglePath[] {
  const paths = searchWithGas(trial, finder, gasPrice, {
    scoring: {
      atStart: amountIn,
      carry: (edge, amount) => wholeOutputFor(trial, edge, amount),
    },
    amountOf: (score) => score,
    paid: (before) => before,
  })
  const net = ({ amount, gas }: SinglePath) => amount - gasPrice * gas
  return paths.sort((one, other) => net(other) - net(one))
}

/**
 * Paths that can give all of `amountOut`, the cheapest with gas first.
 * @param finder backwards, of pools as they stand in the graph.
 * @param gasPrice in raw units of the input.
 */
export function pathsForOutput(
  trial: Trial,
  finder: PathFinder,
  amountOut: number,
  gasPrice: number,
): SinglePath[] {
  const amountOf = (score: number) => Math.round(1 / score)
  const paths = searchWithGas(trial, finder, gasPrice, {
    scoring: {
      atStart: 1 / amountOut,
      carry: (edge, score) => 1 / wholeInputFor(trial, edge, amountOf(score)),
    },
    amountOf,
    paid: (_, behind) => amountOf(behind),
  })
  const cost = ({ amount, gas }: SinglePath) => amount + gasPrice * gas
  return paths.sort((one, other) => cost(one) - cost(other))
}

/** The more are wanted, the fewer ways can be dismissed early. */
const mostSingles = 4

/**
 * Gas is a cost in the currency at the end, but paths are compared along their way. There it counts as a
 * share of what the best path without gas comes to.
 */
function searchWithGas(
  trial: Trial,
  { look, findPaths }: PathFinder,
  gasPrice: number,
  { scoring, amountOf, paid }: Sizing,
): SinglePath[] {
  const toSingle = ({ edges, score, gas }: ReturnType<PathFinder['findPaths']>[number]) => ({
    edges,
    amount: amountOf(score),
    gas: pathGasUnits + gas,
  })
  const gas = (edge: number, before: number, behind: number) =>
    edgeGas(trial, edge) + tickGasUnits * crossingsFor(trial, edge, paid(before, behind))
  const limits = { least: 0, most: mostSingles }
  look()
  if (gasPrice === 0) return findPaths({ ...scoring, ...limits, ...withoutGas }).map(toSingle)
  const plain = findPaths({ ...scoring, ...limits, gas, worth: withoutGas.worth }).map(toSingle)
  const best = plain[0]
  if (best === undefined) return []
  const share = gasPrice / best.amount
  const priced = [share, 1000 * share].flatMap((share) =>
    findPaths({
      ...scoring,
      ...limits,
      gas,
      worth: (score, used) => Math.log(score) - share * used,
    }),
  )
  return [...plain, ...priced.map(toSingle)]
}
