import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '#test/support/runs.ts'
import { createCallGate, NodesBusyError } from './callGate.ts'

/** Work that ends when the test ends it. */
function createWork() {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { end, run: () => ended }
}
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

it('runs no more calls than its size at a time, refuses calls beyond its queue, and loses no place', async () => {
  const actions = fc.array(fc.constantFrom('start', 'end', 'abort'), { maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.nat(4),
      actions,
      async (size, queue, script) => {
        const gate = createCallGate(() => new NodesBusyError(1), {
          maxRunning: size,
          maxWaiting: queue,
        })
        const running: (() => void)[] = []
        const waiting: AbortController[] = []
        let refused = 0
        for (const action of script) {
          if (action === 'start') {
            const expectsRefusal = running.length === size && waiting.length === queue
            const { end, run } = createWork()
            const stop = new AbortController()
            waiting.push(stop)
            const forget = () => {
              const at = waiting.indexOf(stop)
              if (at >= 0) waiting.splice(at, 1)
            }
            const before = refused
            gate
              .run(() => {
                forget()
                running.push(end)
                return run()
              }, stop.signal)
              .catch((error) => {
                forget()
                if (error.code === 'OVERLOADED') refused += 1
              })
            await turn()
            expect(refused - before).toBe(expectsRefusal ? 1 : 0)
          } else if (action === 'end') running.shift()?.()
          else waiting[0]?.abort(new Error('Nobody waits for it'))
          await turn()
          expect(running.length).toBeLessThanOrEqual(size)
          expect(waiting.length === 0 || running.length === size).toBe(true)
        }
        // All places are free in the end.
        while (running.length > 0) {
          running.shift()?.()
          await turn()
        }
        const last = Array.from({ length: size }, createWork)
        const all = last.map(({ run }) => gate.run(run))
        for (const { end } of last) end()
        await Promise.all(all)
      },
    ),
    { numRuns: runs(100) },
  )
})
