import type { Pool } from '#src/pools/pool.ts'
import { givenAmount, type SwapMode } from '#src/pools/swapMode.ts'
import type { Address } from '#src/units/address.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { fewUnits } from './execute/executePath.ts'
import { executePlan } from './execute/executePlan.ts'
import { fillPaths, maxFilledPaths, widestPathOutput } from './execute/fillPaths.ts'
import { type PoolGraph, withSteadyFees } from './graph.ts'
import { simulate } from './pools/poolSimulation.ts'
import type { Path, Route } from './route.ts'
import { cachedLimit, cachedPlans, cachedReach } from './routeCache.ts'
import { comparedGas } from './routeGas.ts'
import type { RateTable } from './search/rateTables.ts'
import type { RouteTask } from './search/routeTask.ts'
import { widestOutput } from './search/widestOutputs.ts'
import { type Plan, planInput, planOutput } from './split/planRoute.ts'

/** Currencies of a swap and limits to its routes. */
export type SwapQuery = Readonly<{
  /** ERC-20 addresses. */
  input: Address
  output: Address
  mode: SwapMode
  /** Hops per path, 1 to 6; default 4, and up to 6 for an amount that moves the price. */
  maxHops?: number
  /** 1 or more; default 32. */
  maxPaths?: number
  /** Whether a pool may be used; default all. */
  allowsPool?: (pool: Pool) => boolean
  /** Whether an exact output may be bought in pools whose fee moves; default no. */
  allowsMovingFees?: boolean
}>

export type RouteQuery = SwapQuery &
  Readonly<{
    /** Positive. */
    amount: Amount
    /**
     * An amount close to it whose plan to take, divided in the same proportions. Default `amount`: the plan made for it.
     */
    plannedFor?: Amount
    /** Price of one unit of gas in raw units of the other currency; 0 ignores gas. */
    gasPrice: number
  }>

export const defaultMaxHops = 4
const defaultFurtherHops = 6
const defaultMaxPaths = 32

/** How many single paths are executed exactly, because floats may order them wrongly; and how many plans are tried. */
const maxSingles = 2
const maxAttempts = 16
/** Plans that differ by a larger share of their result, or by more than two units, are in the right order. */
const nearTie = 1e-6
/**
 * A route that falls short of its plan by a larger share shows nothing of the other plans. So it is with amounts of a few
 * units, which cannot be divided as planned.
 */
const maxShortfall = 1e-2

/**
 * The best route after gas among single paths and split routes. It depends on the graph and the query alone.
 * `undefined` if no pools connect the two currencies with enough liquidity.
 */
export function findRoute(all: PoolGraph, query: RouteQuery): Route | undefined {
  const graph = usableIn(all, query)
  const task = toRouteTask(graph, query, query.gasPrice)
  if (task === undefined || query.amount === 0n) return undefined
  const { mode } = query
  const planned = roundDown(query.plannedFor ?? query.amount)
  const plannedTask = { ...task, gasPrice: roundGasPrice(task.gasPrice) }
  const makePlans = mode === 'exactInput' ? planInput : planOutput
  const make = () =>
    simulate(graph, query.allowsPool, (simulation) =>
      makePlans(simulation, plannedTask, Number(planned)).slice(0, maxAttempts),
    )
  const isOfAllPools = query.allowsPool === undefined
  const plans = isOfAllPools ? cachedPlans(graph, mode, plannedTask, planned, make) : make()
  const routes: Route[] = []
  const divided = roundDown(query.amount)
  const scale = Number(divided) / Number(planned)
  const net = ({ amount, gas }: Plan) =>
    (mode === 'exactInput' ? amount : -amount) * scale - query.gasPrice * gas
  const bestNet = Math.max(...plans.map(net))
  /** What a plan must promise to be executed. */
  let bar = Number.NEGATIVE_INFINITY
  for (const plan of plans) {
    if (routes.length > maxSingles) break
    if (net(plan) < bar - nearTie * Math.abs(bestNet) - 2) continue
    const paths = executePlan(graph, mode, plan, query.amount, divided)
    if (paths === undefined) continue
    const route = toRoute(query, paths)
    routes.push(route)
    const reached = Number(netGain(query, route))
    const isShort = reached < bestNet - maxShortfall * Math.abs(bestNet) - 2
    bar = Math.max(bar, isShort ? reached : bestNet)
  }
  const [first, ...others] = routes
  if (first !== undefined) return others.reduce((best, route) => better(query, best, route), first)
  if (isBeyondLimit(graph, query)) return undefined
  const paths = fillPaths(graph, mode, task, query.allowsPool, query.amount)
  return given(query, paths) === query.amount ? toRoute(query, paths) : undefined
}

/** Whether no route gives or takes as much as the query asks for. Not sure for a few units: then it says no. */
function isBeyondLimit(graph: PoolGraph, query: RouteQuery): boolean {
  if (query.amount < fewUnits) return false
  if (query.mode === 'exactOutput') {
    const least = Number(query.amount) / (maxFilledPaths * (1 + nearTie))
    if (least > maxReach(graph, query) || least > findReach(graph, query)) return true
  }
  // The limit of some pools is not kept: it takes no longer to try the amount.
  return query.allowsPool === undefined && (findLimit(graph, query) ?? 0n) < query.amount
}

