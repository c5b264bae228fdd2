import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRotation } from './rotation.ts'

test('every key comes up within one period, and none twice in one turn', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer(), { maxLength: 50 }),
      fc.integer({ min: 1, max: 60 }),
      fc.nat(100),
      (keys, period, before) => {
        const next = createRotation(new Set(keys), period)
        for (let turn = 0; turn < before; turn++) next()
        const turns = Array.from({ length: period }, next)
        expect(new Set(turns.flat())).toEqual(new Set(keys))
        for (const turn of turns) expect(new Set(turn).size).toBe(turn.length)
      },
    ),
  )
})

test('keys that join later come up too', () => {
  const keys = new Set(['a'])
  const next = createRotation(keys, 2)
  expect(next()).toEqual(['a'])
  keys.add('b').add('c')
  expect(new Set([next(), next()].flat())).toEqual(new Set(['a', 'b', 'c']))
})
