/**
 * Solves A x = b for several b, where A is symmetric and positive (semi)definite, by A = L Lᵀ.
 * Where A is singular, up to rounding, the unknowns that nothing determines stay small.
 * @param a row by row; overwritten with L.
 * @param bs overwritten with the answers.
 */
export function solve(a: Float64Array, bs: readonly Float64Array[]): void {
  const size = Math.sqrt(a.length)
  factorise(a, size)
  for (const b of bs) substitute(a, size, b)
}

/** A pivot smaller than this share of its diagonal element is rounding. */
const leastPivot = 1e-12

function factorise(a: Float64Array, size: number): void {
  for (let row = 0; row < size; row++) {
    const ofRow = row * size
    for (let column = 0; column <= row; column++) {
      const ofColumn = column * size
      const element = a[ofRow + column] as number
      let rest = element
      for (let k = 0; k < column; k++)
        rest -= (a[ofRow + k] as number) * (a[ofColumn + k] as number)
      a[ofRow + column] =
        row === column
          ? Math.sqrt(Math.max(rest, leastPivot * element))
          : rest / (a[ofColumn + column] as number)
    }
  }
}

function substitute(l: Float64Array, size: number, b: Float64Array): void {
  for (let row = 0; row < size; row++) {
    let rest = b[row] as number
    for (let k = 0; k < row; k++) rest -= (l[row * size + k] as number) * (b[k] as number)
    b[row] = rest / (l[row * size + row] as number)
  }
  for (let row = size - 1; row >= 0; row--) {
    let rest = b[row] as number
    for (let k = row + 1; k < size; k++) rest -= (l[k * size + row] as number) * (b[k] as number)
    b[row] = rest / (l[row * size + row] as number)
  }
}
