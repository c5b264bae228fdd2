import { createJsonPoster } from '#src/chains/rpc/postJson.ts'
import { createRedactor } from '#src/chains/rpc/redact.ts'
import { createRpcEndpoint } from '#src/chains/rpc/rpcEndpoint.ts'
import type { RpcRequest } from '#src/chains/rpc/rpcRequest.ts'
import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Fact } from './fact.ts'

type Endpoints = Readonly<{
  id: ChainId
  rpcUrls: readonly string[]
  sendUrls?: readonly string[] | undefined
}>

/** What shows which chain an endpoint serves. */
export type Identity = Readonly<{
  /** Such as `chain id`. */
  name: string
  expected: string
  request: RpcRequest
  /** @throws UnusableAnswerError */
  parse: (answer: unknown) => string
}>

/** Each endpoint must serve the configured chain. */
export function endpointFacts(
  { log }: Readonly<{ log: Log }>,
  { id, rpcUrls, sendUrls = [] }: Endpoints,
  { name: property, expected, request, parse }: Identity,
  seconds: number,
): Promise<Fact[]> {
  const closing = new AbortController().signal
  const redact = createRedactor([...rpcUrls, ...sendUrls])
  const named = [
    ...rpcUrls.map((url, at) => ({ url, name: `rpcUrls.${at} ${property}` })),
    ...sendUrls.map((url, at) => ({ url, name: `sendUrls.${at} ${property}` })),
  ]
  return Promise.all(
    named.map(async ({ url, name }): Promise<Fact> => {
      try {
        const endpoint = createRpcEndpoint(
          { log, closing, redact, post: createJsonPoster(url) },
          { url, chainId: id, timeoutSeconds: seconds },
        )
        const found = parse(await endpoint.send(request))
        return { name, state: found === expected ? 'ok' : 'wrong', found, expected }
      } catch (error) {
        return { name, state: 'notChecked', found: redact(reasonOf(error)), expected }
      }
    }),
  )
}
