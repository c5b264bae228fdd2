import { rangesCrossed, type Trial } from '#src/pricing/router/pools/poolSimulation.ts'
import { poolOfEdge } from '#src/pricing/router/pools/topology.ts'
import { hopGas, pathGas, tickGas } from '#src/pricing/router/routeGas.ts'
import type { Flow } from '#src/pricing/router/split/flow.ts'
import type { EdgePath } from './searchPaths.ts'

/** What paths are sought for. */
export type Task = Readonly<{
  /** Currencies by number. */
  input: number
  output: number
  maxHops: number
  maxPaths: number
  /** Raw units of the output that one unit of gas is worth. */
  gasPrice: number
}>

export const pathGasUnits = Number(pathGas)
export const tickGasUnits = Number(tickGas)
const constantProductGas = Number(hopGas.constantProduct)
const concentratedGas = Number(hopGas.concentrated)

/** Gas of one hop, without the ticks that it may cross. */
export const edgeGas = ({ graph }: Trial, edge: number): number =>
  graph.shapes[poolOfEdge(edge)]?.ranges === undefined ? constantProductGas : concentratedGas

/** Gas of a path by itself, without the ticks that it may cross. */
export const edgePathGas = (trial: Trial, path: EdgePath): number =>
  path.reduce((gas, edge) => gas + edgeGas(trial, edge), pathGasUnits)

/** Gas of a flow that has just been run. */
export function flowGas(trial: Trial, { paths }: Flow): number {
  const crossed = [...new Set(paths.flat())].reduce(
    (sum, edge) => sum + rangesCrossed(trial, edge),
    0,
  )
  return paths.reduce((gas, path) => gas + edgePathGas(trial, path), crossed * tickGasUnits)
}
