import { swapExactInput, swapExactOutput } from '#src/pools/swap.ts'
import { inputFor, outputForAll, type Trial } from '#src/pricing/router/pools/poolSimulation.ts'
import { isZeroForOne, poolOfEdge } from '#src/pricing/router/pools/topology.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'

/**
 * Amounts below this are swapped as the pools do it: how they round can make more of a difference between two
 * paths than anything else. Above it, a unit is less than a millionth.
 */
const dust = 2 ** 20

/** What all of `amountIn` buys in an edge as it stands in the graph, in whole units; 0 for nothing. */
export function wholeOutputFor(trial: Trial, edge: number, amountIn: number): number {
  const amountOut = outputForAll(trial, edge, amountIn)
  if (Math.min(amountIn, amountOut) >= dust) return Math.floor(amountOut)
  const pool = trial.graph.pools[poolOfEdge(edge)]
  const swap = pool && swapExactInput(pool, isZeroForOne(edge), toAmount(BigInt(amountIn)))
  return Number(swap?.amountOut ?? 0n)
}

/** What has to be paid for `amountOut`, in whole units; Infinity where there is not that much to buy. */
export function wholeInputFor(trial: Trial, edge: number, amountOut: number): number {
  const amountIn = inputFor(trial, edge, amountOut)
  if (amountIn === Number.POSITIVE_INFINITY || Math.min(amountIn, amountOut) >= dust)
    return Math.ceil(amountIn)
  return Number(leastInput(trial, edge, toAmount(BigInt(amountOut))) ?? Number.POSITIVE_INFINITY)
}

/** The input that gives `amountOut` when it is paid in, which can be a unit more than what is asked for that. */
function leastInput(trial: Trial, edge: number, amountOut: Amount): bigint | undefined {
  const pool = trial.graph.pools[poolOfEdge(edge)]
  const asked = pool && swapExactOutput(pool, isZeroForOne(edge), amountOut)?.amountIn
  if (pool === undefined || asked === undefined) return undefined
  for (let amountIn: bigint = asked; amountIn <= asked + 2n; amountIn++) {
    const swap = swapExactInput(pool, isZeroForOne(edge), toAmount(amountIn))
    if (swap !== undefined && swap.amountOut >= amountOut) return amountIn
  }
  return undefined
}
