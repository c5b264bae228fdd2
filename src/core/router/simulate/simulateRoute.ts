import { kindOf, type Pool, swapExactInput, swapExactOutput } from '#src/core/pools/pool.ts'
import { givenAmount, type SwapMode } from '#src/core/pools/poolKind.ts'
import { isZeroForOne, type PoolGraph, poolOfEdge } from '#src/core/router/graph.ts'
import { rememberByDirection } from '#src/core/router/pools/edgeCapacity.ts'
import type { Hop, Path } from '#src/core/router/route.ts'
import type { EdgePath } from '#src/core/router/search/searchPaths.ts'
import type { Plan } from '#src/core/router/split/planRoute.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'

/**
 * Simulates a plan for `amount`, to the unit. An amount that does not fit a path moves to the next path, and what does
 * not fit the last path moves to another one, the largest first. `undefined` if no path can take that rest.
 * @param planned the amount that the shares divide, at most `amount`. The last path also takes the difference. So for
 * all amounts that share one plan, more input never gives less output.
 */
export function simulateRoute(
  graph: PoolGraph,
  mode: SwapMode,
  plan: Plan,
  amount: bigint,
  planned: bigint,
): Path[] | undefined {
  const given = givenAmount[mode]
  const paths: Path[] = []
  const parts = partsOf(plan, planned)
  const states = new Map<number, Pool>()
  let rest = amount
  const swap = (simulate: typeof simulatePath, edges: EdgePath, due: bigint): bigint => {
    const simulated = simulate(mode, graph, states, edges, due)
    if (simulated === undefined) return due
    paths.push(simulated.path)
    for (const [number, pool] of simulated.changed) states.set(number, pool)
    rest -= simulated.path[given]
    return due - simulated.path[given]
  }
  let due = 0n
  for (const [i, { edges, part }] of parts.entries()) {
    due = i === parts.length - 1 ? rest : due + part
    if (due > 0n) due = swap(parts.length === 1 ? simulatePath : simulateMax, edges, due)
  }
  const largestFirst = parts.slice(0, -1).sort((one, other) => Number(other.part - one.part))
  for (const { edges } of largestFirst) if (rest > 0n) swap(simulatePath, edges, rest)
  return rest === 0n ? paths : undefined
}

type Part = Readonly<{ edges: EdgePath; part: bigint }>

/** Shares are rounded to 1/2^53; parts are rounded down to the unit, and together are at most `planned`. */
function partsOf({ paths, shares }: Plan, planned: bigint): Part[] {
  const whole = shares.reduce((sum, share) => sum + share, 0)
  let rest = planned
  return paths.map((edges, path) => {
    const share = BigInt(Math.round(((shares[path] as number) / whole) * 2 ** 53))
    const part = (planned * share) >> 53n
    const fitting = part < rest ? part : rest
    rest -= fitting
    return { edges, part: fitting }
  })
}

/** Pools that earlier paths of the route have changed, by number. All other pools are as in the graph. */
export type PoolStates = ReadonlyMap<number, Pool>

/** `changed` has the pools of the path alone, in their state after it. */
export type SimulatedPath = Readonly<{ path: Path; changed: PoolStates }>

/**
 * Swaps exactly `amount` along a path, to the unit. `undefined` if a pool cannot take or give that much, or if the
 * route would swap twice in a pool whose fee moves.
 */
export const simulatePath = (
  mode: SwapMode,
  graph: PoolGraph,
  states: PoolStates,
  edges: EdgePath,
  amount: bigint,
): SimulatedPath | undefined =>
  mode === 'exactInput'
    ? simulateInput(graph, states, edges, toAmount(amount))
    : simulateOutput(graph, states, edges, toAmount(amount), beyondAmounts)

