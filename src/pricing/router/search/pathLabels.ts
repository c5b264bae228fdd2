/**
 * How currencies are reached. Labels are numbered: those after n hops fill two rows with one place for
 * each currency, row 2n with the better way to reach it and row 2n + 1 with another.
 */
export type PathLabels = Readonly<{
  /** Of a row. */
  width: number
  /** 0 where there is no label. */
  scores: Float64Array
  /** Gas of the whole path to the label. */
  gases: Float64Array
  /** What labels are compared by; -Infinity where there is none. */
  worths: Float64Array
  /** The edge that leads to the label, in the direction in which it is paid. */
  edges: Int32Array
  /** The label that this edge comes from, and its currency; -1 at the start. */
  origins: Int32Array
  from: Int32Array
}>

/** @param width the number of currencies. */
export function createLabels(width: number, maxHops: number): PathLabels {
  const count = 2 * width * maxHops
  return {
    width,
    scores: new Float64Array(count),
    gases: new Float64Array(count),
    worths: new Float64Array(count),
    edges: new Int32Array(count),
    origins: new Int32Array(count),
    from: new Int32Array(count),
  }
}

/** Leaves one label, at the start. */
export function clearLabels(labels: PathLabels, start: number, score: number): void {
  labels.scores.fill(0)
  labels.worths.fill(Number.NEGATIVE_INFINITY)
  labels.origins.fill(-1)
  labels.from.fill(-1)
  labels.scores[start] = score
  labels.gases[start] = 0
}

/** The better label of a currency (`best` is the number of its first) that has not been at `next`; -1 if none. */
export function originFor(labels: PathLabels, best: number, next: number): number {
  if (!hasVisited(labels, best, next)) return best
  const other = best + labels.width
  return hasVisited(labels, other, next) ? -1 : other
}

function hasVisited({ from, origins }: PathLabels, label: number, currency: number): boolean {
  for (let at = label; at >= 0; at = origins[at] as number) if (from[at] === currency) return true
  return false
}

/** Where a label that comes from `currency` belongs, `best` being its currency's first: -1 for nowhere. */
export function placeFor(
  labels: PathLabels,
  best: number,
  currency: number,
  worth: number,
): number {
  const { width, worths, from } = labels
  const other = best + width
  if (worth > (worths[best] as number)) {
    if (from[best] !== currency) moveLabel(labels, best, other)
    return best
  }
  return from[best] !== currency && worth > (worths[other] as number) ? other : -1
}

function moveLabel(labels: PathLabels, source: number, target: number): void {
  const { scores, gases, worths, edges, origins, from } = labels
  scores[target] = scores[source] as number
  gases[target] = gases[source] as number
  worths[target] = worths[source] as number
  edges[target] = edges[source] as number
  origins[target] = origins[source] as number
  from[target] = from[source] as number
}

/** The edges that lead from the start to a label, the last one first. */
export function edgesBackFrom({ edges, origins }: PathLabels, label: number): number[] {
  const path: number[] = []
  for (let at = label; (origins[at] as number) >= 0; at = origins[at] as number)
    path.push(edges[at] as number)
  return path
}
