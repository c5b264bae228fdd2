import type { Pool } from '#src/pools/pool.ts'
import { swapExactInput, swapExactOutput } from '#src/pools/swap.ts'
import type { PoolGraph } from '#src/pricing/graph.ts'
import type { Hop, Path } from '#src/pricing/route.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import type { EdgePath } from './searchPaths.ts'
import { isZeroForOne, poolOfEdge } from './topology.ts'

/** Pools by number as the paths so far leave them; the others stand as in the graph. */
export type PoolStates = ReadonlyMap<number, Pool>

export type Executed = Readonly<{ path: Path; states: PoolStates }>

/** The side on which an amount is given, and how to swap it along a path. */
export type Side = Readonly<{
  given: 'amountIn' | 'amountOut'
  /** Undefined where a pool cannot take or give that much. */
  execute: (
    graph: PoolGraph,
    states: PoolStates,
    edges: EdgePath,
    amount: Amount,
  ) => Executed | undefined
}>

/** Swaps all of `amountIn`, to the unit. */
function executeInput(
  graph: PoolGraph,
  states: PoolStates,
  edges: EdgePath,
  amountIn: Amount,
): Executed | undefined {
  const next = new Map(states)
  const hops: Hop[] = []
  let amount = amountIn
  for (const edge of edges) {
    const pool = poolAt(graph, next, edge)
    const zeroForOne = isZeroForOne(edge)
    const swap = swapExactInput(pool, zeroForOne, amount)
    if (swap === undefined) return undefined
    const { amountOut, ticksCrossed } = swap
    hops.push({ pool, zeroForOne, amountIn: amount, amountOut, ticksCrossed })
    next.set(poolOfEdge(edge), swap.next)
    amount = amountOut
  }
  return { path: { amountIn, amountOut: amount, hops }, states: next }
}

/**
 * Swaps the least input that gives `amountOut`. Pools asked for an exact output round against the taker hop by
 * hop, and once more when their input is paid in: so that input may lack a unit, or have one to spare.
 */
function executeOutput(
  graph: PoolGraph,
  states: PoolStates,
  edges: EdgePath,
  amountOut: Amount,
): Executed | undefined {
  const estimate = inputNeeded(graph, states, edges, amountOut)
  if (estimate === undefined) return undefined
  const tryInput = (amountIn: bigint): Executed | undefined => {
    const executed = executeInput(graph, states, edges, toAmount(amountIn))
    return executed && executed.path.amountOut >= amountOut ? executed : undefined
  }
  let lacking = 0n
  let enough: bigint = estimate
  let executed = tryInput(enough)
  for (let step = 1n; executed === undefined; step *= 2n) {
    if (step > estimate) return undefined
    lacking = enough
    enough += step
    executed = tryInput(enough)
  }
  for (let step = 1n; enough - lacking > 1n; step *= 2n) {
    const middle = (enough + lacking) / 2n
    const amountIn = enough - step > middle ? enough - step : middle
    const cheaper = tryInput(amountIn)
    if (cheaper === undefined) lacking = amountIn
    else [enough, executed] = [amountIn, cheaper]
  }
  return { ...executed, path: { ...executed.path, amountOut } }
}

function inputNeeded(
  graph: PoolGraph,
  states: PoolStates,
  edges: EdgePath,
  amountOut: Amount,
): Amount | undefined {
  let amount = amountOut
  for (const edge of edges.toReversed()) {
    const swap = swapExactOutput(poolAt(graph, states, edge), isZeroForOne(edge), amount)
    if (swap === undefined) return undefined
    amount = swap.amountIn
  }
  return amount
}

const poolAt = (graph: PoolGraph, states: PoolStates, edge: number): Pool =>
  states.get(poolOfEdge(edge)) ?? (graph.pools[poolOfEdge(edge)] as Pool)

export const sides = {
  exactInput: { given: 'amountIn', execute: executeInput },
  exactOutput: { given: 'amountOut', execute: executeOutput },
} as const satisfies Record<string, Side>

/** As the side does it with the largest amount, up to `atMost`, with which it can. */
export function executeMost(
  { execute }: Side,
  graph: PoolGraph,
  states: PoolStates,
  edges: EdgePath,
  atMost: bigint,
): Executed | undefined {
  let most = 0n
  let executed: Executed | undefined
  for (let bit = highestBit(atMost); bit > 0n; bit >>= 1n) {
    if (most + bit > atMost) continue
    const further = execute(graph, states, edges, toAmount(most + bit))
    if (further === undefined) continue
    most += bit
    executed = further
  }
  return executed
}

const highestBit = (value: bigint): bigint => 1n << BigInt(value.toString(2).length - 1)
