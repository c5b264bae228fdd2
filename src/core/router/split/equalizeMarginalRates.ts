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
  marginalRates: MarginalRates,
  inputs: Float64Array,
  damping: number,
): Float64Array {
  const { rates } = marginalRates
  const mean = meanRate(rates, inputs)
  const next = inputs.slice()
  let open: number[] = []
  for (let path = 0; path < inputs.length; path++) {
    const rate = rates[path] as number
    const input = inputs[path] as number
    // An exhausted path only shows that its input is too large.
    if (rate <= exhaustion * mean) next[path] = input - input / (2 + damping)
    else if (rate > mean || input > 0) open.push(path)
  }
  while (open.length > 0) {
    equalizeOpen(marginalRates, inputs, next, open, damping)
    const filled = open.filter((path) => (next[path] as number) > 0)
    let isAnyEmptied = false
    for (const path of open) {
      if ((next[path] as number) >= 0) continue
      next[path] = 0
      isAnyEmptied = true
    }
    if (!isAnyEmptied) break
    open = filled
  }
  return next
}

/** The mean marginal rate, weighted by input. */
function meanRate(rates: Float64Array, inputs: Float64Array): number {
  let total = 0
  let gain = 0
  for (let path = 0; path < inputs.length; path++) {
    const input = inputs[path] as number
    total += input
    gain += input * (rates[path] as number)
  }
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
  /** By how much the inputs of the other paths change. */
  const changes = new Float64Array(size)
  let released = 0
  for (let path = 0; path < size; path++)
    if (!open.includes(path)) {
      const change = (next[path] as number) - (inputs[path] as number)
      changes[path] = change
      released -= change
    }
  const matrix = new Float64Array(open.length ** 2)
  const perLevel = new Float64Array(open.length)
  const drop = new Float64Array(open.length)
  for (let row = 0; row < open.length; row++) {
    const path = open[row] as number
    for (let column = 0; column < open.length; column++)
      matrix[row * open.length + column] = sensitivity[
        path * size + (open[column] as number)
      ] as number
    matrix[row * (open.length + 1)] = (sensitivity[path * (size + 1)] as number) * (1 + damping)
    perLevel[row] = 2 * Math.sqrt(rates[path] as number)
    let fallen = 0
    for (let other = 0; other < size; other++)
      fallen += (changes[other] as number) * (sensitivity[path * size + other] as number)
    drop[row] = 2 + fallen
  }
  solve(matrix, [perLevel, drop])
  const level = (released + sum(drop)) / sum(perLevel)
  for (let row = 0; row < open.length; row++) {
    const path = open[row] as number
    next[path] =
      (inputs[path] as number) + level * (perLevel[row] as number) - (drop[row] as number)
  }
}

function sum(values: Float64Array): number {
  let total = 0
  for (let at = 0; at < values.length; at++) total += values[at] as number
  return total
}
