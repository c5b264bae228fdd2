import type { BenchMarket } from './marketFile.ts'

/** The results of one engine on a market. */
export type Measured = Readonly<{
  name: string
  /** Milliseconds per query. */
  times: readonly number[]
  /** Distance of each query’s output below its bound, in basis points. */
  gaps: readonly number[]
}>

/** The smallest number that is at least as large as the share `part` of all numbers. */
export function quantile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}

const sizesOf = (market: BenchMarket): number[] =>
  [...new Set(market.queries.map(({ usd }) => usd))].sort((one, other) => one - other)

const gapsAt = (market: BenchMarket, { gaps }: Measured, usd: number): number[] =>
  gaps.filter((_, i) => market.queries[i]?.usd === usd)

const dollars = (usd: number): string =>
  usd >= 1_000_000 ? `$${usd / 1_000_000}M` : `$${usd / 1_000}k`

/** A table with a header and one row per engine. */
export function formatTable(market: BenchMarket, results: readonly Measured[]): string {
  const sizes = sizesOf(market)
  const head = [
    'engine',
    'p50 ms',
    'p95 ms',
    'queries/s',
    'time',
    ...sizes.flatMap((usd) => [`gap ${dollars(usd)}`, '(worst)']),
  ]
  const ours = quantile(results[0]?.times ?? [], 0.5)
  const rows = results.map((result) => {
    const total = result.times.reduce((sum, time) => sum + time, 0)
    const p50 = quantile(result.times, 0.5)
    const gaps = sizes.flatMap((usd) => {
      const some = gapsAt(market, result, usd)
      return [quantile(some, 0.5).toFixed(3), `(${quantile(some, 1).toFixed(1)})`]
    })
    const rate = (1_000 * result.times.length) / total
    const p95 = quantile(result.times, 0.95)
    return [
      result.name,
      p50.toFixed(2),
      p95.toFixed(2),
      rate.toFixed(0),
      `${(p50 / ours).toFixed(1)} ×`,
      ...gaps,
    ]
  })
  const width = (column: number) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0))
  const toLine = (row: readonly string[]) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(width(i)) : cell.padStart(width(i)))).join('  ')
  return [head, ...rows].map(toLine).join('\n')
}

/** The targets, and whether the engine reaches them. It should be 100 times as fast as the rival. */
export function formatVerdicts(market: BenchMarket, result: Measured, rival?: Measured): string {
  const p50 = quantile(result.times, 0.5)
  const gap = (of: Measured, usd: number) => quantile(gapsAt(market, of, usd), 0.5)
  const verdict = (target: string, value: number, isMet: boolean) =>
    `  ${isMet ? 'met    ' : 'NOT met'}  ${target}: ${value.toFixed(3)}`
  const atMost = (target: string, value: number, limit: number) =>
    verdict(`${target} at most ${limit}`, value, value <= limit)
  const lines = [
    atMost('p50 in ms', p50, 0.5),
    atMost('p95 in ms', quantile(result.times, 0.95), 3),
    atMost('median gap at $100k in bps', gap(result, 100_000), 0.02),
    atMost('median gap at $1M in bps', gap(result, 1_000_000), 0.5),
    atMost('worst gap in bps', quantile(result.gaps, 1), 10),
  ]
  if (rival !== undefined) {
    const times = quantile(rival.times, 0.5) / p50
    lines.push(verdict(`times as fast as ${rival.name}, at least 100`, times, times >= 100))
    for (const usd of [100_000, 1_000_000])
      lines.push(
        atMost(
          `median gap at ${dollars(usd)} less theirs, in bps,`,
          gap(result, usd) - gap(rival, usd),
          0,
        ),
      )
  }
  return [`${result.name}:`, ...lines].join('\n')
}
