import type { Pool } from '#src/core/pools/pool.ts'
import { givenAmount, type SwapMode } from '#src/core/pools/poolKind.ts'
import { type PoolSimulation, simulate } from '#src/core/router/pools/poolSimulation.ts'
import type { RateTable } from '#src/core/router/search/rateTables.ts'
import { fillPaths, maxFilledPaths, widestPathOutput } from '#src/core/router/simulate/fillPaths.ts'
import { pausing, type Steps } from '#src/core/steps.ts'
import type { Account } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { type PoolGraph, withSteadyFees } from './graph.ts'
import { comparedGas, type Path, type Route } from './route.ts'
import { maxPathOutput } from './search/outputBounds.ts'
import type { RouteTask } from './search/searchPaths.ts'
import { fewUnits, simulateRoute } from './simulate/simulateRoute.ts'
import { type Plan, planInput, planOutput } from './split/planRoute.ts'

/** The currencies of a swap, and the limits on its routes. */
export type SwapQuery = Readonly<{
  /** ERC-20 addresses. */
  input: Account
  output: Account
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
     * Uses the plan for this amount, which is close to `amount`, and divides `amount` in the same proportions. Default:
     * `amount`.
     */
    plannedFor?: Amount
    /**
     * The work after which the search keeps the best split so far: see `PoolSimulation`. Single paths are always searched for.
     * Default: `defaultMaxWork`.
     */
    maxWork?: number
    /** Price of one unit of gas in raw units of the other currency; 0 ignores gas. */
    gasPrice: number
  }>

export const defaultMaxHops = 4
const defaultFurtherHops = 6
const defaultMaxPaths = 32
/** Up to 40 milliseconds. Only amounts that exhaust pools need more. */
export const defaultMaxWork = 300_000

/** Routes to execute exactly before the best one is chosen, because floats may order the plans wrongly. */
const maxRoutes = 3
/** Maximum number of plans to try. */
const maxAttempts = 16
/** Plans whose net gains differ by more than this share of the best one, plus two units, are in the right order. */
const nearTie = 1e-6
/**
 * If a route falls short of the best plan by more than this share, the other plans are as unreliable. Then the exact
 * gain of the route is the minimum for them. This happens with amounts of a few units, which cannot be divided as
 * planned.
 */
const maxShortfall = 1e-2

/**
 * The best route after gas among single paths and split routes. It depends on the graph and the query alone.
 * `undefined` if no pools connect the two currencies with enough liquidity. Input rounded up, output rounded down, as
 * in the contracts.
 */
export const findRoute = (all: PoolGraph, query: RouteQuery): Route | undefined =>
  pausing(() => searchRoute(all, query))

function* searchRoute(all: PoolGraph, query: RouteQuery): Steps<Route | undefined> {
  const graph = usableIn(all, query)
  const task = toRouteTask(graph, query, query.gasPrice)
  if (task === undefined || query.amount === 0n) return undefined
  const { mode, maxWork = defaultMaxWork } = query
  const planned = roundDown(query.plannedFor ?? query.amount)
  const divided = roundDown(query.amount)
  const plannedTask = { ...task, gasPrice: roundGasPrice(task.gasPrice) }
  const makePlans = (simulation: PoolSimulation) =>
    mode === 'exactInput'
      ? planInput(simulation, plannedTask, Number(planned))
      : planOutput(simulation, plannedTask, Number(planned), () =>
          isHopeless(graph, { ...query, amount: toAmount(planned) }),
        )
  const make = () =>
    simulate(
      graph,
      query.allowsPool,
      function* (simulation) {
        return (yield* makePlans(simulation)).slice(0, maxAttempts)
      },
      maxWork,
    )
  const isOfAllPools = query.allowsPool === undefined
  const plans = isOfAllPools
    ? yield* cached(
        plansByGraph,
        graph,
        `${mode} ${planned} ${maxWork} ${Object.values(plannedTask).join(' ')}`,
        make,
      )
    : yield* make()
  const routes: Route[] = []
  const scale = Number(divided) / Number(planned)
  const net = ({ amount, gas }: Plan) =>
    (mode === 'exactInput' ? amount : -amount) * scale - query.gasPrice * gas
  const bestNet = Math.max(...plans.map(net))
  /** The net gain that a plan must promise to be executed. */
  let minNetGain = Number.NEGATIVE_INFINITY
  for (const plan of plans) {
    if (routes.length === maxRoutes) break
    if (net(plan) < minNetGain - nearTie * Math.abs(bestNet) - 2) continue
    yield
    const paths = simulateRoute(graph, mode, plan, query.amount, divided)
    if (paths === undefined) continue
    const route = toRoute(query, paths)
    routes.push(route)
    const reached = Number(netGain(query, route))
    const isShort = reached < bestNet - maxShortfall * Math.abs(bestNet) - 2
    minNetGain = Math.max(minNetGain, isShort ? reached : bestNet)
  }
  const [first, ...others] = routes
  if (first !== undefined) return others.reduce((best, route) => better(query, best, route), first)
  yield
  if (yield* isBeyondLimit(graph, query)) return undefined
  const paths = yield* fillPaths(graph, mode, task, query.allowsPool, query.amount)
  return given(query, paths) === query.amount ? toRoute(query, paths) : undefined
}

/**
 * Whether an exact output is far beyond the pools, so that a plan would be in vain. A route has at most twice as many
 * paths as its limit adds up, and no wider ones.
 */
