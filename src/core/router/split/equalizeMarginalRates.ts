import type { MarginalRates } from './marginalRates.ts'

/** A path whose marginal rate is below this share of the mean counts as exhausted. */
const exhaustion = 1e-9

/**
 * The split of the same total input at which all used paths should have one marginal rate.
 *
 * In a constant product, and within one range of concentrated liquidity, 1 ÷ √rate rises linearly with the input. So
 * for paths that share no pool, the input that brings a path to the common rate 1 ÷ level² changes by
 * 2 × (level × √rate − 1) ÷ sensitivity. Paths that share pools make this one system of linear equations. The level
 * follows from the total input.
 * @param caps by path: the largest input.
 * @param damping the share by which the sensitivity of each path to its own input is increased.
 */
export function equalizeMarginalRates(
  marginalRates: MarginalRates,
  inputs: Float64Array,
  caps: Float64Array,
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
    if (rate <= exhaustion * mean)
      next[path] = Math.min(caps[path] as number, input - input / (2 + damping))
    else if (rate > mean || input > 0) open.push(path)
  }
  while (open.length > 0) {
    equalizeOpen(marginalRates, inputs, next, open, damping)
    const inside = open.filter((path) => (next[path] as number) > 0)
    const within = inside.filter((path) => (next[path] as number) <= (caps[path] as number))
    for (const path of open) {
      if ((next[path] as number) < 0) next[path] = 0
      else if (inside.length === open.length && (next[path] as number) > (caps[path] as number))
        next[path] = caps[path] as number
    }
    const left = inside.length < open.length ? inside : within
    if (left.length === open.length) break
    open = left
  }
  if (open.length === 0) placeRest(next, inputs, caps)
  return next
}

/** If no path is open, the path with the largest cap takes the rest of the total input. */
function placeRest(next: Float64Array, inputs: Float64Array, caps: Float64Array): void {
  let rest = 0
  let widest = 0
  for (let path = 0; path < next.length; path++) {
    rest += (inputs[path] as number) - (next[path] as number)
    if ((caps[path] as number) > (caps[widest] as number)) widest = path
  }
  next[widest] = Math.max(0, (next[widest] as number) + rest)
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

/** Arrays that all solutions share, because a price solves hundreds of systems. */
let matrix = new Float64Array(0)
let changes = new Float64Array(0)
let isOpen = new Uint8Array(0)

function growArrays(paths: number): void {
  if (changes.length >= paths) return
  matrix = new Float64Array(paths * (paths + 2))
  changes = new Float64Array(paths)
  isOpen = new Uint8Array(paths)
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
  const count = open.length
  growArrays(size)
  isOpen.fill(0)
  for (let row = 0; row < count; row++) isOpen[open[row] as number] = 1
  let released = 0
  for (let path = 0; path < size; path++) {
    const change = isOpen[path] === 1 ? 0 : (next[path] as number) - (inputs[path] as number)
    changes[path] = change
    released -= change
  }
  const width = count + 2
  for (let row = 0; row < count; row++) {
    const path = open[row] as number
    const start = row * width
    const from = path * size
    for (let column = 0; column < count; column++)
      matrix[start + column] = sensitivity[from + (open[column] as number)] as number
    matrix[start + row] = (matrix[start + row] as number) * (1 + damping)
    let fallen = 0
    for (let other = 0; other < size; other++)
      fallen += (changes[other] as number) * (sensitivity[from + other] as number)
    matrix[start + count] = 2 * Math.sqrt(rates[path] as number)
    matrix[start + count + 1] = 2 + fallen
  }
  solve(matrix, count, 2)
  // The solutions: the change of each input per level, and its drop.
  let perLevel = 0
  let drop = 0
  for (let row = 0; row < count; row++) {
    perLevel += matrix[row * width + count] as number
    drop += matrix[row * width + count + 1] as number
  }
  const level = (released + drop) / perLevel
  for (let row = 0; row < count; row++) {
    const path = open[row] as number
    const end = row * width + count
    next[path] =
      (inputs[path] as number) + level * (matrix[end] as number) - (matrix[end + 1] as number)
  }
}

/**
 * Solves A x = b for several b by Gaussian elimination with partial pivoting.
 * @param rows the rows of A, each followed by its elements of the several b; the solutions replace these.
 */
export function solve(rows: Float64Array, size: number, several: number): void {
  const width = size + several
  for (let column = 0; column < size; column++) {
    const source = column * width
    swapRows(rows, source, largestBelow(rows, size, width, column) * width, width)
    const pivot = rows[source + column] as number
    for (let row = column + 1; row < size; row++) {
      const target = row * width
      const factor = (rows[target + column] as number) / pivot
      if (factor === 0) continue
      for (let k = column + 1; k < width; k++)
        rows[target + k] = (rows[target + k] as number) - factor * (rows[source + k] as number)
    }
  }
  for (let b = size; b < width; b++) substitute(rows, size, width, b)
}

/** The row on or below the diagonal with the largest absolute element in a column. */
function largestBelow(rows: Float64Array, size: number, width: number, column: number): number {
  let largest = column
  let max = Math.abs(rows[column * width + column] as number)
  for (let row = column + 1; row < size; row++) {
    const element = Math.abs(rows[row * width + column] as number)
    if (element <= max) continue
    largest = row
    max = element
  }
  return largest
}

function swapRows(rows: Float64Array, one: number, other: number, width: number): void {
  if (one === other) return
  for (let k = 0; k < width; k++) {
    const value = rows[one + k] as number
    rows[one + k] = rows[other + k] as number
    rows[other + k] = value
  }
}

function substitute(rows: Float64Array, size: number, width: number, b: number): void {
  for (let row = size - 1; row >= 0; row--) {
    const start = row * width
    let rest = rows[start + b] as number
    for (let k = row + 1; k < size; k++)
      rest -= (rows[start + k] as number) * (rows[k * width + b] as number)
    rows[start + b] = rest / (rows[start + row] as number)
  }
}
