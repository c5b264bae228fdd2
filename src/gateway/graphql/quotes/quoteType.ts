import { builder } from '#src/gateway/graphql/builder.ts'
import { QuoteInputType } from '#src/gateway/graphql/inputs/quoteInputType.ts'
import { NodeType } from '#src/gateway/graphql/nodes/nodeType.ts'
import { units } from '#src/gateway/limits/units.ts'
import type { QuoteAnswer, StoredQuote } from '#src/service/operations.ts'
import { executionFields, pricedFields, quotedPriceOf } from './commonFields.ts'
import { ProtocolType } from './protocolType.ts'
import { QuoteDetailsType } from './quoteDetailsType.ts'

const QuoteType = builder.objectRef<QuoteAnswer | StoredQuote>('Quote').implement({
  interfaces: [NodeType],
  description:
    'An executable price. Selecting `id`, `requestId`, `steps` or `protocol` stores a request before the answer is sent. Without them the query costs as much as `price`.',
  fields: (t) => ({
    ...executionFields(t as never, 'Quote', {
      steps: 'Steps for the user’s wallet, in the order of execution.',
    }),
    ...pricedFields(t, (quote) => quotedPriceOf<QuoteAnswer>(quote)),
    details: t.field({
      type: QuoteDetailsType,
      description: 'Amounts, accounts, rate, route, price impact and slippage.',
      resolve: (quote) => quotedPriceOf<QuoteAnswer>(quote),
    }),
    protocol: t.field({
      type: ProtocolType,
      nullable: true,
      description:
        'The order that the solver fills; null if the user swaps without the solver. Selecting it stores the request.',
      resolve: async (answer) => (await answer.protocol()) ?? null,
    }),
  }),
})

builder.queryField('quote', (t) =>
  t.field({
    type: QuoteType,
    nullable: true,
    description:
      'Returns the price, and its execution: transactions for the user’s wallet, and the order that the solver fills.',
    args: {
      input: t.arg({
        type: QuoteInputType,
        required: true,
        description: 'Currencies, amount, accounts and execution options.',
      }),
    },
    extensions: { cost: 100, units: units.quote },
    resolve: (_, { input }, { operations, loaders, client }) =>
      operations.quote(input, loaders, client),
  }),
)
