import type { Resistance } from './marginalRates.ts'
import { solve } from './solve.ts'

/** A path whose rate is less than this share of the mean counts as exhausted. */
const exhaustion = 1e-9

/**
 * Inputs that add up to the same total, at which all paths that are used should have come to one rate.
 *
 * Along constant products, and within a range of concentrated liquidity, 1 ÷ √rate rises linearly with
 * the input. So for paths that share nothing the inputs that bring all rates to 1 ÷ level² follow
 * at once, as water finds its level: an input changes by 2 × (level × √rate − 1) ÷ fall. Paths that share
 * pools make that one system of linear equations. The level follows from the total.
 * @param damping the share by which a path is taken to resist more than it was measured to.
 */
export function levelInputs(
  { rates, fall }: Resistance,
  inputs: Float64Array,
  damping: number,
): Float64Array {
  const mean = meanRate(rates, inputs)
  const isExhausted = (path: number) => (rates[path] as number) <= exhaustion * mean
  // Nothing can be told from an exhausted path but that too much goes there.
  const next = inputs.map((input, path) =>
    isExhausted(path) ? input - input / (2 + damping) : input,
  )
  let open = [...inputs.keys()].filter(
    (path) =>
      (rates[path] as number) > mean || ((inputs[path] as number) > 0 && !isExhausted(path)),
  )
  while (open.length > 0) {
    levelOpen({ rates, fall }, inputs, next, open, damping)
    const emptied = open.filter((path) => (next[path] as number) < 0)
    if (emptied.length === 0) break
    for (const path of emptied) next[path] = 0
    open = open.filter((path) => (next[path] as number) > 0)
  }
  return next
}

/** What the last unit of input gives, in the mean. */
function meanRate(rates: Float64Array, inputs: Float64Array): number {
  let total = 0
  let gain = 0
  inputs.forEach((input, path) => {
    total += input
    gain += input * (rates[path] as number)
  })
  return gain / total
}

/** Sets the `next` inputs of the open paths, given those of the others. */
function levelOpen(
  { rates, fall }: Resistance,
  inputs: Float64Array,
  next: Float64Array,
  open: readonly number[],
  damping: number,
): void {
  const size = rates.length
  const changes = next.map((input, path) => input - (inputs[path] as number))
  for (const path of open) changes[path] = 0
  const matrix = new Float64Array(open.length ** 2)
  const perLevel = new Float64Array(open.length)
  const drop = new Float64Array(open.length)
  for (let row = 0; row < open.length; row++) {
    const path = open[row] as number
    const rate = rates[path] as number
    for (let column = 0; column < open.length; column++)
      matrix[row * open.length + column] = fall[path * size + (open[column] as number)] as number
    matrix[row * (open.length + 1)] = (fall[path * (size + 1)] as number) * (1 + damping)
    perLevel[row] = 2 * Math.sqrt(rate)
    let fallen = 0
    for (let other = 0; other < size; other++)
      fallen += (changes[other] as number) * (fall[path * size + other] as number)
    drop[row] = 2 + fallen
  }
  solve(matrix, [perLevel, drop])
  const released = -sum(changes)
  const level = (released + sum(drop)) / sum(perLevel)
  open.forEach((path, row) => {
    next[path] =
      (inputs[path] as number) + level * (perLevel[row] as number) - (drop[row] as number)
  })
}

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0)
