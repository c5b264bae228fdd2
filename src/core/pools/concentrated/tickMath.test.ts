import { expect, test } from 'vitest'
import { maxTick, minTick } from './tickMap.ts'
import { getSqrtRatioAtTick, getTickAtSqrtRatio, maxSqrtRatio, minSqrtRatio } from './tickMath.ts'

test('a tick starts exactly at its price', () => {
  // Every 31st tick: 31 is coprime to every spacing. Tests 57,000 of the 1.8 million ticks.
  for (let tick = minTick + 1; tick < maxTick; tick += 31) {
    const price = getSqrtRatioAtTick(tick)
    expect(getTickAtSqrtRatio(price)).toBe(tick)
    expect(getTickAtSqrtRatio(price - 1n)).toBe(tick - 1)
  }
})

test('prices have the range of the contract', () => {
  expect(getSqrtRatioAtTick(minTick)).toBe(minSqrtRatio)
  expect(getSqrtRatioAtTick(maxTick)).toBe(maxSqrtRatio)
  expect(getTickAtSqrtRatio(minSqrtRatio)).toBe(minTick)
  expect(getTickAtSqrtRatio(maxSqrtRatio - 1n)).toBe(maxTick - 1)
  expect(() => getSqrtRatioAtTick(minTick - 1)).toThrow(RangeError)
  expect(() => getSqrtRatioAtTick(maxTick + 1)).toThrow(RangeError)
  expect(() => getTickAtSqrtRatio(minSqrtRatio - 1n)).toThrow(RangeError)
  expect(() => getTickAtSqrtRatio(maxSqrtRatio)).toThrow(RangeError)
})
