/**
 * The labels of a path search. A label is the best known partial path to a currency after n hops. Labels are stored
 * in flat arrays of rows with one entry per currency: row 2n holds the best label after n hops, row 2n + 1 the
 * second-best label that arrives from another currency.
 */
export type PathLabels = Readonly<{
  /** Length of a row: the number of currencies. */
  width: number
  /** 0 if there is no label. */
  scores: Float64Array
  /** The product of the discounts of all edges up to the label. */
  discounts: Float64Array
  /** The value by which labels are compared: score × discount; 0 if there is no label. */
  values: Float64Array
  /** The last edge of the path to the label, in the direction of the swap. */
  edges: Int32Array
  /** The previous label, and its currency; -1 at the start. */
  previous: Int32Array
  previousCurrency: Int32Array
  /** The labels in use: the first `count` entries. A search sets only few of all labels. */
  used: { count: number; labels: Int32Array }
  /** By number of hops: the number of currencies with a label, and these currencies in rows of `width`. */
  frontier: Readonly<{ counts: Int32Array; currencies: Int32Array }>
}>

/** @param width the number of currencies. */
export function createLabels(width: number, maxHops: number): PathLabels {
  const count = 2 * width * maxHops
  return {
    width,
    scores: new Float64Array(count),
    discounts: new Float64Array(count),
    values: new Float64Array(count),
    edges: new Int32Array(count),
    previous: new Int32Array(count).fill(-1),
    previousCurrency: new Int32Array(count).fill(-1),
    used: { count: 0, labels: new Int32Array(count) },
    frontier: {
      counts: new Int32Array(maxHops),
      currencies: new Int32Array(width * maxHops),
    },
  }
}

/** Removes all labels but one at the start currency. */
export function clearLabels(labels: PathLabels, start: number, score: number): void {
  const { scores, discounts, values, previous, previousCurrency, used, frontier } = labels
  for (let at = 0; at < used.count; at++) {
    const label = used.labels[at] as number
    scores[label] = 0
    values[label] = 0
    previous[label] = -1
    previousCurrency[label] = -1
  }
  used.labels[0] = start
  used.count = 1
  scores[start] = score
  discounts[start] = 1
  values[start] = score
  frontier.counts.fill(0)
  frontier.counts[0] = 1
  frontier.currencies[0] = start
}

/**
 * The better label of a currency whose path has not visited `next`; -1 if there is none.
 * @param best the number of the best label of the currency.
 */
export function previousLabelFor(labels: PathLabels, best: number, next: number): number {
  if (!hasVisited(labels, best, next)) return best
  const other = best + labels.width
  return hasVisited(labels, other, next) ? -1 : other
}

function hasVisited(
  { previousCurrency, previous }: PathLabels,
  label: number,
  currency: number,
): boolean {
  for (let at = label; at >= 0; at = previous[at] as number)
    if (previousCurrency[at] === currency) return true
  return false
}

/**
 * Stores a new label of `next` after `hops` hops, unless `next` has two better labels that arrive from different
 * currencies.
 * @param currency the currency before `next`, reached by `label`; `edge` leads from it to `next`.
 * @param reached the score of the new label.
 * @param further the discount of the new label.
 */
export function setLabel(
  labels: PathLabels,
  hops: number,
  next: number,
  currency: number,
  label: number,
  edge: number,
  reached: number,
  further: number,
): void {
  const value = reached * further
  const best = 2 * hops * labels.width + next
  if (labels.values[best] === 0) addToFrontier(labels, hops, next)
  const place = placeFor(labels, best, currency, value)
  if (place < 0) return
  if (labels.values[place] === 0) use(labels, place)
  labels.scores[place] = reached
  labels.discounts[place] = further
  labels.values[place] = value
  labels.edges[place] = edge
  labels.previous[place] = label
  labels.previousCurrency[place] = currency
}

function addToFrontier({ frontier, width }: PathLabels, hops: number, currency: number): void {
  const { counts, currencies } = frontier
  const count = counts[hops] as number
  currencies[hops * width + count] = currency
  counts[hops] = count + 1
}

function use({ used }: PathLabels, label: number): void {
  used.labels[used.count] = label
  used.count++
}

/** -1 to drop the label. */
function placeFor(labels: PathLabels, best: number, currency: number, value: number): number {
  const { width, values, previousCurrency } = labels
  const other = best + width
  if (value > (values[best] as number)) {
    if (previousCurrency[best] !== currency) moveLabel(labels, best, other)
    return best
  }
  return previousCurrency[best] !== currency && value > (values[other] as number) ? other : -1
}

function moveLabel(labels: PathLabels, source: number, target: number): void {
  const { scores, discounts, values, edges, previous, previousCurrency } = labels
  if (values[source] === 0) return
  if (values[target] === 0) use(labels, target)
  scores[target] = scores[source] as number
  discounts[target] = discounts[source] as number
  values[target] = values[source] as number
  edges[target] = edges[source] as number
  previous[target] = previous[source] as number
  previousCurrency[target] = previousCurrency[source] as number
}

/** The edges from the start to a label. */
export function edgesTo({ edges, previous }: PathLabels, label: number): number[] {
  const path: number[] = []
  for (let at = label; (previous[at] as number) >= 0; at = previous[at] as number)
    path.push(edges[at] as number)
  return path.reverse()
}
