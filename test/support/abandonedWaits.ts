import { vi } from 'vitest'

/** The waits that are not over yet: where each began. */
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
 * Where the waits began that a file leaves behind. Files share a process, and a wait of vitest moves a fake clock on whenever it looks:
 * an abandoned one would move the clock of another file's test. Tells each of them once.
 */
export function takeAbandonedWaits(): readonly string[] {
  const abandoned = [...pending.values()]
  pending.clear()
  return abandoned
}
