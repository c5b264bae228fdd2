import type { QuotedRequest, UpstreamExecution } from '#src/requests/quotedRequest.ts'

type Currencies = UpstreamExecution['upstream']['currencies']

/** The stored currencies of a request that another service executes. This gateway may not know its chains. */
export const storedCurrencies = (request: QuotedRequest): Currencies | undefined =>
  request.execution === 'upstream' ? request.upstream.currencies : undefined
