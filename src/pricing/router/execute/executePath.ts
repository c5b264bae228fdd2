import type { Pool } from '#src/pools/pool.ts'
import { swapExactInput, swapExactOutput } from '#src/pools/swap.ts'
import type { PoolGraph } from '#src/pricing/router/graph.ts'
import { isZeroForOne, poolOfEdge } from '#src/pricing/router/pools/topology.ts'
import type { Hop, Path } from '#src/pricing/router/route.ts'
import type { EdgePath } from '#src/pricing/router/search/searchPaths.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'

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
 * Swaps the least input that gives `amountOut`: all hops but the last take in all that they are paid, and the
 * last is asked for just that. Pools asked for an exact output round against the taker hop by hop, and once more
 * when their input is paid in: so that input may lack a unit, or have one to spare.
 */
function executeOutput(
  graph: PoolGraph,
  states: PoolStates,
  edges: EdgePath,
  amountOut: Amount,
): Executed | undefined {
  const estimate = inputNeeded(graph, states, edges, amountOut)
  if (estimate === undefined) return undefined
  const tryInput = (amountIn: bigint): Executed | undefined =>
    executeFor(graph, states, edges, toAmount(amountIn), amountOut)
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
  return executed
}

/** Undefined where `amountIn` does not suffice for `amountOut`. */
function executeFor(
  graph: PoolGraph,
  states: PoolStates,
  edges: EdgePath,
  amountIn: Amount,
  amountOut: Amount,
): Executed | undefined {
  const executed = executeInput(graph, states, edges.slice(0, -1), amountIn)
  const edge = edges.at(-1)
  if (executed === undefined || edge === undefined) return undefined
  const pool = poolAt(graph, executed.states, edge)
  const zeroForOne = isZeroForOne(edge)
  const swap = swapExactOutput(pool, zeroForOne, amountOut)
  if (swap === undefined || swap.amountIn > executed.path.amountOut) return undefined
  const { ticksCrossed } = swap
  const last: Hop = { pool, zeroForOne, amountIn: swap.amountIn, amountOut, ticksCrossed }
  return {
    path: { amountIn, amountOut, hops: [...executed.path.hops, last] },
    states: new Map(executed.states).set(poolOfEdge(edge), swap.next),
  }
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

/**
 * As the side does it with the largest amount, up to `atMost`, with which it can. What that is where less than
 * `atMost` fits does not depend on `atMost`.
 */
export function executeMost(
  side: Side,
  graph: PoolGraph,
  states: PoolStates,
  edges: EdgePath,
  atMost: bigint,
): Executed | undefined {
  const execute: Attempt = (amount) => side.execute(graph, states, edges, toAmount(amount))
  const whole = execute(atMost)
  if (whole !== undefined) return whole
  // What all the input that fits gives is all that can be asked for, give or take a few units.
  const input = largest((amount) => executeInput(graph, states, edges, toAmount(amount)))
  const most = side === sides.exactInput ? input : input && largestNear(execute, input)
  if (most === undefined || most.path[side.given] <= atMost) return most
  return greatestBits(execute, atMost)
}

/** Mostly, where one amount can be executed, so can every smaller one: but for a few units in the smallest pools. */
type Attempt = (amount: bigint) => Executed | undefined

const amountBits = 256
const tooMuch = 2n ** BigInt(amountBits)

/** The largest amount that can be executed. */
function largest(execute: Attempt): Executed | undefined {
  let executed: Executed | undefined
  let least = 0
  let most = amountBits
  // Halving the number of digits first takes far fewer amounts that are far too large.
  while (least < most) {
    const middle = (least + most) >> 1
    const further = execute(1n << BigInt(middle))
    if (further === undefined) most = middle
    else {
      least = middle + 1
      executed = further
    }
  }
  if (executed === undefined) return undefined
  const top = 1n << BigInt(least - 1)
  return between(execute, executed, top, 2n * top)
}

/** Digit by digit, none of which leads beyond `atMost`. */
function greatestBits(execute: Attempt, atMost: bigint): Executed | undefined {
  let most = 0n
  let executed: Executed | undefined
  for (let bit = 1n << BigInt(atMost.toString(2).length - 1); bit > 0n; bit >>= 1n) {
    const further = most + bit > atMost ? undefined : execute(most + bit)
    if (further === undefined) continue
    most += bit
    executed = further
  }
  return executed
}

/** The largest output that can be executed, by steps that grow from what an input gives. */
function largestNear(execute: Attempt, { path }: Executed): Executed | undefined {
  let works: bigint = path.amountOut
  let fails = tooMuch
  let executed = works > 0n ? execute(works) : undefined
  for (let step = 1n; executed !== undefined && works + step < fails; step *= 2n) {
    const further = execute(works + step)
    if (further === undefined) return between(execute, executed, works, works + step)
    works += step
    executed = further
  }
  if (executed !== undefined) return between(execute, executed, works, fails)
  for (let step = 1n; works > 0n && executed === undefined; step *= 2n) {
    fails = works
    works -= step < works ? step : works
    if (works > 0n) executed = execute(works)
  }
  return executed && between(execute, executed, works, fails)
}

/** The largest of what lies between an amount that works, as `executed`, and one that does not. */
function between(execute: Attempt, executed: Executed, works: bigint, fails: bigint): Executed {
  let best = executed
  let low = works
  let high = fails
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    const further = execute(middle)
    if (further === undefined) high = middle
    else {
      low = middle
      best = further
    }
  }
  return best
}
