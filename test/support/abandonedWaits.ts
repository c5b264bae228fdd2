import { vi } from 'vitest'

/** The waits that have not ended, each with the line of its call. */
const pending = new Map<Promise<unknown>, string>()

const track = <Args extends readonly unknown[], Result>(
  wait: (...args: Args) => Promise<Result>,
): ((...args: Args) => Promise<Result>) => {
  return (...args) => {
    const waiting = wait(...args)
    pending.set(waiting, new Error('waits here').stack?.split('\n')[2]?.trim() ?? 'unknown')
    const forget = () => pending.delete(waiting)
    waiting.then(forget, forget)
    return waiting
  }
}

vi.waitFor = track(vi.waitFor) as typeof vi.waitFor
vi.waitUntil = track(vi.waitUntil) as typeof vi.waitUntil

/**
 * Returns, once for each, the lines of the calls whose waits a file has abandoned. Files share a process, and a wait of
 * vitest advances a fake clock at each poll: an abandoned wait would advance the clock of another file's test.
 */
export function takeAbandonedWaits(): readonly string[] {
  const abandoned = [...pending.values()]
  pending.clear()
  return abandoned
}
