import { z } from 'zod'
import { component } from '#src/gateway/rest/bodies/bodySchema.ts'
import { chainBody, encodeChain } from '#src/gateway/rest/bodies/chainBody.ts'
import { referrerParameter } from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'

const chainsBody = component(
  'Chains',
  z
    .object({ chains: z.array(chainBody).describe('In the order of the configuration.') })
    .describe('Every chain that this gateway prices on.'),
)

export const chainsRoute = restRoute({
  path: '/chains',
  method: 'GET',
  operation: 'chains',
  summary: 'The chains',
  description: 'Every chain that is configured, with its currencies and contracts.',
  input: z.strictObject({ referrer: referrerParameter }),
  body: chainsBody,
  takesApiKey: false,
  example: () => undefined,
  answer(_, { operations }) {
    const listed = Map.groupBy(operations.currencies({ verified: true }), ({ chainId }) => chainId)
    return {
      chains: operations.chains().map((chain) => encodeChain(chain, listed.get(chain.id) ?? [])),
    }
  },
})
