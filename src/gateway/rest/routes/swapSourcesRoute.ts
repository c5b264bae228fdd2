import { z } from 'zod'
import { component } from '#src/gateway/rest/bodies/bodySchema.ts'
import {
  chainIdParameter,
  referrerParameter,
  requireChain,
} from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'

const swapSourcesBody = component(
  'SwapSources',
  z
    .object({
      sources: z.array(z.string()).describe('Names, without duplicates, in alphabetical order.'),
    })
    .describe(
      'Names for the fields of quotes that include or exclude swap sources, such as `includedSwapSources`.',
    ),
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
  maxAgeSeconds: 60,
  example: (operations) => ({ chainId: operations.chains()[0]?.id }),
  answer({ chainId }, { operations }) {
    const chains = chainId === undefined ? operations.chains() : [requireChain(operations, chainId)]
    return { sources: [...new Set(chains.flatMap(({ swapSources }) => swapSources))].sort() }
  },
})
