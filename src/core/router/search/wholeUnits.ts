import { swapExactInput, swapExactOutput } from '#src/core/pools/swap.ts'
import {
  inputFor,
  outputForAll,
  type PoolSimulation,
} from '#src/core/router/pools/poolSimulation.ts'
import { isZeroForOne, poolOfEdge } from '#src/core/router/pools/topology.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'

/**
 * Amounts below this are swapped with the exact integer formulas, because rounding can decide which of two paths is
 * better. Above it, one unit is less than a millionth.
 */
const exactBelow = 2 ** 20

/** The output for all of `amountIn` in whole units, with the pool in the state of the graph; 0 if none. */
export function wholeOutputFor(simulation: PoolSimulation, edge: number, amountIn: number): number {
  const amountOut = outputForAll(simulation, edge, amountIn)
  const isExhausted = amountOut === 0 && amountIn >= exactBelow
  if (isExhausted || Math.min(amountIn, amountOut) >= exactBelow) return Math.floor(amountOut)
  const pool = simulation.graph.pools[poolOfEdge(edge)]
  const swap = pool && swapExactInput(pool, isZeroForOne(edge), toAmount(BigInt(amountIn)))
  return Number(swap?.amountOut ?? 0n)
}

/** The input needed for `amountOut` in whole units; Infinity if the pool cannot pay that much. */
export function wholeInputFor(simulation: PoolSimulation, edge: number, amountOut: number): number {
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
