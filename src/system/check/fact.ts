import type { ChainId } from '#src/core/units/chainId.ts'

/** A fact of the configuration, with the answer of the chain. */
export type Fact = Readonly<{
  /** The key of the configuration and the checked property, such as `priceFeeds.0 decimals`. */
  name: string
  /** A warning does not fit the chain and does no harm. */
  state: 'ok' | 'wrong' | 'warning' | 'notChecked'
  /** The answer of the chain, or the reason why there is none. */
  found: string
  expected: string
}>

export type Answers = Readonly<{
  facts: readonly Fact[]
  /** The reason why the chain gave no answers. Undefined if it answered. */
  outage: string | undefined
}>

/** The facts of one chain. */
export type ChainReport = Answers &
  Readonly<{ chain: Readonly<{ id: ChainId; displayName: string }> }>

/** An answer as one line of at most 60 characters: contracts return texts of any length, with any characters. */
export const shorten = (text: string): string => {
  const plain = text.replaceAll(/\p{C}/gu, ' ')
  return plain.length > 60 ? `${plain.slice(0, 59)}…` : plain
}

const words = { ok: 'ok', wrong: 'WRONG', warning: 'warning', notChecked: 'not checked' } as const

/**
 * The facts of each chain as a table for people, the columns aligned. The facts that a chain did not answer for are one
 * row, with the reason of its outage.
 */
export function factTable(reports: readonly ChainReport[]): string {
  const head = ['chain', 'fact', 'state', 'found', 'expected']
  const rows = reports.flatMap((report) =>
    shownFacts(report).map(({ name, state, found, expected }) => [
      ...[report.chain.displayName, name, words[state]],
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

function shownFacts({ facts, outage }: ChainReport): readonly Fact[] {
  if (outage === undefined) return facts
  const answered = facts.filter(({ state }) => state !== 'notChecked')
  const name = `${facts.length - answered.length} facts`
  return [...answered, { name, state: 'notChecked', found: shorten(outage), expected: '' }]
}
