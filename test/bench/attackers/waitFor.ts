import { setTimeout as pause } from 'node:timers/promises'

/** Asks again and again until the answer is true, or the time is up. Returns the last answer. */
export async function waitFor(ask: () => Promise<boolean>, seconds: number): Promise<boolean> {
  const until = performance.now() + seconds * 1000
  for (;;) {
    if (await ask()) return true
    if (performance.now() > until) return false
    await pause(50)
  }
}