/** The largest amount that has a route; `undefined` if no path connects the two currencies. */
export function findLimit(all: PoolGraph, query: SwapQuery): Amount | undefined {
  const graph = usableIn(all, query)
  const task = toRouteTask(graph, query, 0)
  if (task === undefined) return undefined
  const { mode } = query
  const make = () => {
    const paths = fillPaths(graph, mode, task, query.allowsPool, largestAmount)
    return paths.length === 0 ? undefined : given(query, paths)
  }
  return query.allowsPool === undefined ? cachedLimit(graph, mode, task, make) : make()
}

/** About the largest output that a single path gives; 0 if no path connects the two currencies. */
export function findReach(all: PoolGraph, query: SwapQuery): number {
  const graph = usableIn(all, query)
  const task = toRouteTask(graph, query, 0)
  if (task === undefined) return 0
  const make = () => widestPathOutput(graph, task, query.allowsPool)
  return query.allowsPool === undefined ? cachedReach(graph, task, make) : make()
}

/** Upper bound on the reach. It takes a fraction of the time. */
export function maxReach(all: PoolGraph, query: SwapQuery): number {
  const graph = usableIn(all, query)
  const task = toRouteTask(graph, query, 0)
  return task === undefined ? 0 : widestOutput(graph, task) * (1 + nearTie)
}

/** By default, what an exact output costs does not depend on a fee that moves. */
const usableIn = (graph: PoolGraph, { mode, allowsMovingFees = false }: SwapQuery): PoolGraph =>
  mode === 'exactOutput' && !allowsMovingFees ? withSteadyFees(graph) : graph

/**
 * The best marginal rates between two currencies, which no route exceeds, by the hops of its longest path less one; 0 if
 * no path connects them.
 * @param table the rates from or to `one`.
 */
export function maxRates(
  graph: PoolGraph,
  table: (graph: PoolGraph, currency: number, maxHops: number) => RateTable,
  one: Address,
  other: Address,
  { maxHops = defaultMaxHops }: Pick<SwapQuery, 'maxHops'>,
): readonly number[] {
  if (one === other) return [1]
  const { currencyNumbers } = graph.topology
  const [first, second] = [currencyNumbers.get(one), currencyNumbers.get(other)]
  const rows = first === undefined ? [] : table(graph, first, maxHops)
  return Array.from({ length: maxHops }, (_, at) =>
    second === undefined ? 0 : (rows[at + 1]?.[second] ?? 0),
  )
}

const largestAmount = 2n ** 256n - 1n

function toRouteTask(graph: PoolGraph, query: SwapQuery, gasPrice: number): RouteTask | undefined {
  const { currencyNumbers } = graph.topology
  const input = currencyNumbers.get(query.input)
  const output = currencyNumbers.get(query.output)
  if (input === undefined || output === undefined || input === output) return undefined
  const { maxHops = defaultMaxHops, maxPaths = defaultMaxPaths } = query
  const furtherHops = query.maxHops ?? defaultFurtherHops
  return { input, output, maxHops, furtherHops, maxPaths, gasPrice }
}

const plannedBits = 12

/**
 * Rounds an amount down to a few significant bits. Routes for close amounts hardly differ, so they share one plan from
 * the cache.
 */
function roundDown(amount: bigint): bigint {
  const dropped = BigInt(Math.max(0, amount.toString(2).length - plannedBits))
  return (amount >> dropped) << dropped
}

const gasPriceStep = 1.05

/**
 * Rounds a gas price to the nearest power of 1.05. It changes with every block, pools do not; so routes on unchanged
 * pools share one plan from the cache. Executed routes are compared at the exact gas price.
 */
const roundGasPrice = (gasPrice: number): number =>
  gasPrice === 0 ? 0 : gasPriceStep ** Math.round(Math.log(gasPrice) / Math.log(gasPriceStep))

const given = (query: SwapQuery, paths: readonly Path[]): Amount =>
  sumOf(paths, givenAmount[query.mode])

const sumOf = (paths: readonly Path[], amount: 'amountIn' | 'amountOut'): Amount =>
  toAmount(paths.reduce((sum, path) => sum + path[amount], 0n))

const toRoute = ({ input, output }: SwapQuery, paths: readonly Path[]): Route => ({
  input,
  output,
  amountIn: sumOf(paths, 'amountIn'),
  amountOut: sumOf(paths, 'amountOut'),
  paths,
})

/** The route with the better result after gas; the first one if they are equal. */
const better = (query: RouteQuery, one: Route, other: Route): Route =>
  netGain(query, other) > netGain(query, one) ? other : one

function netGain({ mode, gasPrice }: RouteQuery, route: Route): bigint {
  const gas = BigInt(Math.round(Number(comparedGas(route)) * gasPrice))
  return (mode === 'exactInput' ? route.amountOut : -route.amountIn) - gas
}
