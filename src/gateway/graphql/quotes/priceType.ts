import { builder } from '#src/gateway/graphql/builder.ts'
import { PriceInputType } from '#src/gateway/graphql/inputs/priceInputType.ts'
import { units } from '#src/gateway/limits/units.ts'
import type { PriceAnswer } from '#src/service/answers.ts'
import { priceInput } from '#src/service/input/priceInput.ts'
import { pricedFields } from './commonFields.ts'
import { PriceDetailsType } from './detailsType.ts'
import { PriceIssuesType } from './issuesType.ts'

export const PriceType = builder.objectRef<PriceAnswer>('Price').implement({
  description:
    'An indicative price. It cannot be executed. The same input on the same blocks gives the same price.',
  fields: (t) => ({
    ...pricedFields(t, (price) => price),
    details: t.field({
      type: PriceDetailsType,
      description: 'Amounts, accounts, rate, price impact and slippage.',
      resolve: (answer) => answer,
    }),
    issues: t.field({
      type: PriceIssuesType,
      nullable: true,
      description: 'What the user lacks for the payment; null without a user.',
      resolve: ({ issues }) => issues ?? null,
    }),
  }),
})

builder.queryField('price', (t) =>
  t.field({
    type: PriceType,
    nullable: true,
    description:
      'Prices a swap or transfer between any two currencies, on one chain or across two, from pool states held in memory.',
    args: {
      input: t
        .arg({
          type: PriceInputType,
          required: true,
          description: 'Currencies, amount and accounts.',
        })
        .validate(priceInput),
    },
    extensions: { cost: 50, units: units.price },
    resolve: (_, { input }, { operations, loaders, client }) =>
      operations.price(input, loaders, client),
  }),
)
