import type { MarginalRates } from './marginalRates.ts'
import { solve } from './solve.ts'

/** A path whose marginal rate is below this share of the mean counts as exhausted. */
const exhaustion = 1e-9

/**
 * The split of the same total input at which all used paths should have one marginal rate.
 *
 * In a constant product, and within one range of concentrated liquidity, 1 ÷ √rate rises linearly with the input. So
 * for paths that share no pool, the input that brings a path to the common rate 1 ÷ level² changes by
 * 2 × (level × √rate − 1) ÷ sensitivity. Paths that share pools make this one system of linear equations. The level
 * follows from the total input.
 * @param damping the share by which the sensitivity of each path to its own input is increased.
 */
export function equalizeMarginalRates(
  { rates, sensitivity }: MarginalRates,
  inputs: Float64Array,
  damping: number,
): Float64Array {
  const mean = meanRate(rates, inputs)
  const isExhausted = (path: number) => (rates[path] as number) <= exhaustion * mean
  // An exhausted path only shows that its input is too large.
  const next = inputs.map((input, path) =>
    isExhausted(path) ? input - input / (2 + damping) : input,
  )
  let open = [...inputs.keys()].filter(
    (path) =>
      (rates[path] as number) > mean || ((inputs[path] as number) > 0 && !isExhausted(path)),
  )
  while (open.length > 0) {
    equalizeOpen({ rates, sensitivity }, inputs, next, open, damping)
    const emptied = open.filter((path) => (next[path] as number) < 0)
    if (emptied.length === 0) break
    for (const path of emptied) next[path] = 0
    open = open.filter((path) => (next[path] as number) > 0)
  }
  return next
}

/** The mean marginal rate, weighted by input. */
function meanRate(rates: Float64Array, inputs: Float64Array): number {
  let total = 0
  let gain = 0
  inputs.forEach((input, path) => {
    total += input
    gain += input * (rates[path] as number)
  })
  return gain / total
}

/** Sets the `next` inputs of the open paths. The inputs of the other paths are given. */
function equalizeOpen(
  { rates, sensitivity }: MarginalRates,
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
      matrix[row * open.length + column] = sensitivity[
        path * size + (open[column] as number)
      ] as number
    matrix[row * (open.length + 1)] = (sensitivity[path * (size + 1)] as number) * (1 + damping)
    perLevel[row] = 2 * Math.sqrt(rate)
    let fallen = 0
    for (let other = 0; other < size; other++)
      fallen += (changes[other] as number) * (sensitivity[path * size + other] as number)
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
