import type { ChainReport } from './checkChain.ts'

const words = { ok: 'ok', wrong: 'WRONG', warning: 'warning', notChecked: 'not checked' } as const

/** The facts of each chain as a table for people, the columns aligned. */
export function factTable(reports: readonly ChainReport[]): string {
  const head = ['chain', 'fact', 'state', 'found', 'expected']
  const rows = reports.flatMap(({ chain, facts }) =>
    facts.map(({ name, state, found, expected }) => [
      ...[chain.displayName, name, words[state]],
      ...[found, expected],
    ]),
  )
  const widths = head.map((_, at) =>
    Math.max(...[head, ...rows].map((cells) => cells[at]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
