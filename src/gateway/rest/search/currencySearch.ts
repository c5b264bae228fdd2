import { z } from 'zod'
import {
  addressField,
  boundedList,
  chainIdField,
  refuse,
  textField,
} from '#src/service/input/inputFields.ts'

export const defaultLimit = 20

/** `chainId:address`, the form in which existing clients name a currency. */
const tokenField = textField('A token must be a string').transform((text, context) => {
  const [, id = '', address = ''] = /^([0-9]{1,16}):(.*)$/s.exec(text) ?? []
  const chainId = chainIdField.safeParse(id === '' ? undefined : Number(id))
  const parsed = addressField.safeParse(address)
  if (!chainId.success || !parsed.success)
    return refuse(context, 'Must be a chain id, a colon and an address', 'INVALID_REQUEST')
  return { chainId: chainId.data, address: parsed.data }
})

const flag = z.boolean().nullish()

/** The body of /currencies/v2. */
export const currencySearch = z.strictObject({
  chainIds: boundedList(chainIdField, 100, 'At most 100 chains')
    .nullish()
    .describe('Only currencies of these chains, at most 100 ids. Empty or absent: all chains.'),
  term: z
    .string()
    .max(128, 'At most 128 characters')
    .nullish()
    .describe(
      'Search text: part of the symbol or name (any case), or a whole address. At most 128 characters. Empty: every currency.',
    ),
  address: addressField
    .nullish()
    .describe(
      'Only currencies at this address. With `chainIds`, a currency that no list contains is read from its contract.',
    ),
  currencyId: z
    .string()
    .max(128, 'At most 128 characters')
    .nullish()
    .describe(
      'Only currencies with this `id` of /chains: their symbol, in any case. At most 128 characters.',
    ),
  tokens: boundedList(tokenField, 100, 'At most 100 tokens')
    .nullish()
    .describe(
      'Exactly these currencies, in this order: at most 100 texts `chainId:address`. Unlisted ones are read from their contracts. The other filters apply too.',
    ),
  defaultList: flag.describe(
    'Whether to list only currencies of a token list: first the native ones, then those that the solver bridges. Default: false.',
  ),
  includeAllChains: flag.describe(
    'Whether a search by `chainIds` and `address` also returns the same asset on other chains. Default: false.',
  ),
  depositAddressOnly: flag.describe(
    'Whether to list only currencies that a deposit address accepts: those that the solver accepts without a swap. Default: false.',
  ),
  useExternalSearch: flag.describe(
    'Whether a currency that no list contains is read from its contract. No other service is asked. Default: true.',
  ),
  verified: flag.describe(
    'Filter by verification. true: only currencies of a token list. false: only the others. Default: both.',
  ),
  limit: z
    .int('Must be an integer')
    .min(1, 'At least 1')
    .max(100, 'At most 100')
    .nullish()
    .describe(`Maximum number of results, 1 to 100. Default: ${defaultLimit}.`),
  referrer: z
    .string()
    .max(128, 'At most 128 characters')
    .nullish()
    .describe('Name of the frontend, for logs. At most 128 characters.'),
})

export type CurrencySearch = z.output<typeof currencySearch>
