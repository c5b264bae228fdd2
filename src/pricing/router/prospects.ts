import { rateOf, type Trial } from './trial.ts'

/** Where paths lead to, and how they are followed. */
export type Way = Readonly<{
  /** Currencies by number. */
  start: number
  end: number
  maxHops: number
  /** 1 where paths are followed backwards: the edge paid is then the reverse of the edge that leads on. */
  turn: 0 | 1
}>

/**
 * How much a score can be multiplied by on the rest of its way, at most: in row n for each currency, where
 * n hops are left. As 0 for a currency where no path may be, and from where none comes to the end.
 * Rates are those that the pools have now; swaps only make them worse.
 */
export type Prospects = readonly Float64Array[]

export function measureProspects(trial: Trial, { start, end, maxHops, turn }: Way): Prospects {
  const { edgesFrom, outputs } = trial.graph.topology
  const atEnd = new Float64Array(edgesFrom.length)
  atEnd[end] = 1
  const rows = [atEnd]
  for (let hops = 1; hops < maxHops; hops++) {
    const nearer = rows[hops - 1] as Float64Array
    const row = nearer.map((prospect, currency) => {
      if (currency === start || currency === end) return 0
      let best = prospect
      for (const onward of edgesFrom[currency] as readonly number[]) {
        const rest = nearer[outputs[onward] as number] as number
        if (rest > 0) best = Math.max(best, rateOf(trial, onward ^ turn) * rest)
      }
      return best
    })
    rows.push(row)
  }
  return rows
}
