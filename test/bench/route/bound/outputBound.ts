import type { Pool } from '#src/core/pools/pool.ts'
import type { Address } from '#src/core/units/address.ts'
import { marketsOf, type PoolMarket } from './markets.ts'

/**
 * Upper bound on the output of any route, with any number of splits: the dual of the routing problem. For any
 * prices of all currencies, a route gives at most the value of its input plus the maximum profit from each pool
 * at these prices. Newton’s method finds the prices that minimise this bound. The algorithm shares no code with
 * the router and finds no route.
 * Angeris, Chitra, Evans, Boyd: Optimal Routing for Constant Function Market Makers (2022). Diamandis, Resnick,
 * Chitra, Angeris: An Efficient Algorithm for Optimal Routing Through CFMMs (2023).
 * @returns raw units of `output`
 */
export function outputBound(
  pools: readonly Pool[],
  query: Readonly<{ input: Address; output: Address; amount: bigint }>,
): number {
  const numbers = new Map<Address, number>()
  const numberOf = (currency: Address): number => {
    const known = numbers.get(currency) ?? numbers.size
    numbers.set(currency, known)
    return known
  }
  const output = numberOf(query.output)
  const input = numberOf(query.input)
  const markets = pools.flatMap((pool) => marketsOf(pool, numberOf))
  const dual = { markets, input, amount: Number(query.amount) }
  let best = valueAt(dual, startingPrices(markets, numbers.size, output))
  for (let step = 0; step < maxSteps; step++) {
    const before = best.worth
    best = bestStep(dual, best, output) ?? best
    if (before - best.worth > 1e-6 * before) continue
    best = balanceFlows(dual, best, output)
    if (before - best.worth < 1e-10 * before) break
  }
  return best.worth
}

const maxSteps = 300

type Dual = Readonly<{ markets: readonly PoolMarket[]; input: number; amount: number }>

function worth({ markets, input, amount }: Dual, prices: Float64Array): number {
  let sum = amount * (prices[input] ?? 0)
  for (const market of markets) {
    const from = prices[market.from] ?? 0
    const to = prices[market.to] ?? 0
    if (to === 0) continue
    sum += to * market.bestTrade(from / to).earned
  }
  return sum
}

/** The value of each currency in the output currency, at the best marginal rates. */
function startingPrices(
  markets: readonly PoolMarket[],
  size: number,
  output: number,
): Float64Array {
  const prices = new Float64Array(size)
  prices[output] = 1
  for (let round = 0; round < 8; round++)
    for (const { from, to, rate } of markets) {
      if (from !== output) prices[from] = Math.max(prices[from] ?? 0, rate * (prices[to] ?? 0))
    }
  return prices
}

type Candidate = Readonly<{ prices: Float64Array; worth: number }>

const valueAt = (dual: Dual, prices: Float64Array): Candidate => ({
  prices,
  worth: worth(dual, prices),
})

/**
 * Idle markets that would trade at a slightly better price count as active. Otherwise a step would stop short of
 * them. All margins are tried.
 */
const margins = [0, 1e-9, 1e-6, 1e-3]

/** The best of several Newton steps in relative prices. Undefined if no step lowers the bound. */
function bestStep(dual: Dual, start: Candidate, output: number): Candidate | undefined {
  let best: Candidate | undefined
  for (const margin of margins) {
    const derivatives = derive(dual, start.prices, margin)
    for (let ridge = 1e-9; ridge < 1e4; ridge *= 10) {
      const next = step(dual, start, derivatives, ridge, output)
      if (next.worth < (best?.worth ?? start.worth)) best = next
      else if (best !== undefined) break
    }
  }
  return best
}

/** @param ridge added to all curvatures, as a share of the input’s value */
function step(
  dual: Dual,
  { prices }: Candidate,
  { gradient, hessian }: Derivatives,
  ridge: number,
  output: number,
): Candidate {
  const value = dual.amount * (prices[dual.input] ?? 0)
  const changes = solveSystem(hessian, gradient, ridge * value, output)
  const limited = changes.map((change) => Math.max(-1, Math.min(1, change)))
  return valueAt(
    dual,
    prices.map((price, i) => price * Math.exp(-(limited[i] ?? 0))),
  )
}

