import { builder } from '#src/gateway/graphql/builder.ts'
import { QuoteInputType } from '#src/gateway/graphql/types/inputs/quoteInputType.ts'
import type { QuoteAnswer } from '#src/operations/operations.ts'
import { FeesType } from './feesType.ts'
import { PricedBlockType } from './pricedBlockType.ts'
import { ProtocolType } from './protocolType.ts'
import { QuoteDetailsType } from './quoteDetailsType.ts'
import { StepType } from './stepType.ts'

const QuoteType = builder.objectRef<QuoteAnswer>('Quote').implement({
  description:
    'A price that can be executed. `requestId`, `steps` and `protocol` make it a request, which is stored before the answer leaves; without them it costs what a price costs.',
  fields: (t) => ({
    requestId: t.field({
      type: 'Hex',
      description: 'Names this quote from here on, 32 bytes.',
      resolve: (answer) => answer.requestId(),
    }),
    steps: t.field({
      type: [StepType],
      description: 'What the wallet does, in turn.',
      resolve: (answer) => answer.steps(),
    }),
    fees: t.expose('fees', { type: FeesType, description: 'What it costs, by component.' }),
    details: t.field({
      type: QuoteDetailsType,
      description: 'Who pays and gets what.',
      resolve: (answer) => answer,
    }),
    protocol: t.field({
      type: ProtocolType,
      nullable: true,
      description: 'The order that the solver fills; null where the user swaps alone.',
      resolve: async (answer) => (await answer.protocol()) ?? null,
    }),
    blocks: t.expose('blocks', {
      type: [PricedBlockType],
      description:
        'The blocks that all of it follows from, one a chain: the origin’s first, then the destination’s if another.',
    }),
  }),
})

builder.queryField('quote', (t) =>
  t.field({
    type: QuoteType,
    description:
      'Everything that `price` gives, and the steps that make it so: transactions for the user’s wallet, and the order that the solver fills.',
    args: {
      input: t.arg({
        type: QuoteInputType,
        required: true,
        description: 'What to swap into what, for whom, and how.',
      }),
    },
    extensions: { cost: 100 },
    resolve: (_, { input }, { operations, loaders, apiKey }) =>
      operations.quote(input, loaders, apiKey),
  }),
)
