import { z } from 'zod'
import { component } from '#src/gateway/rest/bodies/bodySchema.ts'
import { chainIdParameter, referrerParameter } from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import { UnsupportedChainError } from '#src/operations/input/fieldError.ts'
import type { ChainSummary, Operations } from '#src/operations/operations.ts'

const swapSourcesBody = component(
  'SwapSources',
  z
    .object({
      sources: z.array(z.string()).describe('Names, without duplicates, in alphabetical order.'),
    })
    .describe('Names for `includedSwapSources` and the like in quotes.'),
)

export const swapSourcesRoute = restRoute({
  path: '/swap-sources',
  method: 'GET',
  operation: 'swapSources',
  summary: 'Swap sources',
  description: 'Names of the AMM deployments that routes can use.',
  input: z.strictObject({
    chainId: chainIdParameter
      .optional()
      .describe('Only sources of this chain. Default: all chains.'),
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
