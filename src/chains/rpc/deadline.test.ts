import { expect, test } from 'vitest'
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
