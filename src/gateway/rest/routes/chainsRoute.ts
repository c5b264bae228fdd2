import { z } from 'zod'
import type { Currency } from '#src/core/units/currency.ts'
import { component } from '#src/gateway/rest/bodies/bodySchema.ts'
import { chainBody, encodeChain } from '#src/gateway/rest/bodies/chainBody.ts'
import { parameterText, referrerParameter } from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'

const chainsBody = component(
  'Chains',
  z
    .object({
      chains: z.array(chainBody).describe('All chains, in the order of the configuration.'),
    })
    .describe('The configured chains.'),
)

export const chainsRoute = restRoute({
  path: '/chains',
  method: 'GET',
  operation: 'chains',
  summary: 'Configured chains',
  description: 'All configured chains with their currencies and contracts.',
  input: z.strictObject({
    includeChains: parameterText()
      .max(512, 'At most 512 characters')
      .optional()
      .describe(
        'Chain ids, separated by commas. Not used: all chains are listed. At most 512 characters.',
      ),
    referrer: referrerParameter,
  }),
  body: chainsBody,
  takesApiKey: false,
  maxAgeSeconds: 10,
  example: () => undefined,
  answer(_, { operations }) {
    const listed = Map.groupBy(operations.currencies({ verified: true }), ({ chainId }) => chainId)
    const supportsPermit = ({ chainId, address }: Currency) =>
      operations.supportsPermit(chainId, address) ?? false
    return {
      chains: operations
        .chains()
        .map((chain) => encodeChain(chain, listed.get(chain.id) ?? [], supportsPermit)),
    }
  },
})
