import type { ChildProcess } from 'node:child_process'
import { ask } from '#test/bench/children.ts'
import type { OverloadLoad, OverloadMeasured } from './overloadLoad.ts'

type Run = readonly [child: ChildProcess, load: OverloadLoad]

/** Runs loads at once, each in its own process. They start when all clients are connected. */
export async function runLoads(...runs: readonly [Run, ...Run[]]) {
  await Promise.all(runs.map(([child, load]) => ask(child, load)))
  const measured = runs.map(([child]) => ask<OverloadMeasured>(child, 'start'))
  return (await Promise.all(measured)) as [OverloadMeasured, ...OverloadMeasured[]]
}

/** NaN without answers. */
export const quantile = ({ milliseconds }: OverloadMeasured, share: number): number =>
  milliseconds[Math.floor(milliseconds.length * share)] ?? Number.NaN

export function print(...cells: readonly string[]): void {
  const padded = cells.map((cell, at) => (at === 0 ? cell.padEnd(72) : cell.padStart(11)))
  process.stdout.write(`${padded.join('')}\n`)
}

export function printTargets(targets: readonly (readonly [what: string, met: boolean])[]): void {
  for (const [what, met] of targets) print(what, met ? 'met' : 'NOT MET')
}
