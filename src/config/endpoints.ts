import { z } from 'zod'

const httpUrl = z.url({ protocol: /^https?$/ })

const endpoint = z.strictObject({
  url: httpUrl,
  /** Maximum requests that start within one second. Absent: the limit is learnt from refusals. */
  requestsPerSecond: z.number().min(0.1).max(100_000).optional(),
  /** Maximum concurrent requests. */
  maxInFlight: z.int().min(1).max(10_000).optional(),
  /** Maximum blocks of one `eth_getLogs`. Absent: the limit is learnt from refusals. */
  maxLogBlocks: z.int().min(1).max(1_000_000_000).optional(),
})

/** A URL, with limits if they are configured. */
type Endpoint = z.output<typeof endpoint>

/** The configured limits of an endpoint. */
export type RpcLimits = Omit<Endpoint, 'url'>

/** A URL or an object. A zod union would not name the wrong field. */
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

/** The configured limits of each URL. If a URL occurs in both lists, the first entry counts. */
export const limitsOf = (endpoints: readonly Endpoint[]): ReadonlyMap<string, RpcLimits> =>
  new Map(endpoints.toReversed().map(({ url, ...limits }) => [url, limits]))
