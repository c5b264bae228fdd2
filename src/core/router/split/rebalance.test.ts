import fc from 'fast-check'
import { expect, it } from 'vitest'
import { solve } from './rebalance.ts'

it('solves a product with a known solution', () => {
  const systems = fc.integer({ min: 1, max: 8 }).chain((size) => {
    const numbers = (count: number) =>
      fc.array(fc.integer({ min: -9, max: 9 }), { minLength: count, maxLength: count })
    return fc.tuple(numbers(size * size), numbers(size), numbers(size))
  })
  fc.assert(
    fc.property(systems, ([elements, one, other]) => {
      const size = one.length
      // A strictly diagonally dominant matrix always has a solution.
      const a = Float64Array.from(elements, (element, i) =>
        i % (size + 1) === 0 ? element + Math.sign(element || 1) * 9 * size : element,
      )
      const times = (x: readonly number[]) =>
        Float64Array.from(x, (_, row) =>
          x.reduce((sum, value, column) => sum + (a[row * size + column] as number) * value, 0),
        )
      const bs = [times(one), times(other)]
      solve(a, bs)
      const answers = bs.map((b) => Array.from(b, (value) => Math.round(value * 1e6) / 1e6 + 0))
      expect(answers).toEqual([one.map((x) => x + 0), other.map((x) => x + 0)])
    }),
  )
})

it('pivots', () => {
  const b = Float64Array.of(3, 5)
  solve(Float64Array.of(0, 1, 1, 0), [b])
  expect([...b]).toEqual([5, 3])
})
