/**
 * CPU time of prices on two generated chains: `npm run bench:price -- --size [seeds]`. Each order comes on a new block, then
 * once more for another amount. `--against` compares with another checkout in the same run: times, and results after gas.
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { AppError } from '#src/errors.ts'
import type { Market } from '#src/pricing/market.ts'
import type { Order, TradeType } from '#src/pricing/order.ts'
import type { Price } from '#src/pricing/price.ts'
import { applyBlock, type Engine, generateTwoChains } from './size/twoChains.ts'

const types = ['EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT'] as const

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'boolean' },
    // Of each chain.
    pools: { type: 'string', default: '1000' },
    orders: { type: 'string', default: '300' },
    type: { type: 'string', default: 'EXACT_INPUT' },
    against: { type: 'string' },
  },
})
const tradeType = types.find((each) => each === values.type)
if (tradeType === undefined) throw new Error(`--type is one of ${types.join(', ')}`)

type Pricer = Engine & Readonly<{ priceSwap: (order: Order, market: Market) => Price }>

async function load(folder: string): Promise<Pricer> {
  const file = (path: string) => import(pathToFileURL(resolve(folder, 'src/pricing', path)).href)
  const { createGraph, updateGraph } = await file('router/graph.ts')
  const { priceSwap } = await file('priceSwap.ts')
  return { createGraph, updateGraph, priceSwap }
}

const pricers = await Promise.all(
  [resolve(import.meta.dirname, '../..'), ...(values.against ? [values.against] : [])].map(load),
)

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

const prime = 2n ** 160n - 47n
/** CPU time of a fixed loop: it shows how fast the machine is at the moment. */
function calibrate(): number {
  const startedAt = cpuMs()
  let value = 3n
  for (let step = 0; step < 20_000; step += 1) value = (value * value + 7n) % prime
  return cpuMs() - startedAt
}

/** Milliseconds of CPU, and the price or its failure. */
function run({ priceSwap }: Pricer, order: Order, market: Market) {
  const startedAt = cpuMs()
  try {
    const price = priceSwap(order, market)
    return { ms: cpuMs() - startedAt, price }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ms: cpuMs() - startedAt, price: undefined }
  }
}

/** The result of a price after all gas, in dollars. */
function netUsd({ currencyIn, currencyOut, fees }: Price): number {
  const exactUsd = ({ amount, currency, usd }: Price['currencyOut']) => ({
    amount: Number(amount) / 10 ** currency.decimals,
    usd: Number(usd ?? 0n) / 1e6,
  })
  return exactUsd(currencyOut).usd - exactUsd(currencyIn).usd - Number(fees.gas.usd ?? 0n) / 1e6
}

type Measured = Readonly<{ fresh: number[]; again: number[]; nets: (number | undefined)[] }>

function measure(seed: number, type: TradeType, count: number) {
  const chains = generateTwoChains(seed, Number(values.pools))
  let markets = pricers.map((pricer) => chains.marketFor(pricer))
  const measured: Measured[] = pricers.map(() => ({ fresh: [], again: [], nets: [] }))
  const loops: number[] = []
  const inputs: number[] = []
  for (let at = 0; at < count; at += 1) {
    const order = chains.drawOrder(type, [100, 50_000])
    const changed = chains.nextBlock()
    markets = markets.map((market, place) => applyBlock(market, changed, pricers[place] as Pricer))
    loops.push(calibrate())
    for (const place of pricers.keys()) {
      // Take turns, so that none is always the first.
      const turn = (place + at) % pricers.length
      const [pricer, market, result] = [pricers[turn], markets[turn], measured[turn]]
      if (pricer === undefined || market === undefined || result === undefined) continue
      const fresh = run(pricer, order, market)
      const larger = { ...order, amount: (order.amount + order.amount / 3n) as Order['amount'] }
      const again = run(pricer, larger, market)
      result.fresh.push(fresh.ms)
      result.again.push(again.ms)
      result.nets.push(fresh.price && netUsd(fresh.price))
      if (turn === 0) inputs.push(Number(fresh.price?.currencyIn.usd ?? 0n) / 1e6)
    }
  }
  return { measured, loops, inputs }
}

const sorted = (list: readonly number[]): number[] => list.toSorted((one, other) => one - other)
const quantile = (list: readonly number[], share: number): number =>
  sorted(list)[Math.floor(list.length * share)] ?? Number.NaN
const mean = (list: readonly number[]): number =>
  list.reduce((sum, each) => sum + each, 0) / list.length
const print = (...cells: readonly string[]): void => {
  const padded = cells.map((cell, at) => (at === 0 ? cell.padEnd(34) : cell.padStart(10)))
  process.stdout.write(`${padded.join('')}\n`)
}

/** How much better the first checkout is, in basis points of the input, by order. */
function gains({ measured: [ours, theirs], inputs }: ReturnType<typeof measure>): number[] {
  return inputs.flatMap((input, at) => {
    const [one, other] = [ours?.nets[at], theirs?.nets[at]]
    return one === undefined || other === undefined ? [] : [((one - other) / input) * 10_000]
  })
}

const seeds = positionals.length > 0 ? positionals.map(Number) : [1]
print('CPU milliseconds of a price', 'mean', 'p50', 'p95', 'p99', 'prices')
// Once before, so that all code is compiled.
measure(999, tradeType, 60)
for (const seed of seeds) {
  const result = measure(seed, tradeType, Number(values.orders))
  for (const [place, { fresh, again, nets }] of result.measured.entries())
    for (const [name, list] of [
      ['a new block', fresh],
      ['the same block', again],
    ] as const)
      print(
        `seed ${seed}, ${place === 0 ? 'this code' : 'the other'}, ${name}`,
        ...[mean(list), ...[0.5, 0.95, 0.99].map((share) => quantile(list, share))].map((ms) =>
          ms.toFixed(2),
        ),
        nets.filter((net) => net !== undefined).length.toString(),
      )
  print(
    'a fixed loop of 20,000 steps',
    mean(result.loops).toFixed(2),
    quantile(result.loops, 0.5).toFixed(2),
  )
  if (pricers.length < 2) continue
  const list = gains(result)
  print(
    'gain after gas, bps',
    mean(list).toFixed(4),
    ...[0.01, 0.5, 0.99].map((share) => quantile(list, share).toFixed(4)),
  )
  print('worst, best', Math.min(...list).toFixed(4), Math.max(...list).toFixed(4))
}