function simulateInput(
  graph: PoolGraph,
  states: PoolStates,
  edges: EdgePath,
  amountIn: Amount,
): SimulatedPath | undefined {
  const changed = new Map<number, Pool>()
  const hops: Hop[] = []
  let amount = amountIn
  for (const edge of edges) {
    const number = poolOfEdge(edge)
    if (isSpent(graph, number, changed, states)) return undefined
    const pool = changed.get(number) ?? poolAt(graph, states, edge)
    const zeroForOne = isZeroForOne(edge)
    const swap = swapExactInput(pool, zeroForOne, amount)
    if (swap === undefined) return undefined
    const { amountOut, ticksCrossed } = swap
    hops.push({ pool, zeroForOne, amountIn: amount, amountOut, ticksCrossed })
    changed.set(number, swap.next)
    amount = amountOut
  }
  return { path: { amountIn, amountOut: amount, hops }, changed }
}

/**
 * Swaps the smallest input that gives `amountOut`. All hops but the last are exact-input swaps; the last is an
 * exact-output swap. The estimate from exact-output swaps of every hop rounds up hop by hop, so the smallest input can
 * be a few units more or less. This function searches for it from the estimate.
 * @param maxInput upper bound on the inputs that can be simulated.
 */
function simulateOutput(
  graph: PoolGraph,
  states: PoolStates,
  edges: EdgePath,
  amountOut: Amount,
  maxInput: bigint,
): SimulatedPath | undefined {
  const estimate = inputNeeded(graph, states, edges, amountOut)
  if (estimate === undefined) return undefined
  const tryInput = (amountIn: bigint): SimulatedPath | undefined =>
    simulateWithInput(graph, states, edges, toAmount(amountIn), amountOut)
  let tooLittle = 0n
  let enough: bigint = estimate
  let simulated = tryInput(enough)
  for (let step = 1n; simulated === undefined; step *= 2n) {
    if (step > estimate || enough > maxInput) return undefined
    tooLittle = enough
    enough += step
    simulated = tryInput(enough)
  }
  for (let step = 1n; enough - tooLittle > 1n; step *= 2n) {
    const middle = (enough + tooLittle) / 2n
    const amountIn = enough - step > middle ? enough - step : middle
    const cheaper = tryInput(amountIn)
    if (cheaper === undefined) tooLittle = amountIn
    else [enough, simulated] = [amountIn, cheaper]
  }
  return simulated
}

/** `undefined` if `amountIn` is not enough for `amountOut`, or more than a pool can take. */
function simulateWithInput(
  graph: PoolGraph,
  states: PoolStates,
  edges: EdgePath,
  amountIn: Amount,
  amountOut: Amount,
): SimulatedPath | undefined {
  const simulated = simulateInput(graph, states, edges.slice(0, -1), amountIn)
  const edge = edges.at(-1)
  if (simulated === undefined || edge === undefined) return undefined
  const { changed } = simulated
  if (isSpent(graph, poolOfEdge(edge), changed, states)) return undefined
  const pool = changed.get(poolOfEdge(edge)) ?? poolAt(graph, states, edge)
  const zeroForOne = isZeroForOne(edge)
  const swap = swapExactOutput(pool, zeroForOne, amountOut)
  if (swap === undefined || swap.amountIn > simulated.path.amountOut) return undefined
  const { ticksCrossed } = swap
  const given = simulated.path.amountOut
  const { giveAll } = kindOf(pool)
  const next = giveAll === undefined ? swap.next : giveAll(pool, zeroForOne, given, amountOut)
  if (next === undefined) return undefined
  const used = giveAll === undefined ? swap.amountIn : given
  const last: Hop = { pool, zeroForOne, amountIn: used, amountOut, ticksCrossed }
  return {
    path: { amountIn, amountOut, hops: [...simulated.path.hops, last] },
    changed: new Map(changed).set(poolOfEdge(edge), next),
  }
}

/** Whether the route has already swapped in this pool, and its fee moves. */
const isSpent = (
  { topology: { movingFees } }: PoolGraph,
  pool: number,
  ...changes: readonly PoolStates[]
): boolean => movingFees?.[pool] === 1 && changes.some((states) => states.has(pool))

