import type { Market } from '#src/core/pricing/market.ts'
import { choose, createRandom } from '#test/bench/route/generate/random.ts'
import { measure, type Pricer, type Task, taskNames } from './tasks.ts'
import { applyBlock, generateTwoChains } from './twoChains.ts'

/** A slow order: the market of this seed draws it in this place. */
type SlowOrder = Readonly<{ seed: number; place: number; task: Task; ms: number }>

/** Orders on one market. */
const ordersPerMarket = 1_000
const kept = 20
/** A machine that does something else makes an order slow once, but hardly three times. */
const repetitions = 2

/**
 * Prices random orders of all kinds and values, each on a new block. Every second market has pools of all kinds.
 * @param usd the lowest and the highest value.
 * @returns the CPU milliseconds of all orders by task, and the slowest orders.
 */
export function findDearest(
  pricer: Pricer,
  {
    seed,
    orders,
    pools,
    usd,
  }: Readonly<{
    seed: number
    orders: number
    pools: number
    usd: readonly [low: number, high: number]
  }>,
) {
  const random = createRandom(seed)
  const tasks = taskNames.filter((task) => task !== 'the same pair again')
  const times = new Map(tasks.map((task) => [task, [] as number[]]))
  let slowest: SlowOrder[] = []
  for (let before = 0, number = seed; before < orders; before += ordersPerMarket, number += 1) {
    const chains = generateTwoChains(number, pools, number % 2 === 1)
    let market = chains.marketFor(pricer)
    for (let place = 0; place < Math.min(ordersPerMarket, orders - before); place += 1) {
      const trade = chains.drawTrade(usd)
      market = applyBlock(market, chains.nextBlock(), pricer)
      const task = choose(random, tasks)
      const price = (at: Market) => measure(task, pricer, trade, at).ms
      let ms = price(market)
      const isSlow = () => slowest.length < kept || ms > (slowest.at(-1)?.ms ?? 0)
      // A new graph of the same pools knows no plans.
      for (let again = 0; again < repetitions && isSlow(); again += 1)
        ms = Math.min(ms, price(applyBlock(market, new Map(), pricer)))
      times.get(task)?.push(ms)
      if (isSlow())
        slowest = [...slowest, { seed: number, place, task, ms }]
          .sort((one, other) => other.ms - one.ms)
          .slice(0, kept)
    }
  }
  return { times, slowest }
}