/** Adjusts one price at a time until the inflow of its currency equals the outflow. Slow, but always makes progress. */
function balanceFlows(dual: Dual, { prices, worth }: Candidate, output: number): Candidate {
  const balanced = prices.slice()
  for (let currency = 0; currency < balanced.length; currency++) {
    if (currency === output || balanced[currency] === 0) continue
    const touching = dual.markets.filter(({ from, to }) => from === currency || to === currency)
    const here = currency === dual.input ? dual.amount : 0
    const price = balanced[currency] ?? 0
    let low = price / 4
    let high = price * 4
    for (let i = 0; i < 60; i++) {
      const middle = Math.sqrt(low * high)
      balanced[currency] = middle
      if (surplus(touching, balanced, currency) + here > 0) high = middle
      else low = middle
    }
  }
  const next = valueAt(dual, balanced)
  return next.worth < worth ? next : { prices, worth }
}

/** Net inflow of a currency if every market trades at these prices. */
function surplus(markets: readonly PoolMarket[], prices: Float64Array, currency: number): number {
  return markets.reduce((sum, market) => {
    const { from, to } = market
    const paying = prices[from] ?? 0
    const buying = prices[to] ?? 0
    if (buying === 0 || paying === 0) return sum
    const { paid, bought } = market.bestTrade(paying / buying)
    return from === currency ? sum - paid : sum + bought
  }, 0)
}

type Derivatives = Readonly<{ gradient: Float64Array; hessian: Float64Array }>

/** Derivatives by the logarithms of the prices, without the second derivative of the exponential function. */
function derive(
  { markets, input, amount }: Dual,
  prices: Float64Array,
  margin: number,
): Derivatives {
  const size = prices.length
  const gradient = new Float64Array(size)
  const hessian = new Float64Array(size * size)
  const add = (values: Float64Array, i: number, value: number) => {
    values[i] = (values[i] ?? 0) + value
  }
  add(gradient, input, amount * (prices[input] ?? 0))
  for (const market of markets) {
    const { from, to } = market
    const paying = prices[from] ?? 0
    const buying = prices[to] ?? 0
    if (buying === 0 || paying === 0) continue
    const { paid, bought, growth } = market.bestTrade(paying / buying, margin)
    add(gradient, from, -paying * paid)
    add(gradient, to, buying * bought)
    const curvature = (growth * paying ** 2) / buying
    add(hessian, from * size + from, curvature)
    add(hessian, to * size + to, curvature)
    add(hessian, from * size + to, -curvature)
    add(hessian, to * size + from, -curvature)
  }
  return { gradient, hessian }
}

/** Gaussian elimination. The price of the output stays 1. */
function solveSystem(
  hessian: Float64Array,
  gradient: Float64Array,
  ridge: number,
  output: number,
): Float64Array {
  const size = gradient.length
  const a = hessian.slice()
  const x = gradient.slice()
  for (let i = 0; i < size; i++) a[i * size + i] = (a[i * size + i] ?? 0) * (1 + 1e-9) + ridge
  a[output * size + output] = 1e300
  x[output] = 0
  for (let k = 0; k < size; k++)
    for (let i = k + 1; i < size; i++) {
      const factor = (a[i * size + k] ?? 0) / (a[k * size + k] ?? 1)
      if (factor === 0) continue
      for (let j = k; j < size; j++)
        a[i * size + j] = (a[i * size + j] ?? 0) - factor * (a[k * size + j] ?? 0)
      x[i] = (x[i] ?? 0) - factor * (x[k] ?? 0)
    }
  for (let i = size - 1; i >= 0; i--) {
    let rest = x[i] ?? 0
    for (let j = i + 1; j < size; j++) rest -= (a[i * size + j] ?? 0) * (x[j] ?? 0)
    x[i] = rest / (a[i * size + i] ?? 1)
  }
  return x
}