function* isHopeless(graph: PoolGraph, query: RouteQuery): Steps<boolean> {
  const { amount, maxPaths = defaultMaxPaths } = query
  const path = boundSinglePathOutput(graph, query)
  if (amount < fewUnits || Number(amount) <= path) return false
  if (Number(amount) > maxPaths * path) return true
  return query.allowsPool === undefined && amount > 2n * ((yield* searchLimit(graph, query)) ?? 0n)
}

/** Whether `amount` surely exceeds every route. False if that is not sure, as for a few units. */
function* isBeyondLimit(graph: PoolGraph, query: RouteQuery): Steps<boolean> {
  if (query.amount < fewUnits) return false
  if (query.mode === 'exactOutput') {
    const minOutput = Number(query.amount) / (maxFilledPaths * (1 + nearTie))
    if (
      minOutput > boundSinglePathOutput(graph, query) ||
      minOutput > (yield* searchMaxSinglePathOutput(graph, query))
    )
      return true
  }
  // A limit under `allowsPool` is not cached: trying the amount takes no longer than computing it.
  return query.allowsPool === undefined && ((yield* searchLimit(graph, query)) ?? 0n) < query.amount
}

/** About the largest amount that has a route; `undefined` if no path connects the two currencies. */
export const findLimit = (all: PoolGraph, query: SwapQuery): Amount | undefined =>
  pausing(() => searchLimit(all, query))

function* searchLimit(all: PoolGraph, query: SwapQuery): Steps<Amount | undefined> {
  const graph = usableIn(all, query)
  const task = toRouteTask(graph, query, 0)
  if (task === undefined) return undefined
  const { mode, allowsPool } = query
  const make = function* () {
    const paths = yield* fillPaths(graph, mode, task, allowsPool, largestAmount)
    return paths.length === 0 ? undefined : given(query, paths)
  }
  return yield* allowsPool === undefined ? cachedLimit(graph, mode, task, make) : make()
}

/** The approximate maximum output of a single path; 0 if no path connects the two currencies. */
export const findMaxSinglePathOutput = (all: PoolGraph, query: SwapQuery): number =>
  pausing(() => searchMaxSinglePathOutput(all, query))

function* searchMaxSinglePathOutput(all: PoolGraph, query: SwapQuery): Steps<number> {
  const graph = usableIn(all, query)
  const task = toRouteTask(graph, query, 0)
  if (task === undefined) return 0
  const make = () => widestPathOutput(graph, task, query.allowsPool)
  return yield* query.allowsPool === undefined ? cachedSinglePathOutput(graph, task, make) : make()
}

/** Upper bound on `findMaxSinglePathOutput`. It takes a fraction of the time. */
export function boundSinglePathOutput(all: PoolGraph, query: SwapQuery): number {
  const graph = usableIn(all, query)
  const task = toRouteTask(graph, query, 0)
  return task === undefined ? 0 : maxPathOutput(graph, task) * (1 + nearTie)
}

/** By default, an exact output uses no pool with a moving fee, so that a change of a fee does not affect its cost. */
const usableIn = (graph: PoolGraph, { mode, allowsMovingFees = false }: SwapQuery): PoolGraph =>
  mode === 'exactOutput' && !allowsMovingFees ? withSteadyFees(graph) : graph

/**
 * The best marginal rates between two currencies, which no route exceeds. Entry n is for routes whose longest path has
 * at most n + 1 hops; 0 if no path connects the currencies.
 * @param table the rates from or to `one`.
 */
export function maxRates(
  graph: PoolGraph,
  table: (graph: PoolGraph, currency: number, maxHops: number) => RateTable,
  one: Account,
  other: Account,
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
 * Rounds a gas price to the nearest power of 1.05. The gas price changes with every block, but most pools do not, so
 * routes on unchanged pools share one plan from the cache. Executed routes are compared at the exact gas price.
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

/** Values by key for each graph. Graphs are immutable, so the values stay valid as long as the graph is in use. */
type GraphCache<Value> = WeakMap<PoolGraph, Map<string, Value>>

const plansByGraph: GraphCache<readonly Plan[]> = new WeakMap()
const limitsByGraph: GraphCache<Amount | undefined> = new WeakMap()
const singlePathOutputsByGraph: GraphCache<number> = new WeakMap()

/** Entries per graph: a plan takes some kilobytes. A full cache is cleared, which costs one computation per entry. */
const maxEntries = 2_000

/** The largest amount for `task`; computed by `make` once per graph. Failed requests ask for it again and again. */
const cachedLimit = (
  graph: PoolGraph,
  mode: SwapMode,
  { input, output, maxHops, maxPaths }: RouteTask,
  make: () => Steps<Amount | undefined>,
): Steps<Amount | undefined> =>
  cached(limitsByGraph, graph, [mode, input, output, maxHops, maxPaths].join(' '), make)

/** The approximate maximum output of a single path for `task`; computed by `make` once per graph. */
const cachedSinglePathOutput = (
  graph: PoolGraph,
  { input, output, maxHops }: RouteTask,
  make: () => Steps<number>,
): Steps<number> => cached(singlePathOutputsByGraph, graph, `${input} ${output} ${maxHops}`, make)

function* cached<Value>(
  cache: GraphCache<Value>,
  graph: PoolGraph,
  key: string,
  make: () => Steps<Value>,
): Steps<Value> {
  const values = cache.get(graph) ?? new Map<string, Value>()
  cache.set(graph, values)
  if (values.has(key)) return values.get(key) as Value
  const value = yield* make()
  if (values.size >= maxEntries) values.clear()
  values.set(key, value)
  return value
}
