import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Market } from '#src/core/pricing/market.ts'
import type { MultiOrder, Order } from '#src/core/pricing/order.ts'
import type { MultiPrice, Price } from '#src/core/pricing/price.ts'
import { applyBlock, type Engine, generateTwoChains, type Trade } from './twoChains.ts'

/** One checkout of the code. */
export type Pricer = Engine &
  Readonly<{
    priceSwap: (order: Order, market: Market) => Price
    priceMulti: (order: MultiOrder, market: Market) => MultiPrice
  }>

/** @param folder of the checkout. */
export async function loadPricer(folder: string): Promise<Pricer> {
  const file = (path: string) => import(pathToFileURL(resolve(folder, 'src/core', path)).href)
  const { createGraph, updateGraph } = await file('router/graph.ts')
  const { priceSwap } = await file('pricing/priceSwap.ts')
  const { priceMulti } = await file('pricing/priceMulti.ts')
  return { createGraph, updateGraph, priceSwap, priceMulti }
}

type Priced = Pick<Price, 'currencyIn' | 'currencyOut' | 'fees'>
type Run = (pricer: Pricer, trade: Trade, market: Market) => Priced

const larger = ({ exactInput }: Trade): Order => ({
  ...exactInput,
  amount: (exactInput.amount + exactInput.amount / 3n) as Order['amount'],
})

/** The priced parts of each trade. The second one comes after the first on its block, and all others are first. */
const tasks = {
  'exact input': (pricer, trade, market) => pricer.priceSwap(trade.exactInput, market),
  'the same pair again': (pricer, trade, market) => pricer.priceSwap(larger(trade), market),
  'exact output': (pricer, trade, market) => pricer.priceSwap(trade.exactOutput, market),
  'expected output': (pricer, trade, market) => pricer.priceSwap(trade.expectedOutput, market),
  'hopeless exact output': (pricer, trade, market) => pricer.priceSwap(trade.hopeless, market),
  'multi-input, 1 origin': (pricer, trade, market) =>
    pricer.priceMulti(trade.multiInput(1), market),
  'multi-input, 16 origins': (pricer, trade, market) =>
    pricer.priceMulti(trade.multiInput(16), market),
} as const satisfies Record<string, Run>

export type Task = keyof typeof tasks
export const taskNames = Object.keys(tasks) as Task[]

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

const prime = 2n ** 160n - 47n
/** CPU time of a fixed loop of 160-bit products: it shows how fast the machine is at the moment. */
function calibrate(): number {
  const startedAt = cpuMs()
  let value = 3n
  for (let step = 0; step < 20_000; step += 1) value = (value * value + 7n) % prime
  return cpuMs() - startedAt
}

/** Dollars that a price takes, and what it leaves of them after all gas. */
type Worth = Readonly<{ input: number; net: number }>

/** Milliseconds of CPU, and the worth; undefined if there is no price. */
export function measure(task: Task, pricer: Pricer, trade: Trade, market: Market) {
  const startedAt = cpuMs()
  try {
    const price = tasks[task](pricer, trade, market)
    return { ms: cpuMs() - startedAt, worth: worthOf(price) }
  } catch (error) {
    // The error of another checkout has another class.
    if (!(error instanceof Error && error.name === 'AppError')) throw error
    return { ms: cpuMs() - startedAt, worth: undefined }
  }
}

function worthOf({ currencyIn, currencyOut, fees }: Priced): Worth {
  const [input, output, gas] = [currencyIn, currencyOut, fees.gas].map(
    ({ usd }) => Number(usd ?? 0n) / 1e6,
  ) as [number, number, number]
  return { input, net: output - input - gas }
}

/** By trade. */
type TaskResult = Readonly<{ times: number[]; worths: (Worth | undefined)[] }>

/** By checkout and task. */
export type Results = Readonly<{
  byPricer: readonly Readonly<Record<Task, TaskResult>>[]
  loops: readonly number[]
}>

/**
 * Prices random trades of these values in dollars, each on a new block, by all checkouts in turn. Each task has markets of its own,
 * so that none finds what another has computed.
 */
export function runTasks(
  pricers: readonly Pricer[],
  {
    seed,
    pools,
    trades,
    usd,
  }: Readonly<{
    seed: number
    pools: number
    trades: number
    usd: readonly [low: number, high: number]
  }>,
): Results {
  const chains = generateTwoChains(seed, pools)
  const owners = taskNames.filter((task) => task !== 'the same pair again')
  let markets = pricers.map(
    (pricer) => new Map(owners.map((task) => [task, chains.marketFor(pricer)])),
  )
  const byPricer = pricers.map(
    () =>
      Object.fromEntries(
        taskNames.map((task) => [task, { times: [], worths: [] }]),
      ) as unknown as Record<Task, TaskResult>,
  )
  const loops: number[] = []
  for (let at = 0; at < trades; at += 1) {
    const trade = chains.drawTrade(usd)
    const changed = chains.nextBlock()
    markets = markets.map(
      (byTask, place) =>
        new Map(
          [...byTask].map(([task, market]) => [
            task,
            applyBlock(market, changed, pricers[place] as Pricer),
          ]),
        ),
    )
    loops.push(calibrate())
    for (const task of taskNames)
      for (const place of pricers.keys()) {
        // Take turns, so that none is always the first.
        const turn = (place + at) % pricers.length
        const market = markets[turn]?.get(task === 'the same pair again' ? 'exact input' : task)
        const { ms, worth } = measure(task, pricers[turn] as Pricer, trade, market as Market)
        const result = byPricer[turn]?.[task]
        result?.times.push(ms)
        result?.worths.push(worth)
      }
  }
  return { byPricer, loops }
}
