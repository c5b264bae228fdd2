import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRotation } from './roundRobin.ts'

test('every key comes up once within any period', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer(), { maxLength: 50 }),
      fc.integer({ min: 1, max: 60 }),
      fc.nat(100),
      (keys, period, before) => {
        const next = createRotation(new Set(keys), period)
        for (let turn = 0; turn < before; turn++) next()
        const taken = Array.from({ length: period }, next).flat()
        expect(taken.sort()).toEqual(keys.sort())
      },
    ),
  )
})

test('the turns are of one size, to one key', () => {
  fc.assert(
    fc.property(fc.nat(200), fc.integer({ min: 1, max: 60 }), (size, period) => {
      const next = createRotation(new Set(Array.from({ length: size }, (_, key) => key)), period)
      for (let turn = 0; turn < 2 * period; turn++) {
        const { length } = next()
        expect(length).toBeGreaterThanOrEqual(Math.floor(size / period))
        expect(length).toBeLessThanOrEqual(Math.ceil(size / period))
      }
    }),
  )
})

test('keys that join later come up too', () => {
  const keys = new Set(['a'])
  const next = createRotation(keys, 1)
  expect(next()).toEqual(['a'])
  keys.add('b').add('c')
  expect(next()).toEqual(['b', 'c', 'a'])
})
