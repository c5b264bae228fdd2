import type { Pool } from '#src/pools/pool.ts'
import type { Address } from '#src/units/address.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { sides } from './execute/executePath.ts'
import { executePlan } from './execute/executePlan.ts'
import { fillPaths } from './execute/fillPaths.ts'
import type { PoolGraph } from './graph.ts'
import { createTrial } from './pools/poolSimulation.ts'
import { rememberedLimit } from './rememberedLimit.ts'
import type { Path, Route } from './route.ts'
import { rememberedPlans } from './routeCache.ts'
import { routeGas } from './routeGas.ts'
import type { Task } from './search/routeTask.ts'
import { planInput, planOutput } from './split/planRoute.ts'

/** What to swap for what, and through which pools. */
export type SwapQuery = Readonly<{
  /** ERC-20 addresses. */
  input: Address
  output: Address
  /** The side on which the amount is given. */
  kind: 'exactInput' | 'exactOutput'
  /** 1 to 6: 4 where absent. */
  maxHops?: number
  /** 1 or more: 32 where absent. */
  maxPaths?: number
  /** Whether a pool may be used: all may where absent. */
  allowsPool?: (pool: Pool) => boolean
}>

export type RouteQuery = SwapQuery &
  Readonly<{
    /** Positive. */
    amount: Amount
    /** Raw units of the other side that one unit of gas is worth; 0 leaves gas out of account. */
    gasPrice: number
  }>

const defaultMaxHops = 4
const defaultMaxPaths = 32

/** Single paths to evaluate to the unit, as floating point may put them in the wrong order, and tries at that. */
const mostSingles = 2
const mostTries = 16

/**
 * The best route after gas, of single paths and of those that spread over several. It depends on the
 * graph and the query alone. Undefined where no pools join the two currencies deeply enough.
 */
export function findRoute(graph: PoolGraph, query: RouteQuery): Route | undefined {
  const task = toTask(graph, query, query.gasPrice)
  if (task === undefined || query.amount === 0n) return undefined
  const side = sides[query.kind]
  const planned = roundDown(query.amount)
  const makePlans = query.kind === 'exactInput' ? planInput : planOutput
  const make = () =>
    makePlans(createTrial(graph, query.allowsPool), task, Number(planned)).slice(0, mostTries)
  const isOfAllPools = query.allowsPool === undefined
  const plans = isOfAllPools ? rememberedPlans(graph, side, task, planned, make) : make()
  const routes: Route[] = []
  for (const plan of plans) {
    if (routes.length > mostSingles) break
    const paths = executePlan(graph, side, plan, query.amount, planned)
    if (paths !== undefined) routes.push(toRoute(query, paths))
  }
  const [first, ...others] = routes
  if (first !== undefined) return others.reduce((best, route) => better(query, best, route), first)
  if (isOfAllPools && (findLimit(graph, query) ?? 0n) < query.amount) return undefined
  const paths = fillPaths(graph, side, task, query.allowsPool, query.amount)
  return given(query, paths) === query.amount ? toRoute(query, paths) : undefined
}

/** The largest amount that a route can be found for; undefined where no path joins the two currencies. */
export function findLimit(graph: PoolGraph, query: SwapQuery): Amount | undefined {
  const task = toTask(graph, query, 0)
  if (task === undefined) return undefined
  const side = sides[query.kind]
  const make = () => {
    const paths = fillPaths(graph, side, task, query.allowsPool, largestAmount)
    return paths.length === 0 ? undefined : given(query, paths)
  }
  return query.allowsPool === undefined ? rememberedLimit(graph, side, task, make) : make()
}

const largestAmount = 2n ** 256n - 1n

function toTask(graph: PoolGraph, query: SwapQuery, gasPrice: number): Task | undefined {
  const { currencyNumbers } = graph.topology
  const input = currencyNumbers.get(query.input)
  const output = currencyNumbers.get(query.output)
  if (input === undefined || output === undefined || input === output) return undefined
  const { maxHops = defaultMaxHops, maxPaths = defaultMaxPaths } = query
  return { input, output, maxHops, maxPaths, gasPrice }
}

const plannedBits = 12

/**
 * Routes are planned for amounts of a few significant bits, as they would hardly differ for those
 * between: amounts that are close then go the same way, by one plan.
 */
function roundDown(amount: bigint): bigint {
  const dropped = BigInt(Math.max(0, amount.toString(2).length - plannedBits))
  return (amount >> dropped) << dropped
}

const given = (query: SwapQuery, paths: readonly Path[]): Amount =>
  sumOf(paths, sides[query.kind].given)

const sumOf = (paths: readonly Path[], amount: 'amountIn' | 'amountOut'): Amount =>
  toAmount(paths.reduce((sum, path) => sum + path[amount], 0n))

const toRoute = ({ input, output }: SwapQuery, paths: readonly Path[]): Route => ({
  input,
  output,
  amountIn: sumOf(paths, 'amountIn'),
  amountOut: sumOf(paths, 'amountOut'),
  paths,
})

/** The one that leaves more after gas; the first if they are equal. */
const better = (query: RouteQuery, one: Route, other: Route): Route =>
  netGain(query, other) > netGain(query, one) ? other : one

function netGain({ kind, gasPrice }: RouteQuery, route: Route): bigint {
  const gas = BigInt(Math.round(Number(routeGas(route)) * gasPrice))
  return (kind === 'exactInput' ? route.amountOut : -route.amountIn) - gas
}
