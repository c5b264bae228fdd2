import { createActor, fund } from './actor.ts'
import type { Defence } from './defences.ts'
import { createLedger } from './ledger.ts'
import { printWeek } from './report.ts'
import { type DayResult, runDay } from './runDay.ts'
import { createTrading } from './trade.ts'
import { daysOf } from './week.ts'
import { ceilingUsd, startWorld } from './world.ts'

type Options = Readonly<{
  /** The days to run; absent: all, or those of the defence. */
  named: readonly string[] | undefined
  /** Honest requests of the week, and as many hostile ones. */
  requests: number
  /** Deposits of one wei on their day. */
  dust: number
  /** Only strategies whose name contains it. */
  strategy: string
  /** Whether the gateway has its default rate limits. */
  limits: boolean
}>

/**
 * Runs the week with attackers and, to compare what the solver earns, without them, on a devnet each. Prints it. Returns
 * whether it is as it should be.
 */
export async function runBench(
  defence: Defence | undefined,
  { named, requests, dust, strategy, limits }: Options,
): Promise<boolean> {
  const days = daysOf(dust)
  const chosen = named ?? defence?.days
  const week = days
    .filter(({ name }) => chosen === undefined || chosen.includes(name))
    .map((day) => ({
      ...day,
      strategies: day.strategies.filter(({ name }) => name.includes(strategy)),
    }))
  if (week.length === 0)
    throw new Error(`--days takes some of: ${days.map(({ name }) => name).join(', ')}`)
  const perDay = Math.ceil(requests / days.length)

  async function runWeek(isQuiet: boolean): Promise<readonly DayResult[]> {
    const world = await startWorld(defence?.without ?? ((config) => config), limits)
    try {
      const ledger = createLedger(world)
      const trading = createTrading(world, ledger)
      const users = Array.from({ length: 8 }, () => createActor(world))
      await fund(world, users, { USDC: 20_000n * 10n ** 6n })
      const results: DayResult[] = []
      for (const day of week) {
        const from = performance.now()
        const size = { count: perDay, isQuiet }
        results.push(await runDay({ world, trading, ledger, users }, day, size))
        const seconds = Math.round((performance.now() - from) / 1000)
        process.stderr.write(`${isQuiet ? 'quiet' : 'hostile'}: ${day.name}, ${seconds} s\n`)
      }
      return results
    } finally {
      await world.stop()
    }
  }

  const isCompared = defence === undefined || defence.savesGas === true
  const quiet = isCompared ? await runWeek(true) : []
  const hostile = await runWeek(false)
  return printWeek({ quiet, hostile, without: defence?.name, ceiling: ceilingUsd })
}
