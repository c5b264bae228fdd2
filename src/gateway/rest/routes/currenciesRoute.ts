import { z } from 'zod'
import type { RequestContext } from '#src/gateway/requestContext.ts'
import { listedCurrencyBody } from '#src/gateway/rest/bodies/currencyBody.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import { addressField, boundedList, chainIdField } from '#src/operations/input/inputFields.ts'
import type { CurrencyFilter } from '#src/operations/operations.ts'
import type { Currency } from '#src/units/currency.ts'

const defaultLimit = 20

const inputSchema = z.strictObject({
  chainIds: boundedList(chainIdField, 100, 'At most 100 chains')
    .nullish()
    .describe('Only currencies of these chains, at most 100 ids. Default: all chains.'),
  term: z
    .string()
    .max(128, 'At most 128 characters')
    .nullish()
    .describe(
      'Search text: part of the symbol or name (any case), or a whole address. At most 128 characters.',
    ),
  address: addressField
    .nullish()
    .describe(
      'Only currencies at this address. With `chainIds`, a currency that no list contains is read from its contract.',
    ),
  verified: z
    .boolean()
    .nullish()
    .describe(
      'Filter by verification. true: only currencies of a token list. false: only the others. Default: both.',
    ),
  limit: z
    .int('Must be an integer')
    .min(1, 'At least 1')
    .max(100, 'At most 100')
    .nullish()
    .describe(`Most results, 1 to 100. Default: ${defaultLimit}.`),
})

type Input = z.output<typeof inputSchema>

export const currenciesRoute = restRoute({
  path: '/currencies/v2',
  method: 'POST',
  operation: 'currencies',
  summary: 'Search currencies',
  description:
    'Known currencies by chain id, symbol, name or address. Ordered by chain; within a chain the native currency first, then verified ones, then by symbol.',
  input: inputSchema,
  body: z.array(listedCurrencyBody),
  takesApiKey: false,
  example: (operations) => ({ chainIds: operations.chains().map(({ id }) => id), term: 'usd' }),
  async answer(input, context) {
    const known = context.operations.currencies(filterOf(input))
    const found = [...known, ...(await readUnlisted(input, known, context))]
    return found
      .slice(0, input.limit ?? defaultLimit)
      .map(({ metadata, ...named }) => ({ ...named, vmType: 'evm' as const, metadata }))
  },
})

const filterOf = ({ chainIds, term, address, verified }: Input): CurrencyFilter => ({
  ...(chainIds != null && { chainIds }),
  ...(term != null && { term }),
  ...(address != null && { address }),
  ...(verified != null && { verified }),
})

/** Currencies that no list contains, read from their contracts. Only for a search by address. */
async function readUnlisted(
  { chainIds, term, address, verified }: Input,
  known: readonly Currency[],
  { operations, loaders }: RequestContext,
): Promise<readonly Currency[]> {
  if (address == null || chainIds == null || term != null || verified === true) return []
  const unknown = [...new Set(chainIds)].filter(
    (id) => operations.chain(id) !== undefined && known.every(({ chainId }) => chainId !== id),
  )
  const found = await Promise.all(unknown.map((id) => operations.currency(id, address, loaders)))
  return found.filter((currency) => currency !== undefined)
}
