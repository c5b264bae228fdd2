import type { EdgePath, FindPaths, Scoring } from './searchPaths.ts'
import { edgeGas, edgePathGas } from './task.ts'
import { inputFor, outputFor, type Trial } from './trial.ts'

/** A path for the whole of a given amount, and the amount on its other side. */
export type SinglePath = Readonly<{ edges: EdgePath; amount: number }>

/**
 * Paths that can swap all of `amountIn`, the best after gas first.
 * @param findPaths forwards.
 * @param gasPrice in raw units of the output.
 */
export function pathsForInput(
  trial: Trial,
  findPaths: FindPaths,
  amountIn: number,
  gasPrice: number,
): SinglePath[] {
  const paths = findWithGas(trial, findPaths, gasPrice, (score) => score, {
    atStart: amountIn,
    carry: (edge, amount) => Math.floor(outputFor(trial, edge, amount)),
  })
  const net = ({ edges, amount }: SinglePath) => amount - gasPrice * edgePathGas(trial, edges)
  return paths.sort((one, other) => net(other) - net(one))
}

/**
 * Paths that can give all of `amountOut`, the cheapest with gas first.
 * @param findPaths backwards.
 * @param gasPrice in raw units of the input.
 */
export function pathsForOutput(
  trial: Trial,
  findPaths: FindPaths,
  amountOut: number,
  gasPrice: number,
): SinglePath[] {
  const paths = findWithGas(trial, findPaths, gasPrice, (score) => 1 / score, {
    atStart: 1 / amountOut,
    carry: (edge, score) => 1 / Math.ceil(inputFor(trial, edge, 1 / score)),
  })
  const cost = ({ edges, amount }: SinglePath) => amount + gasPrice * edgePathGas(trial, edges)
  return paths.sort((one, other) => cost(one) - cost(other))
}

/**
 * Gas is a cost in the currency at the end, and paths are compared along their way; as a share of what the
 * best path without gas comes to, it counts there, too.
 */
function findWithGas(
  trial: Trial,
  findPaths: FindPaths,
  gasPrice: number,
  amountOf: (score: number) => number,
  scoring: Omit<Scoring, 'discount'>,
): SinglePath[] {
  const toPath = ({ edges, score }: ReturnType<FindPaths>[number]) => ({
    edges,
    amount: amountOf(score),
  })
  const paths = findPaths({ ...scoring, discount: () => 1 }).map(toPath)
  const best = paths[0]
  if (best === undefined || gasPrice === 0) return paths
  const discount = (edge: number) => 1 / (1 + (gasPrice * edgeGas(trial, edge)) / best.amount)
  return [...paths, ...findPaths({ ...scoring, discount }).map(toPath)]
}
