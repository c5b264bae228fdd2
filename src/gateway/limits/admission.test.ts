import { expect, it } from 'vitest'
import { createAdmission } from './admission.ts'

/** An event loop whose requests take a known time each. */
function createLoop({ maxQueueMs = 10, maxInFlight = 1_000, waitMs = 0 } = {}) {
  let now = 0
  const ends: (() => void)[] = []
  const admission = createAdmission(
    { now: () => now, atEndOfTurn: (callback) => void ends.push(callback) },
    { maxQueueMs, maxInFlight },
  )
  return {
    admission,
    /** One turn with `requests` at a time. Returns how many are answered; refusals take a tenth of the time. */
    turn: (requests: number, eachMs: number): number => {
      let admitted = 0
      for (let at = 0; at < requests; at += 1) {
        const isAdmitted = admission.admits(() => waitMs)
        if (isAdmitted) admitted += 1
        now += isAdmitted ? eachMs : eachMs / 10
      }
      for (const end of ends.splice(0)) end()
      now += 1
      return admitted
    },
    idle: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

it('answers everything below its capacity, and single turns that are long', () => {
  const { turn } = createLoop()
  for (let at = 0; at < 100; at += 1) expect(turn(9, 1)).toBe(9)
  expect(turn(500, 1)).toBe(500)
  expect(turn(9, 1)).toBe(9)
  for (let at = 0; at < 100; at += 1) {
    expect(turn(1, 300)).toBe(1)
    expect(turn(1, 1)).toBe(1)
  }
})

it('refuses requests that arrive after the work of a turn while turns are too long, and then no more', () => {
  const { turn } = createLoop()
  const admitted = Array.from({ length: 20 }, () => turn(400, 0.25))
  expect(admitted[0]).toBe(400)
  expect(new Set(admitted.slice(3))).toEqual(new Set([41]))
  // Those who were refused come again together.
  turn(5, 1)
  expect(turn(400, 0.25)).toBe(41)
  for (let at = 0; at < 3_000; at += 1) turn(1, 1)
  expect(turn(400, 0.25)).toBe(400)
})

it('never refuses the first 32 requests in flight', () => {
  const { admission, turn } = createLoop()
  for (let at = 0; at < 20; at += 1) turn(100, 1)
  expect(turn(100, 1)).toBe(32)
  for (let at = 0; at < 20; at += 1) admission.enter()
  expect(turn(100, 1)).toBe(32)
  for (let at = 0; at < 20; at += 1) admission.enter()
  expect(turn(100, 1)).toBe(11)
})

it('refuses requests beyond the limit of requests in flight', () => {
  const { admission } = createLoop({ maxInFlight: 2 })
  const leave = admission.enter()
  expect(admission.admits(() => 0)).toBe(true)
  admission.enter()
  expect(admission.admits(() => 0)).toBe(false)
  leave()
  expect(admission.admits(() => 0)).toBe(true)
})

it('admits everything at 0', () => {
  const { turn } = createLoop({ maxQueueMs: 0 })
  for (let at = 0; at < 10; at += 1) expect(turn(100, 1)).toBe(100)
})

it('forgets a long turn while nothing is asked', () => {
  const { turn, idle } = createLoop()
  turn(100, 1)
  idle(600_000)
  expect(turn(100, 1)).toBe(100)
})

it('admits the requests of a lone client, however long each turn is', () => {
  const { turn, idle } = createLoop()
  for (let at = 0; at < 100; at += 1) {
    expect(turn(6, 50)).toBe(6)
    idle(at)
  }
})

it('refuses requests while orders wait for too long, but not the first ones', () => {
  const { turn } = createLoop({ waitMs: 11 })
  expect(turn(100, 0)).toBe(32)
})
