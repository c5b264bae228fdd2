import { expect, it } from 'vitest'
import { pausing } from '#src/core/steps.ts'
import { createWork } from './work.ts'

it('lets an answer be sent before the next slice of another order', async () => {
  const { pricing } = createWork(() => undefined)
  let steps = 0
  const short = pricing.run('one', () => undefined)
  const long = pricing.run('other', () =>
    pausing(function* () {
      for (; steps < 30; steps += 1) {
        const until = performance.now() + 1
        while (performance.now() < until);
        yield
      }
    }),
  )
  await short
  const before = steps
  await new Promise((resolve) => setImmediate(resolve))
  expect(steps).toBe(before)
  await long
  expect(steps).toBe(30)
})
