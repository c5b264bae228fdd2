import { builder } from '#src/gateway/graphql/builder.ts'
import { PriceInputType } from '#src/gateway/graphql/types/inputs/priceInputType.ts'
import type { PriceAnswer } from '#src/operations/operations.ts'
import { PriceDetailsType } from './detailsType.ts'
import { FeesType } from './feesType.ts'
import { PricedBlockType } from './pricedBlockType.ts'

const PriceType = builder.objectRef<PriceAnswer>('Price').implement({
  description:
    'What a swap comes to right now: indicative, with nothing to execute. The same request on the same blocks gives the same price.',
  fields: (t) => ({
    fees: t.expose('fees', { type: FeesType, description: 'What it costs, by component.' }),
    details: t.field({
      type: PriceDetailsType,
      description: 'Who pays and gets what.',
      resolve: (answer) => answer,
    }),
    blocks: t.expose('blocks', {
      type: [PricedBlockType],
      description:
        'The blocks that all of it follows from, one a chain: the origin’s first, then the destination’s if another.',
    }),
  }),
})

builder.queryField('price', (t) =>
  t.field({
    type: PriceType,
    description:
      'Prices a swap or a transfer between any two currencies, on one chain or between two, from state held in memory.',
    args: {
      input: t.arg({
        type: PriceInputType,
        required: true,
        description: 'What to swap into what, for whom.',
      }),
    },
    extensions: { cost: 50 },
    resolve: (_, { input }, { operations, loaders }) => operations.price(input, loaders),
  }),
)
