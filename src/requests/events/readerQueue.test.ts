import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '#test/support/runs.ts'
import { createReaderQueue } from './readerQueue.ts'

const maxQueued = 3

type Step = 'push' | 'pushAll' | 'stall' | 'resume' | 'finish' | 'fail' | 'leave'

const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant<Step>('push') },
    { weight: 4, arbitrary: fc.constantFrom<Step[]>('stall', 'resume') },
    { weight: 1, arbitrary: fc.constantFrom<Step[]>('pushAll', 'finish', 'fail', 'leave') },
  ),
  { maxLength: 40, size: 'max' },
)

it('passes all pushed items in order to a sink that stalls, before the end or the error', () => {
  fc.assert(
    fc.property(steps, fc.nat(5), (all, flowAfter) => {
      let ended = 0
      const queue = createReaderQueue<number>(() => (ended += 1), { maxQueued })
      const got: (number | string)[] = []
      let isStalled = false
      let isFull = false
      let hasLeft = false
      let resume = () => {}
      const flow = () => {
        resume = queue.items.flow({
          take: (item) => {
            expect([isFull, hasLeft]).toEqual([false, false])
            got.push(item)
            isFull = isStalled
            return !isFull
          },
          end: (why) => {
            expect([isFull, hasLeft]).toEqual([false, false])
            got.push(why === undefined ? 'end' : `${(why.error as { code?: string }).code}`)
          },
        })
      }
      const expected: (number | string)[] = []
      let next = 0
      for (const [at, step] of all.entries()) {
        if (at === flowAfter && !hasLeft) flow()
        const isFlowing = at >= flowAfter
        const waiting = expected.length - got.length
        const isOpen = queue.isOpen()
        if (step === 'stall') isStalled = true
        else if (step === 'resume') {
          isStalled = false
          const wasFull = isFull
          isFull = false
          if (wasFull && !hasLeft) resume()
        } else if (step === 'leave') {
          hasLeft = true
          void queue.items.return?.()
        } else if (step === 'finish') {
          if (isOpen) expected.push('end')
          queue.finish()
        } else if (step === 'fail') {
          if (isOpen) expected.push('over')
          queue.fail({ code: 'over' })
        } else if (step === 'pushAll') {
          if (isOpen) expected.push(next, next + 1)
          queue.pushAll([next, next + 1])
          next += 2
        } else {
          if (isOpen) expected.push(waiting >= maxQueued ? 'SUBSCRIBER_TOO_SLOW' : next)
          queue.push(next)
          next += 1
        }
        expect(got).toEqual(expected.slice(0, got.length))
        if (isFlowing && !isFull && !hasLeft) expect(got).toEqual(expected)
      }
      expect(ended).toBe(queue.isOpen() ? 0 : 1)
    }),
    { numRuns: runs(500) },
  )
})
