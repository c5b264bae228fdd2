import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRoundRobin } from './roundRobin.ts'

test('every key comes once within any period', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer(), { maxLength: 50 }),
      fc.integer({ min: 1, max: 60 }),
      fc.nat(100),
      (keys, period, before) => {
        const next = createRoundRobin(new Set(keys), period)
        for (let turn = 0; turn < before; turn++) next()
        const taken = Array.from({ length: period }, next).flat()
        expect(taken.sort()).toEqual(keys.sort())
      },
    ),
  )
})

test('batches differ in size by at most one key', () => {
  fc.assert(
    fc.property(fc.nat(200), fc.integer({ min: 1, max: 60 }), (size, period) => {
      const next = createRoundRobin(new Set(Array.from({ length: size }, (_, key) => key)), period)
      for (let turn = 0; turn < 2 * period; turn++) {
        const { length } = next()
        expect(length).toBeGreaterThanOrEqual(Math.floor(size / period))
        expect(length).toBeLessThanOrEqual(Math.ceil(size / period))
      }
    }),
  )
})

test('keys that are added later are included', () => {
  const keys = new Set(['a'])
  const next = createRoundRobin(keys, 1)
  expect(next()).toEqual(['a'])
  keys.add('b').add('c')
  expect(next()).toEqual(['b', 'c', 'a'])
})
