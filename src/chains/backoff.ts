import { setTimeout } from 'node:timers/promises'

type Bounds = Readonly<{ minMs: number; maxMs: number }>

const defaultBounds: Bounds = { minMs: 100, maxMs: 10_000 }

/**
 * The pause after `failures` consecutive failures, in milliseconds: `minMs` after the first, then doubled, at most
 * `maxMs`.
 */
export const backoffMs = (failures: number, { minMs, maxMs } = defaultBounds): number =>
  Math.min(minMs * 2 ** (failures - 1), maxMs)

/** Waits for `backoffMs`. Resolves at once when `signal` fires. */
export const backOff = (failures: number, signal: AbortSignal): Promise<void> =>
  pause(backoffMs(failures), signal)

/** Waits for `ms` milliseconds. Resolves at once when `signal` fires. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal }).catch(() => undefined)
