import type { HonestResult } from './honest.ts'
import type { DayResult } from './runDay.ts'
import type { Outcome } from './trade.ts'

type Week = Readonly<{
  quiet: readonly DayResult[]
  hostile: readonly DayResult[]
  /** The defence that is switched off. */
  without: string | undefined
}>

const outcomes: readonly Outcome[] = ['filled', 'refunded', 'both', 'twice', 'neither']

const print = (...cells: readonly string[]): void => {
  const padded = cells.map((cell, at) => (at === 0 ? cell.padEnd(46) : cell.padStart(10)))
  process.stdout.write(`${padded.join('')}\n`)
}
const usd = (value: number): string => value.toFixed(2)

/** Prints the ledger. Returns whether it is as it should be: no loss, or with a defence switched off a loss. */
export function printWeek({ quiet, hostile, without }: Week): boolean {
  print(
    `honest requests${without === undefined ? '' : `, without ${without}`}`,
    ...outcomes,
    'p50 s',
    'p99 s',
  )
  if (quiet.length > 0) printHonest('without attackers', quiet)
  printHonest('with attackers', hostile)
  print('')
  print('day, strategy', 'runs', 'refused', 'gain $', 'solver $')
  for (const { name, strategies, solverGain } of hostile) {
    print(name, '', '', '', usd(solverGain))
    for (const { name: strategy, runs, refusals, gain } of strategies)
      print(`  ${strategy}`, `${runs}`, `${refusals}`, usd(gain))
  }
  const earned = sum(quiet.map((each) => each.solverGain))
  const fees = sum(hostile.map((each) => each.fees))
  const solver = sum(hostile.map((each) => each.solverGain))
  const gains = hostile.flatMap(({ strategies }) => strategies.map(({ gain }) => gain))
  if (quiet.length > 0)
    print('what the solver has more, without attackers', '', '', '', usd(earned))
  print('what the solver has more, with attackers', '', '', '', usd(solver))
  print('fees of honest requests, gas included', '', '', '', usd(fees))
  print('')
  const wrong = hostile
    .flatMap(({ honest }) => honest)
    .filter(({ outcome }) => outcome !== 'filled' && outcome !== 'refunded')
  const checks: readonly [string, boolean][] = [
    ['each honest deposit is filled or refunded, once', wrong.length === 0],
    ['no attacker gains', gains.every((gain) => gain <= 0)],
    ['the solver loses at most the fees that it earned', earned - solver <= fees],
  ]
  for (const [what, isMet] of checks) print(what, isMet ? 'met' : 'NOT MET')
  if (without === undefined) return checks.every(([, isMet]) => isMet)
  const loss = sum(gains.filter((gain) => gain > 0)) + sum(wrong.map(({ value }) => value))
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

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0)
