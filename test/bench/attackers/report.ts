import type { HonestResult } from './honest.ts'
import type { DayResult } from './runDay.ts'
import { addGas, type SolverGas } from './solverGas.ts'
import type { Outcome } from './trade.ts'

type Week = Readonly<{
  quiet: readonly DayResult[]
  hostile: readonly DayResult[]
  /** The defence that is switched off. */
  without: string | undefined
  /** Largest value of a chain's deposits that are filled and not final yet, in US dollars. */
  ceiling: number
}>

const outcomes: readonly Outcome[] = ['filled', 'refunded', 'both', 'twice', 'neither']

const print = (...cells: readonly string[]): void => {
  const padded = cells.map((cell, at) => (at === 0 ? cell.padEnd(48) : cell.padStart(11)))
  process.stdout.write(`${padded.join('').trimEnd()}\n`)
}
const usd = (value: number): string => value.toFixed(2)
const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0)
const gainsOf = (days: readonly DayResult[]): readonly number[] =>
  days.flatMap(({ strategies }) => strategies.map(({ gain }) => gain))
const harmOf = (days: readonly DayResult[]): number =>
  sum(days.flatMap(({ strategies }) => strategies.map(({ harm }) => harm)))
const lossOf = (days: readonly DayResult[]): number => sum(gainsOf(days).filter((gain) => gain > 0))

/** Prints the ledger. Returns whether it is as it should be: no loss, or with a defence switched off a loss. */
export function printWeek({ quiet, hostile, without, ceiling }: Week): boolean {
  const off = without === undefined ? '' : `, without ${without}`
  print(`honest requests${off}`, ...outcomes, 'p50 s', 'p99 s')
  if (quiet.length > 0) printHonest('without attackers', quiet)
  printHonest('with attackers', hostile)
  print('')
  printStrategies(hostile)
  print('')
  printSolver({ quiet, hostile })
  print('')
  const wrong = hostile
    .flatMap(({ honest }) => honest)
    .filter(({ outcome }) => outcome !== 'filled' && outcome !== 'refunded')
  const [earned, solver] = [quiet, hostile].map((days) => sum(days.map((day) => day.solverGain)))
  const fees = sum(hostile.map((each) => each.fees))
  const reorged = lossOf(hostile.filter(({ name }) => name === 'reorgs'))
  const cost = (earned ?? 0) - (solver ?? 0)
  const checks: readonly [string, boolean][] = [
    ['each honest deposit is filled or refunded, once', wrong.length === 0],
    ['no attacker gains', gainsOf(hostile).every((gain) => gain <= 0)],
    ['no honest user loses or is turned away', harmOf(hostile) <= 0],
    [`a reorg cost ${usd(reorged)}, at most ${usd(ceiling)}`, reorged <= ceiling],
  ]
  const compared: readonly [string, boolean][] =
    quiet.length === 0
      ? []
      : [[`attackers cost the solver ${usd(cost)}, at most its fees ${usd(fees)}`, cost <= fees]]
  const all = [...checks, ...compared]
  for (const [what, isMet] of all) print(what.padEnd(60), isMet ? 'met' : 'NOT MET')
  if (without === undefined) return all.every(([, isMet]) => isMet)
  const kept = sum(hostile.flatMap(({ strategies }) => strategies.map((each) => each.kept)))
  const taken = lossOf(hostile) + kept + harmOf(hostile) + sum(wrong.map(({ value }) => value))
  // What attackers take costs the solver too: it counts once.
  const loss = quiet.length === 0 ? taken : Math.max(taken, cost)
  print(`the loss without ${without}, $`, usd(loss))
  return loss > 0
}

function printHonest(what: string, days: readonly DayResult[]): void {
  const results = days.flatMap(({ honest }) => honest)
  const count = (outcome: Outcome) =>
    `${results.filter((each: HonestResult) => each.outcome === outcome).length}`
  const times = results.map(({ seconds }) => seconds).toSorted((one, other) => one - other)
  const quantile = (share: number) => times[Math.floor((times.length - 1) * share)] ?? 0
  print(what, ...outcomes.map(count), ...[0.5, 0.99].map((share) => quantile(share).toFixed(2)))
}

function printStrategies(days: readonly DayResult[]): void {
  print('attackers, by day', 'runs', 'refused', 'gained $', 'kept $', 'harm $')
  for (const { name, strategies } of days) {
    print(name)
    for (const { name: strategy, runs, refusals, gain, kept, harm } of strategies)
      print(`  ${strategy}`, `${runs}`, `${refusals}`, usd(gain), usd(kept), usd(harm))
  }
}

const gasCells = ({ fills, refunds, settlements, others, reverted }: SolverGas) =>
  [fills, refunds, settlements, others, reverted].map(usd)

function printSolver({ quiet, hostile }: Pick<Week, 'quiet' | 'hostile'>): void {
  print(
    'the solver, $',
    'balance',
    'fees',
    'gas: fills',
    ...['refunds', 'settle'],
    'other',
    'reverted',
  )
  for (const { name, solverGain, fees, gas } of hostile)
    print(`  ${name}`, usd(solverGain), usd(fees), ...gasCells(gas))
  for (const [what, days] of [
    ['without attackers', quiet],
    ['with attackers', hostile],
  ] as const)
    if (days.length > 0)
      print(
        what,
        ...[days.map((day) => day.solverGain), days.map(({ fees }) => fees)].map(sum).map(usd),
        ...gasCells(addGas(days.map(({ gas }) => gas))),
      )
}
