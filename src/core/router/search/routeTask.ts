import { minHopGas } from '#src/core/pools/pool.ts'
import type { PoolSimulation } from '#src/core/router/pools/poolSimulation.ts'
import { poolOfEdge } from '#src/core/router/pools/topology.ts'
import { hopOverhead, pathGas, tickGas } from '#src/core/router/routeGas.ts'
import type { EdgePath } from './searchPaths.ts'

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