/** An input of the path that gives `amountOut`: nearly always the smallest one. */
function inputNeeded(
  graph: PoolGraph,
  states: PoolStates,
  edges: EdgePath,
  amountOut: Amount,
): Amount | undefined {
  let amount = amountOut
  for (let hop = edges.length - 1; hop >= 0; hop--) {
    const edge = edges[hop] as number
    const [pool, zeroForOne] = [poolAt(graph, states, edge), isZeroForOne(edge)]
    const swap = swapExactOutput(pool, zeroForOne, amount)
    if (swap === undefined) return undefined
    const isLast = hop === edges.length - 1
    amount = isLast ? swap.amountIn : minInputNear(pool, zeroForOne, amount, swap.amountIn)
  }
  return amount
}

const maxUnits = 3

/**
 * The smallest input within a few units of the estimate that buys `amountOut`. A wider search would take long: one unit
 * of a currency with few decimals can cost very many units of the input.
 */
function minInputNear(
  pool: Pool,
  zeroForOne: boolean,
  amountOut: bigint,
  estimate: Amount,
): Amount {
  const isEnough = (input: bigint) =>
    (swapExactInput(pool, zeroForOne, toAmount(input))?.amountOut ?? 0n) >= amountOut
  let min: bigint = estimate
  for (let unit = 0; unit < maxUnits && !isEnough(min); unit++) min += 1n
  for (let unit = 0; unit < maxUnits && min > 1n && isEnough(min - 1n); unit++) min -= 1n
  return toAmount(min)
}

const poolAt = (graph: PoolGraph, states: PoolStates, edge: number): Pool =>
  states.get(poolOfEdge(edge)) ?? (graph.pools[poolOfEdge(edge)] as Pool)

/**
 * Fewer units than this may buy less than one unit of output. Then it is faster to try smaller amounts than to find the
 * largest one.
 */
export const fewUnits = 2n ** 20n

/**
 * Simulates a path with the largest amount up to `maxAmount` that its pools can take or give. If less than `maxAmount`
 * fits, that amount does not depend on `maxAmount`.
 */
export function simulateMax(
  mode: SwapMode,
  graph: PoolGraph,
  states: PoolStates,
  edges: EdgePath,
  maxAmount: bigint,
): SimulatedPath | undefined {
  const given = givenAmount[mode]
  const simulate: Attempt = (amount) => simulatePath(mode, graph, states, edges, amount)
  const whole = simulate(maxAmount)
  if (whole !== undefined) return whole
  if (maxAmount < fewUnits) return largestByBits(simulate, maxAmount)
  const withMaxInput =
    ({ path }: SimulatedPath): Attempt =>
    (amount) =>
      simulateOutput(graph, states, edges, toAmount(amount), path.amountIn)
  // The output of the largest input is the largest output, up to a few units.
  const hops = edges.map((edge) => ({
    pool: poolAt(graph, states, edge),
    zeroForOne: isZeroForOne(edge),
  }))
  const takes: Attempt = (amount) => simulateInput(graph, states, edges, toAmount(amount))
  const input = largestFrom(takes, estimateLargestInput(hops))
  const max = mode === 'exactInput' ? input : input && largestOutputFrom(withMaxInput(input), input)
  if (max === undefined || max.path[given] <= maxAmount) return max
  return largestByBits(simulate, maxAmount)
}

/**
 * If an amount can be simulated, nearly every smaller one can too. Rounding in tiny pools makes exceptions of a few
 * units.
 */
type Attempt = (amount: bigint) => SimulatedPath | undefined

const amountBits = 256
const beyondAmounts = 2n ** BigInt(amountBits)

/** The largest amount that can be simulated. If it is the estimate, two attempts are enough. */
function largestFrom(simulate: Attempt, estimate: bigint): SimulatedPath | undefined {
  const simulated = estimate > 0n ? simulate(estimate) : undefined
  return simulated === undefined || simulate(estimate + 1n) !== undefined
    ? largest(simulate)
    : simulated
}

/** The largest amount that can be simulated. */
function largest(simulate: Attempt): SimulatedPath | undefined {
  let simulated: SimulatedPath | undefined
  let low = 0
  let high = amountBits
  // A search over the number of bits comes first: it tries far fewer amounts that are much too large.
  while (low < high) {
    const middle = (low + high) >> 1
    const attempted = simulate(1n << BigInt(middle))
    if (attempted === undefined) high = middle
    else {
      low = middle + 1
      simulated = attempted
    }
  }
  if (simulated === undefined) return undefined
  const top = 1n << BigInt(low - 1)
  return between(simulate, simulated, top, 2n * top)
}

