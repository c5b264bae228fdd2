/**
 * CPU time of prices on two generated chains: `npm run bench:price -- --size [seeds]`. `--against` compares with another
 * checkout in the same run: times, and results after gas. `--dearest 100000` looks for the slowest of so many orders.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findDearest } from './size/dearest.ts'
import { loadPricer, type Results, runTasks, type Task, taskNames } from './size/tasks.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'boolean' },
    // The pools of each chain.
    pools: { type: 'string', default: '1000' },
    trades: { type: 'string', default: '300' },
    /** The lowest and the highest value of an order, in dollars. */
    usd: { type: 'string', default: '100,50000' },
    against: { type: 'string' },
    dearest: { type: 'string' },
  },
})
const seeds = positionals.length > 0 ? positionals.map(Number) : [1]
const [pools, trades] = [Number(values.pools), Number(values.trades)]
const [low = 100, high = 50_000] = values.usd.split(',').map(Number)
const usd = [low, high] as const
/** Ratio of the market sizes on which the growth of the cost is measured. */
const growth = 5
/** CPU milliseconds of the fixed loop on the machine that the targets are for. */
const referenceLoop = 5

const folders = [
  resolve(import.meta.dirname, '../..'),
  ...(values.against ? [resolve(values.against)] : []),
]
const pricers = await Promise.all(folders.map(loadPricer))
const [ours] = pricers
if (ours === undefined) throw new Error('There is no checkout to measure')

const quantile = (list: readonly number[], share: number): number =>
  list.toSorted((one, other) => one - other)[
    Math.min(list.length - 1, Math.floor(list.length * share))
  ] ?? Number.NaN
const mean = (list: readonly number[]): number =>
  list.reduce((sum, each) => sum + each, 0) / list.length
const print = (...cells: readonly string[]): void => {
  const padded = cells.map((cell, at) => (at === 0 ? cell.padEnd(40) : cell.padStart(10)))
  process.stdout.write(`${padded.join('')}\n`)
}
const fixed = (digits: number, ...list: readonly number[]): string[] =>
  list.map((each) => each.toFixed(digits))

function printTimes({ byPricer, loops }: Results): void {
  for (const task of taskNames)
    for (const [place, byTask] of byPricer.entries()) {
      const { times, worths } = byTask[task]
      const quantiles = [0.5, 0.95, 0.99, 1].map((share) => quantile(times, share))
      const priced = worths.filter((worth) => worth !== undefined).length
      print(place === 0 ? task : '  the other', ...fixed(2, mean(times), ...quantiles), `${priced}`)
    }
  print('a fixed loop of 20,000 steps', ...fixed(2, mean(loops), quantile(loops, 0.5)))
}

/** Advantage of the first checkout, in basis points of the input. */
function printGains({ byPricer: [one, other] }: Results, task: Task): void {
  const gains = (one?.[task].worths ?? []).flatMap((worth, at) => {
    const theirs = other?.[task].worths[at]
    if (worth === undefined || theirs === undefined) return []
    return [((worth.net - theirs.net) / worth.input) * 10_000]
  })
  if (gains.length === 0) return
  const [worst, best] = [Math.min(...gains), Math.max(...gains)]
  print(`${task}: gain after gas, bps`, ...fixed(4, mean(gains), worst, best))
  verdict('  worst loss at most 0.05 bps', -worst, 0.05)
}

const verdict = (target: string, value: number, limit: number): void =>
  print(`  ${value <= limit ? 'met    ' : 'NOT met'} ${target}`, ...fixed(3, value))

function printVerdicts({ byPricer: [byTask], loops }: Results, large: Results): void {
  if (byTask === undefined) return
  const meanOf = (task: Task, of = byTask) => mean(of[task].times)
  const scale = referenceLoop / quantile(loops, 0.5)
  const price = byTask['exact input'].times
  print(`Milliseconds with the loop at ${referenceLoop}:`)
  verdict('new block, mean at most 1', mean(price) * scale, 1)
  verdict('new block, p99 at most 5', quantile(price, 0.99) * scale, 5)
  verdict('same pair again at most 0.5', meanOf('the same pair again') * scale, 0.5)
  const dearest = Math.max(...taskNames.flatMap((task) => byTask[task].times))
  verdict('the dearest order at most 20', dearest * scale, 20)
  verdict('16 origins at most 4', meanOf('multi-input, 16 origins') * scale, 4)
  print('Ratios to an exact input:')
  for (const [task, limit] of [
    ['exact output', 2],
    ['hopeless exact output', 2],
    ['multi-input, 1 origin', 1.1],
  ] as const)
    verdict(`${task}, at most ${limit}`, meanOf(task) / mean(price), limit)
  const [largeTasks] = large.byPricer
  if (largeTasks === undefined) return
  const times =
    ((meanOf('exact input', largeTasks) / mean(price)) * quantile(loops, 0.5)) /
    quantile(large.loops, 0.5)
  verdict(`${growth} times the pools, less than ${growth}`, times, growth)
}

print('CPU milliseconds of a price', 'mean', 'p50', 'p95', 'p99', 'dearest', 'prices')
// Once before, so that all code is compiled.
runTasks(pricers, { seed: 999, pools, trades: 60, usd: [100, 50_000] })
if (values.dearest !== undefined) {
  const orders = Number(values.dearest)
  const [seed = 1] = seeds
  const { times, slowest } = findDearest(ours, { seed, orders, pools, usd })
  for (const [task, list] of times)
    print(
      task,
      ...fixed(2, mean(list), ...[0.5, 0.95, 0.99, 1].map((share) => quantile(list, share))),
      `${list.length}`,
    )
  print('The slowest', 'ms', 'market', 'order')
  for (const { task, ms, seed: market, place } of slowest)
    print(task, ...fixed(0, ms, market, place))
  process.exit()
}
for (const seed of seeds) {
  print(`Seed ${seed}`)
  const results = runTasks(pricers, { seed, pools, trades, usd })
  printTimes(results)
  if (pricers.length > 1) for (const task of taskNames) printGains(results, task)
  const size = { seed, pools: growth * pools, trades: Math.ceil(trades / growth), usd }
  printVerdicts(results, runTasks([ours], size))
}
