import { expect, it, vi } from 'vitest'
import { createDeadline } from './withDeadline.ts'

const never = new Promise<never>(() => {})

it('passes on a result that arrives in time, and refuses a late one, with other calls in between', async () => {
  const withDeadline = createDeadline(0.05)
  const late = Promise.withResolvers<string>()
  const first = withDeadline(late.promise)
  expect(await withDeadline(Promise.resolve('in time'))).toBe('in time')
  await expect(withDeadline(Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  const second = withDeadline(never)
  const refused = { code: 'REQUEST_TIMED_OUT', message: /longer than 0.05 seconds/ }
  await expect(first).rejects.toMatchObject({ code: refused.code })
  late.resolve('too late')
  await expect(second).rejects.toThrow(refused.message)
  expect(await withDeadline(Promise.resolve('again'))).toBe('again')
})

it('gives each its whole time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  try {
    const withDeadline = createDeadline(1)
    const ended: string[] = []
    const note = (name: string) => () => void ended.push(name)
    withDeadline(never).catch(note('first'))
    await vi.advanceTimersByTimeAsync(600)
    withDeadline(never).catch(note('second'))
    await vi.advanceTimersByTimeAsync(399)
    expect(ended).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(ended).toEqual(['first'])
    await vi.advanceTimersByTimeAsync(599)
    expect(ended).toEqual(['first'])
    await vi.advanceTimersByTimeAsync(1)
    expect(ended).toEqual(['first', 'second'])
  } finally {
    vi.useRealTimers()
  }
})
