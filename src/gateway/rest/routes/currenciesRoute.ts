import { z } from 'zod'
import type { Context } from '#src/gateway/requestContext.ts'
import { listedCurrencyBody } from '#src/gateway/rest/bodies/currencyBody.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import { addressField, boundedList, chainIdField } from '#src/operations/input/inputFields.ts'
import type { CurrencyFilter } from '#src/operations/operations.ts'
import type { Currency } from '#src/units/currency.ts'

const usualLimit = 20

const currenciesInput = z.strictObject({
  chainIds: boundedList(chainIdField, 100, 'At most 100 chains')
    .nullish()
    .describe('Only on these, at most 100. Default: every chain.'),
  term: z
    .string()
    .max(128, 'At most 128 characters')
    .nullish()
    .describe('Part of the symbol or the name in any case, or the whole address.'),
  address: addressField
    .nullish()
    .describe(
      'Only the currency at this address. With `chainIds`, one that no list knows is read from its contract.',
    ),
  verified: z
    .boolean()
    .nullish()
    .describe('Only those that a token list vouches for, or only the others.'),
  limit: z
    .int('An integer')
    .min(1, 'At least 1')
    .max(100, 'At most 100')
    .nullish()
    .describe(`How many at the most, 1 to 100. Default: ${usualLimit}.`),
})

type Wanted = z.output<typeof currenciesInput>

export const currenciesRoute = restRoute({
  path: '/currencies/v2',
  method: 'POST',
  operation: 'currencies',
  summary: 'Currencies by chain, name or address',
  description:
    'The currencies that this gateway knows, by chain: the native one first, then the verified, then by symbol.',
  input: currenciesInput,
  body: z.array(listedCurrencyBody),
  takesApiKey: false,
  example: (operations) => ({ chainIds: operations.chains().map(({ id }) => id), term: 'usd' }),
  async answer(wanted, context) {
    const known = context.operations.currencies(filterOf(wanted))
    const found = [...known, ...(await readStrangers(wanted, known, context))]
    return found
      .slice(0, wanted.limit ?? usualLimit)
      .map(({ metadata, ...named }) => ({ ...named, vmType: 'evm' as const, metadata }))
  },
})

const filterOf = ({ chainIds, term, address, verified }: Wanted): CurrencyFilter => ({
  ...(chainIds != null && { chainIds }),
  ...(term != null && { term }),
  ...(address != null && { address }),
  ...(verified != null && { verified }),
})

/** Who pastes an address that no list knows wants to see what is there. */
async function readStrangers(
  { chainIds, term, address, verified }: Wanted,
  known: readonly Currency[],
  { operations, loaders }: Context,
): Promise<readonly Currency[]> {
  if (address == null || chainIds == null || term != null || verified === true) return []
  const unknown = [...new Set(chainIds)].filter(
    (id) => operations.chain(id) !== undefined && known.every(({ chainId }) => chainId !== id),
  )
  const found = await Promise.all(unknown.map((id) => operations.currency(id, address, loaders)))
  return found.filter((currency) => currency !== undefined)
}
