import { getEventListeners } from 'node:events'
import { expect, test, vi } from 'vitest'
import { withDeadline } from './deadline.ts'

const never = () => new Promise<never>(() => undefined)

test('returns the result of the work, and throws its error', async () => {
  expect(await withDeadline(60, [undefined], async () => 7)).toBe(7)
  await expect(withDeadline(60, [], () => Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  )
})

test('ends after the deadline, and aborts the work', async () => {
  let signal: AbortSignal | undefined
  const ended = withDeadline(0.01, [], (given) => {
    signal = given
    return never()
  })
  await expect(ended).rejects.toThrow('no answer within 0.01 s')
  expect(signal?.aborted).toBe(true)
})

test('ends with the reason of any signal, also of one that had already fired', async () => {
  const [first, second] = [new AbortController(), new AbortController()]
  const ended = withDeadline(60, [first.signal, second.signal], never)
  second.abort(new Error('enough'))
  await expect(ended).rejects.toThrow('enough')
  await expect(withDeadline(60, [undefined, second.signal], never)).rejects.toThrow('enough')
})

test('leaves no timer and no listener behind, however the work ends', async () => {
  vi.useFakeTimers()
  const { signal } = new AbortController()
  const works = [
    async () => 7,
    () => Promise.reject(new Error('broken')),
    () => {
      throw new Error('broken at once')
    },
  ]
  for (const work of works) await withDeadline(60, [signal], work).catch(() => undefined)
  expect(vi.getTimerCount()).toBe(0)
  expect(getEventListeners(signal, 'abort')).toEqual([])
  vi.useRealTimers()
})
