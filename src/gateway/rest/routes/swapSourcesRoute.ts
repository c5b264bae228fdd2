import { z } from 'zod'
import { component } from '#src/gateway/rest/bodies/bodySchema.ts'
import { chainIdParameter, referrerParameter } from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import type { ChainSummary, Operations } from '#src/operations/operations.ts'
import { UnsupportedChainError } from '#src/operations/unsupportedChain.ts'

const swapSourcesBody = component(
  'SwapSources',
  z
    .object({ sources: z.array(z.string()).describe('By name, each once.') })
    .describe('Names for the lists of swap sources that a quote takes.'),
)

export const swapSourcesRoute = restRoute({
  path: '/swap-sources',
  method: 'GET',
  operation: 'swapSources',
  summary: 'What routes may trade through',
  description: 'Names of the AMM deployments that routes on a chain, or on any, may use.',
  input: z.strictObject({
    chainId: chainIdParameter.optional().describe('Only those of this chain. Default: all.'),
    referrer: referrerParameter,
  }),
  body: swapSourcesBody,
  takesApiKey: false,
  example: (operations) => ({ chainId: operations.chains()[0]?.id }),
  answer({ chainId }, { operations }) {
    const chains = chainId === undefined ? operations.chains() : [chainOf(operations, chainId)]
    return { sources: [...new Set(chains.flatMap(({ swapSources }) => swapSources))].sort() }
  },
})

/** @throws AppError UNSUPPORTED_CHAIN */
function chainOf(operations: Operations, chainId: number): ChainSummary {
  const chain = operations.chain(chainId)
  if (chain === undefined)
    throw new UnsupportedChainError(['chainId'], chainId, operations.chains())
  return chain
}
