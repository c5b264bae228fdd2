import { describe, expect, it } from 'vitest'
import { createPausable, pausing, pausingBefore, type Steps } from './steps.ts'

/** Counts to `end` in as many steps. */
function* countTo(end: number, counted: () => void): Steps<number> {
  for (let step = 0; step < end; step += 1) {
    counted()
    yield
  }
  return end
}

describe('a pausable function', () => {
  it('does each step once, one in each slice that is too short', () => {
    let steps = 0
    let starts = 0
    const counted = () => {
      steps += 1
    }
    const { run } = createPausable(
      () => {
        starts += 1
        return pausing(() => countTo(3, counted)) + pausing(() => countTo(2, counted))
      },
      () => 1,
    )
    let slices = 1
    for (let result = run(1); ; result = run(1), slices += 1)
      if (result !== undefined) {
        expect(result()).toBe(5)
        break
      }
    // Each part ends with the step after its last pause.
    expect({ steps, slices, starts }).toEqual({ steps: 5, slices: 7, starts: 7 })
  })

  it('goes on as long as there is time', () => {
    let time = 0
    const tick = () => {
      time += 1
    }
    const { run } = createPausable(
      () => pausing(() => countTo(10, tick)),
      () => time,
    )
    expect(run(4)).toBeUndefined()
    expect(time).toBe(4)
    expect(run(100)?.()).toBe(10)
    expect(time).toBe(10)
  })

  it('does not pause parts within a part', () => {
    const { run } = createPausable(
      () => pausingBefore(() => pausing(() => countTo(5, () => {}))),
      () => 1,
    )
    expect(run(1)).toBeUndefined()
    expect(run(1)?.()).toBe(5)
  })

  it('throws the error of a part again each time it starts over', () => {
    const caught: unknown[] = []
    const { run } = createPausable(
      () => {
        try {
          pausing(function* () {
            yield
            throw new RangeError('no route')
          })
        } catch (error) {
          if (!(error instanceof RangeError)) throw error
          caught.push(error)
        }
        return pausing(() => countTo(1, () => {}))
      },
      () => 1,
    )
    expect([run(1), run(1), run(1)]).toEqual([undefined, undefined, undefined])
    expect(run(1)?.()).toBe(1)
    expect(new Set(caught).size).toBe(1)
    expect(caught.length).toBe(3)
  })

  it('ends with the error of the function', () => {
    const failure = new RangeError('no price')
    const { run } = createPausable<number>(
      () => {
        pausing(() => countTo(1, () => {}))
        throw failure
      },
      () => 1,
    )
    expect(run(1)).toBeUndefined()
    expect(run(1)).toThrow(failure)
  })

  it('leaves other functions alone between its slices', () => {
    const { run } = createPausable(
      () => pausing(() => countTo(5, () => {})),
      () => 1,
    )
    expect(run(1)).toBeUndefined()
    expect(pausing(() => countTo(3, () => {}))).toBe(3)
    expect(run(1)).toBeUndefined()
  })
})
