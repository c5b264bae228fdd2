import { z } from 'zod'

const httpUrl = z.url({ protocol: /^https?$/ })

const endpoint = z.strictObject({
  url: httpUrl,
  /** Requests that may start in any second. Without it the rate is learnt from refusals. */
  requestsPerSecond: z.number().min(0.1).max(100_000).optional(),
  /** Requests that may be under way at a time. */
  maxInFlight: z.int().min(1).max(10_000).optional(),
  /** Blocks that one `eth_getLogs` may cover. Without it the range is learnt from refusals. */
  maxLogBlocks: z.int().min(1).max(1_000_000_000).optional(),
})

/** An endpoint as a URL, or with its limits. */
type Endpoint = z.output<typeof endpoint>

/** The limits of an endpoint that the operator knows. */
export type RpcLimits = Omit<Endpoint, 'url'>

/** Not a union, which would not name the wrong field. */
const entry = z
  .custom<string | z.input<typeof endpoint>>()
  .transform((given, context): Endpoint => {
    const parsed =
      typeof given === 'string'
        ? httpUrl.transform((url) => ({ url })).safeParse(given)
        : endpoint.safeParse(given)
    if (parsed.success) return parsed.data
    context.issues.push(...(parsed.error.issues as z.core.$ZodRawIssue[]))
    return z.NEVER
  })

/** Endpoints in order of preference. */
export const rpcEndpoints = z
  .array(entry)
  .min(1)
  .refine(
    (endpoints) => new Set(endpoints.map(({ url }) => url)).size === endpoints.length,
    'must differ: each endpoint has one vote',
  )

export const urlsOf = (endpoints: readonly Endpoint[]): string[] => endpoints.map(({ url }) => url)

/** What is known of the limits of each URL. One that reads and sends has them once: the first counts. */
export const limitsOf = (endpoints: readonly Endpoint[]): ReadonlyMap<string, RpcLimits> =>
  new Map(endpoints.toReversed().map(({ url, ...limits }) => [url, limits]))
