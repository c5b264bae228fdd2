import { expect, it } from 'vitest'
import { createBackground } from './background.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Steps that are due, and a clock that each of them moves by a millisecond. */
function createWork(due: number) {
  let clock = 0
  let done = 0
  const background = createBackground({
    step: () => {
      clock += 1
      done += 1
      return done < due
    },
    now: () => clock,
  })
  const pass = (milliseconds: number) => {
    clock += milliseconds
  }
  return { ...background, pass, done: () => done }
}

it('does one step in a turn, until none is due', async () => {
  const { wake, done } = createWork(3)
  wake()
  wake()
  expect(done()).toBe(0)
  for (const expected of [1, 2, 3, 3]) {
    await turn()
    expect(done()).toBe(expected)
  }
})

it('leaves out a turn with a request, but not two in a row', async () => {
  const { wake, yieldTo, done } = createWork(10)
  wake()
  for (const expected of [0, 1, 1, 2]) {
    yieldTo()
    await turn()
    expect(done()).toBe(expected)
  }
  await turn()
  await turn()
  expect(done()).toBe(4)
})

it('gets a fifth of the time that requests take', async () => {
  const { wake, yieldTo, pass, done } = createWork(1_000)
  wake()
  for (let request = 0; request < 20; request += 1) {
    yieldTo()
    pass(50)
    await turn()
  }
  // Ten turns after two requests of 50 ms each.
  expect(done()).toBe(200)
})