/** The largest amount up to `maxAmount`, bit by bit. */
function largestByBits(simulate: Attempt, maxAmount: bigint): SimulatedPath | undefined {
  let amount = 0n
  let simulated: SimulatedPath | undefined
  for (let bit = 1n << BigInt(maxAmount.toString(2).length - 1); bit > 0n; bit >>= 1n) {
    const attempted = amount + bit > maxAmount ? undefined : simulate(amount + bit)
    if (attempted === undefined) continue
    amount += bit
    simulated = attempted
  }
  return simulated
}

/** The largest output that can be simulated, searched in growing steps from the output of `simulated`. */
function largestOutputFrom(simulate: Attempt, { path }: SimulatedPath): SimulatedPath | undefined {
  let feasible: bigint = path.amountOut
  let infeasible = beyondAmounts
  let simulated = feasible > 0n ? simulate(feasible) : undefined
  for (let step = 1n; simulated !== undefined && feasible + step < infeasible; step *= 2n) {
    const attempted = simulate(feasible + step)
    if (attempted === undefined) return between(simulate, simulated, feasible, feasible + step)
    feasible += step
    simulated = attempted
  }
  if (simulated !== undefined) return between(simulate, simulated, feasible, infeasible)
  for (let step = 1n; feasible > 0n && simulated === undefined; step *= 2n) {
    infeasible = feasible
    feasible -= step < feasible ? step : feasible
    if (feasible > 0n) simulated = simulate(feasible)
  }
  return simulated && between(simulate, simulated, feasible, infeasible)
}

/** Bisects between an amount that can be simulated, with result `simulated`, and one that cannot. */
function between(
  simulate: Attempt,
  simulated: SimulatedPath,
  feasible: bigint,
  infeasible: bigint,
): SimulatedPath {
  let best = simulated
  let low = feasible
  let high = infeasible
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    const attempted = simulate(middle)
    if (attempted === undefined) high = middle
    else {
      low = middle
      best = attempted
    }
  }
  return best
}

/** A pool that a path goes through, in the state before it. */
type PoolHop = Readonly<{ pool: Pool; zeroForOne: boolean }>

/**
 * The largest input that all pools of a path can take, up to rounding: with tiny pools it may be a few units off. 0 if
 * there seems to be none.
 */
function estimateLargestInput(hops: readonly PoolHop[]): bigint {
  let max: bigint | undefined
  for (const { pool, zeroForOne } of hops.toReversed()) {
    const own = largestInputOf(pool, zeroForOne)
    const tooMuch = max && swapExactOutput(pool, zeroForOne, toAmount(max + 1n))?.amountIn
    max = tooMuch === undefined || tooMuch > own ? own : tooMuch - 1n
    if (max <= 0n) return 0n
  }
  return max ?? 0n
}

/** Cached, because finding one takes about a hundred swaps. */
const knownInput = rememberByDirection<bigint>()

const largestInputOf = (pool: Pool, zeroForOne: boolean): bigint =>
  knownInput(pool, zeroForOne, () => searchInput(pool, zeroForOne))

/**
 * A search bit by bit. A search over the number of bits comes first, because it tries far fewer amounts that are much
 * too large.
 */
function searchInput(pool: Pool, zeroForOne: boolean): bigint {
  const takes = (amount: bigint) => swapExactInput(pool, zeroForOne, toAmount(amount)) !== undefined
  let low = 0
  let high = amountBits
  while (low < high) {
    const middle = (low + high) >> 1
    if (takes(1n << BigInt(middle))) low = middle + 1
    else high = middle
  }
  if (low === 0) return 0n
  let amount = 1n << BigInt(low - 1)
  for (let bit = amount >> 1n; bit > 0n; bit >>= 1n) if (takes(amount + bit)) amount += bit
  return amount
}
