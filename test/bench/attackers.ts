import { parseArgs } from 'node:util'
import { createActor, fund } from './attackers/actor.ts'
import { defences } from './attackers/defences.ts'
import { createLedger } from './attackers/ledger.ts'
import { printWeek } from './attackers/report.ts'
import { type DayResult, runDay } from './attackers/runDay.ts'
import { createTrading } from './attackers/trade.ts'
import { daysOf } from './attackers/week.ts'
import { ceilingUsd, startWorld } from './attackers/world.ts'

/**
 * A hostile week on the devnet: honest users and attackers trade over the public API, and the chains show who gained
 * and who lost. `--without <defence>` switches one defence off, and runs the days that need it. `--requests` sets the
 * number of honest and of hostile requests of the week, `--days` names the days to run, separated by commas, and `--dust`
 * sets the number of deposits of one wei on their day. `--strategy` leaves the strategies whose name contains the text.
 * `--limits` gives the gateway the default rate limits and admission: most attacks are then refused before they begin.
 */
const {
  without,
  requests,
  days: named,
  dust,
  strategy,
  limits,
} = parseArgs({
  options: {
    without: { type: 'string' },
    requests: { type: 'string', default: '200' },
    days: { type: 'string' },
    dust: { type: 'string', default: '1000' },
    strategy: { type: 'string', default: '' },
    limits: { type: 'boolean', default: false },
  },
}).values

const days = daysOf(Number(dust))
const hasName = ({ name }: Readonly<{ name: string }>): boolean => name.includes(strategy)

const defence = defences.find(({ name }) => name === without)
if (without !== undefined && defence === undefined)
  throw new Error(`--without takes one of: ${defences.map(({ name }) => name).join(', ')}`)
const chosen = named?.split(',') ?? defence?.days
const week = days
  .filter(({ name }) => chosen === undefined || chosen.includes(name))
  .map((day) => ({ ...day, strategies: day.strategies.filter(hasName) }))
if (week.length === 0)
  throw new Error(`--days takes some of: ${days.map(({ name }) => name).join(', ')}`)
const perDay = Math.ceil(Number(requests) / days.length)

/** Runs the week on a devnet of its own. */
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
      results.push(await runDay({ world, trading, ledger, users }, day, { count: perDay, isQuiet }))
      const seconds = Math.round((performance.now() - from) / 1000)
      process.stderr.write(`${isQuiet ? 'quiet' : 'hostile'}: ${day.name}, ${seconds} s\n`)
    }
    return results
  } finally {
    await world.stop()
  }
}

const quiet = without === undefined ? await runWeek(true) : []
const hostile = await runWeek(false)
process.exitCode = printWeek({ quiet, hostile, without, ceiling: ceilingUsd }) ? 0 : 1
process.exit()
