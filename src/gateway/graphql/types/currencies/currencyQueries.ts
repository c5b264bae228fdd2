import { z } from 'zod'
import { builder } from '#src/gateway/graphql/builder.ts'
import { addressField, boundedList, chainIdField } from '#src/operations/input/inputFields.ts'
import { CurrencyConnectionType, pageOf } from './currencyConnection.ts'
import { CurrencyType } from './currencyType.ts'

const usualPage = 20

const currenciesArguments = z
  .strictObject({
    chainIds: boundedList(chainIdField, 100, 'At most 100 chains').nullish(),
    term: z.string().max(128, 'At most 128 characters').nullish(),
    verified: z.boolean().nullish(),
    first: z.int().min(0, 'At least 0').max(100, 'At most 100').nullish(),
    after: z.string().nullish(),
  })
  .transform(({ chainIds, term, verified, first, after }) => ({
    filter: {
      ...(chainIds != null && { chainIds }),
      ...(term != null && { term }),
      ...(verified != null && { verified }),
    },
    page: { first: first ?? usualPage, after: after ?? undefined },
  }))

const currencyArguments = z.strictObject({ chainId: chainIdField, address: addressField })

builder.queryFields((t) => ({
  currencies: t.field({
    type: CurrencyConnectionType,
    description:
      'The currencies that this gateway knows, by chain: the native one first, then the verified, then by symbol.',
    args: t.validate(
      {
        chainIds: t.arg({ type: ['ChainId'], description: 'Only on these. Default: every chain.' }),
        term: t.arg.string({
          description: 'Part of the symbol or the name in any case, or the whole address.',
        }),
        verified: t.arg.boolean({
          description: 'Only those that a token list vouches for, or only the others.',
        }),
        first: t.arg.int({ defaultValue: usualPage, description: 'Length of the page, 0 to 100.' }),
        after: t.arg.string({
          description: 'Cursor of the currency before the page. Default: from the start.',
        }),
      },
      currenciesArguments,
    ),
    extensions: { items: 'page' },
    resolve: (_, { filter, page }, { operations }) => pageOf(operations.currencies(filter), page),
  }),
  currency: t.field({
    type: CurrencyType,
    nullable: true,
    description:
      'One currency, read from its contract where no list knows it; null where none can be read at the address.',
    args: t.validate(
      {
        chainId: t.arg({ type: 'ChainId', required: true, description: 'The chain it lives on.' }),
        address: t.arg({
          type: 'Address',
          required: true,
          description: 'Its contract; the zero address for the native currency.',
        }),
      },
      currencyArguments,
    ),
    resolve: async (_, { chainId, address }, { operations, loaders }) =>
      (await operations.currency(chainId, address, loaders)) ?? null,
  }),
}))
