import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runs } from '#test/support/runs.ts'
import { createLiveTopic } from './liveTopic.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

type Step =
  | { type: 'block'; value: number }
  | { type: 'join'; minIntervalMs: number }
  | { type: 'stall' | 'resume' | 'leave'; reader: number }
  | { type: 'pass'; ms: number }
  | { type: 'fail' }

const reader = fc.nat(5)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ type: fc.constant('block'), value: fc.nat(2) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('join'),
      minIntervalMs: fc.constantFrom(0, 0, 10, 30),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ type: fc.constantFrom('stall', 'resume', 'resume'), reader }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('leave'), reader }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('pass'), ms: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('fail') }) },
)

/** A reader of a value: it has room until it stalls, and then takes one value more. */
type Reader = {
  minIntervalMs: number
  got: { value: number; at: number }[]
  isStalled: boolean
  isFull: boolean
  hasLeft: boolean
  ends: number
  leave: () => void
  resume: () => void
}

/** A topic that computes the newest value like live prices: for readers who are ready, or as soon as one is. */
function createRig() {
  let newest = 0
  const readers: Reader[] = []
  let isWanted = false
  const onWanted = () => {
    isWanted = true
  }
  const topic = createLiveTopic<number>(
    { onEmpty: () => {}, onWanted },
    (last, value) => last !== value,
  )
  topic.publish(newest)
  return {
    readers,
    newest: () => newest,
    settle: () => {
      if (isWanted) topic.publish(newest)
      isWanted = false
    },
    fail: () => topic.fail(new Error('over')),
    block: (value: number) => {
      newest = value
      if (topic.isAwaited()) topic.publish(value)
      else topic.invalidate()
    },
    join: (minIntervalMs: number) => {
      const items = topic.join(minIntervalMs)
      const own: Reader = {
        minIntervalMs,
        got: [],
        isStalled: false,
        isFull: false,
        hasLeft: false,
        ends: 0,
        leave: () => void items.return?.(),
        resume: () => {},
      }
      readers.push(own)
      own.resume = items.flow({
        take: (value) => {
          expect([own.isFull, own.hasLeft, own.ends]).toEqual([false, false, 0])
          expect(value).toBe(newest)
          own.got.push({ value, at: Date.now() })
          own.isFull = own.isStalled
          return !own.isFull
        },
        end: () => {
          expect([own.isFull, own.hasLeft]).toEqual([false, false])
          own.ends += 1
        },
      })
    },
  }
}

function act(rig: ReturnType<typeof createRig>, each: Step): void {
  const at = 'reader' in each ? rig.readers[each.reader] : undefined
  if (each.type === 'block') rig.block(each.value)
  else if (each.type === 'join') rig.join(each.minIntervalMs)
  else if (each.type === 'pass') vi.advanceTimersByTime(each.ms)
  else if (each.type === 'fail') rig.fail()
  else if (at === undefined || at.hasLeft) return
  else if (each.type === 'leave') {
    at.hasLeft = true
    at.leave()
  } else {
    at.isStalled = each.type === 'stall'
    if (at.isStalled || !at.isFull) return
    at.isFull = false
    at.resume()
  }
}

it('readers that rest, stall and leave get the newest value, none twice, and all that are ready have it', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), (steps) => {
      const rig = createRig()
      let failed = 0
      for (const each of steps) {
        if (each.type === 'fail') failed = rig.readers.length
        act(rig, each)
        rig.settle()
        for (const [at, { got, isFull, hasLeft, minIntervalMs, ends }] of rig.readers.entries()) {
          const isOver = at < failed
          expect(ends).toBe(isOver && !isFull && !hasLeft ? 1 : ends)
          const last = got.at(-1)
          const isResting = last !== undefined && Date.now() < last.at + minIntervalMs
          if (!isOver && !isFull && !hasLeft && !isResting) expect(last?.value).toBe(rig.newest())
          for (const [index, { value, at }] of got.slice(1).entries()) {
            const before = got[index]
            expect(value).not.toBe(before?.value)
            expect(at - (before?.at ?? 0)).toBeGreaterThanOrEqual(minIntervalMs)
          }
        }
      }
      for (const { leave } of rig.readers) leave()
      expect(vi.getTimerCount()).toBe(0)
    }),
    { numRuns: runs(300) },
  )
})
