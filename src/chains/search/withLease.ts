import { randomUUID } from 'node:crypto'
import { pause } from '#src/chains/backoff.ts'
import type { SearchLeases } from './searchStore.ts'

/** In milliseconds. A killed process holds its lease for at most `leaseMs`. */
const defaultTiming = { leaseMs: 5_000, beatMs: 1_500, retryMs: 500 }

type LeaseArgs = Readonly<{
  duty: string
  /** Called once if another process holds the lease. */
  onWait: () => void
  signal: AbortSignal
  timing?: typeof defaultTiming
}>

/**
 * Runs `work` under the lease of this duty, so that no other process of the database does it at the same time.
 * Undefined if the signal fires before the lease is acquired. The lease can be lost, for example if this process is
 * frozen: `work` must stay correct if another process does the duty in parallel.
 * @throws what the store and `work` throw
 */
export async function withLease<Value>(
  store: SearchLeases,
  { duty, onWait, signal, timing = defaultTiming }: LeaseArgs,
  work: () => Promise<Value>,
): Promise<Value | undefined> {
  const { leaseMs, beatMs, retryMs } = timing
  const request = { duty, holder: randomUUID(), leaseMs }
  let lease = await store.acquireLease(request)
  if (lease === undefined) onWait()
  while (lease === undefined && !signal.aborted) {
    await pause(retryMs, signal)
    if (!signal.aborted) lease = await store.acquireLease(request)
  }
  if (lease === undefined) return undefined
  let current = lease
  const beat = setInterval(() => {
    // A lease that cannot be extended expires.
    store.acquireLease(request).then(
      (extended) => {
        current = extended ?? current
      },
      () => undefined,
    )
  }, beatMs)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    await store.releaseLease(current).catch(() => undefined)
  }
}
