import { expect, it } from 'vitest'
import { narrowFlow } from './flow.ts'

const flow = { paths: [[0], [2], [4]], inputs: Float64Array.of(3, 1, 0) }

it('scales the remaining paths of a flow to the same input', () => {
  expect(narrowFlow(flow, (path) => path > 0)).toEqual({
    paths: [[2], [4]],
    inputs: Float64Array.of(4, 0),
  })
})

it('splits the input evenly if the remaining paths of a flow had none', () => {
  const empty = { ...flow, inputs: Float64Array.of(4, 0, 0) }
  expect(narrowFlow(empty, (path) => path > 0)).toEqual({
    paths: [[2], [4]],
    inputs: Float64Array.of(2, 2),
  })
})
