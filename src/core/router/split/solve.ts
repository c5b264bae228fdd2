/**
 * Solves A x = b for several b by Gaussian elimination with partial pivoting.
 * @param a the matrix, row by row; overwritten.
 * @param bs overwritten with the solutions.
 */
export function solve(a: Float64Array, bs: readonly Float64Array[]): void {
  const size = Math.sqrt(a.length)
  for (let column = 0; column < size; column++) {
    const pivot = largestBelow(a, size, column)
    swap(a, column * size, pivot * size, size)
    for (const b of bs) swap(b, column, pivot, 1)
    for (let row = column + 1; row < size; row++) eliminate(a, size, bs, column, row)
  }
  for (const b of bs) substitute(a, size, b)
}

/** The row on or below the diagonal with the largest absolute element in a column. */
function largestBelow(a: Float64Array, size: number, column: number): number {
  let largest = column
  for (let row = column + 1; row < size; row++) {
    const element = Math.abs(a[row * size + column] as number)
    if (element > Math.abs(a[largest * size + column] as number)) largest = row
  }
  return largest
}

function swap(values: Float64Array, one: number, other: number, count: number): void {
  if (one === other) return
  for (let i = 0; i < count; i++) {
    const value = values[one + i] as number
    values[one + i] = values[other + i] as number
    values[other + i] = value
  }
}

/** Subtracts a multiple of the pivot row from another row, so that its element in the column becomes 0. */
function eliminate(
  a: Float64Array,
  size: number,
  bs: readonly Float64Array[],
  column: number,
  row: number,
): void {
  const source = column * size
  const target = row * size
  const factor = (a[target + column] as number) / (a[source + column] as number)
  if (factor === 0) return
  for (let k = column + 1; k < size; k++)
    a[target + k] = (a[target + k] as number) - factor * (a[source + k] as number)
  for (const b of bs) b[row] = (b[row] as number) - factor * (b[column] as number)
}

function substitute(a: Float64Array, size: number, b: Float64Array): void {
  for (let row = size - 1; row >= 0; row--) {
    let rest = b[row] as number
    for (let k = row + 1; k < size; k++) rest -= (a[row * size + k] as number) * (b[k] as number)
    b[row] = rest / (a[row * size + row] as number)
  }
}
