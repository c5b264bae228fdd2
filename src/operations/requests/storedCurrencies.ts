import type { QuotedRequest, UpstreamExecution } from '#src/requests/quotedRequest.ts'

type Currencies = UpstreamExecution['upstream']['currencies']

/** The currencies that are stored with a request: of those that another service executes, whose chains may be unknown here. */
export const storedCurrencies = (request: QuotedRequest): Currencies | undefined =>
  request.execution === 'upstream' ? request.upstream.currencies : undefined
