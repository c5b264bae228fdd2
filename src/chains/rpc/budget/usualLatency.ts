/** Estimates the usual latency of an endpoint, by method. */
export type UsualLatency = Readonly<{
  record: (method: string, ms: number) => void
  /** Milliseconds after which an answer is slower than usual. */
  slowAfterMs: (method: string) => number
}>

type Estimate = Readonly<{ mean: number; deviation: number; count: number }>

/** Below this number of answers there is no estimate, and `unknownMs` is used. */
const minCount = 8
const unknownMs = 1_000
const bounds = { minMs: 50, maxMs: 2_000 }

/** @source RFC 6298: mean and deviation as TCP estimates them for its retransmissions. */
export function createUsualLatency(): UsualLatency {
  const estimates = new Map<string, Estimate>()
  return {
    record(method, ms) {
      const { mean, deviation, count } = estimates.get(method) ?? {
        mean: ms,
        deviation: ms / 2,
        count: 0,
      }
      estimates.set(method, {
        mean: mean + (ms - mean) / 8,
        deviation: deviation + (Math.abs(ms - mean) - deviation) / 4,
        count: count + 1,
      })
    },
    slowAfterMs(method) {
      const estimate = estimates.get(method)
      if (estimate === undefined || estimate.count < minCount) return unknownMs
      const { mean, deviation } = estimate
      return Math.min(Math.max(mean + 4 * deviation, bounds.minMs), bounds.maxMs)
    },
  }
}
