/** Reason of a refusal: too many requests, or an error answer to the request. */
type RefusalReason = 'rateLimit' | 'refused'

type Refusal = Readonly<{ method: string; reason: RefusalReason; count: number }>

/** Counts the requests to one endpoint and its refusals. */
export type UsageCounter = Readonly<{
  countRequest: (method: string) => void
  countRefusal: (method: string, reason: RefusalReason) => void
  /** Number of requests sent so far, by method, including retries and checks of the chain id. */
  requests: () => ReadonlyMap<string, number>
  refusals: () => readonly Refusal[]
}>

export function createUsageCounter(): UsageCounter {
  const requests = new Map<string, number>()
  const refusals = new Map<string, Refusal>()
  return {
    countRequest: (method) => void requests.set(method, (requests.get(method) ?? 0) + 1),
    countRefusal: (method, reason) => {
      const key = `${method} ${reason}`
      const count = (refusals.get(key)?.count ?? 0) + 1
      refusals.set(key, { method, reason, count })
    },
    requests: () => requests,
    refusals: () => [...refusals.values()],
  }
}
