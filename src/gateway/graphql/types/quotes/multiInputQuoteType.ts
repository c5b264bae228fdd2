import { builder } from '#src/gateway/graphql/builder.ts'
import { MultiInputQuoteInputType } from '#src/gateway/graphql/types/inputs/multiInputQuoteInputType.ts'
import { mostOrigins } from '#src/operations/input/multiInput.ts'
import type { MultiInputAnswer } from '#src/operations/operations.ts'
import { summaryFields } from './detailsType.ts'
import { FeesType } from './feesType.ts'
import { PricedBlockType } from './pricedBlockType.ts'
import { StepType } from './stepType.ts'

const MultiInputBreakdownType = builder
  .objectRef<MultiInputAnswer['breakdown'][number]>('MultiInputBreakdown')
  .implement({
    description: 'A part of the output, by when what pays for it arrives.',
    fields: (t) => ({
      value: t.expose('value', {
        type: 'Amount',
        description: 'The part, in the smallest unit of the destination currency.',
      }),
      timeEstimate: t.exposeInt('timeEstimate', {
        description: 'Seconds from the broadcast of these deposits until they could be paid out.',
      }),
    }),
  })

const MultiInputBalancesType = builder.objectRef<MultiInputAnswer>('MultiInputBalances').implement({
  description: 'What the users hold and what they need, in the destination currency.',
  fields: (t) => ({
    userBalance: t.field({
      type: 'Amount',
      description:
        'What the users hold of the origins’ currencies, as the smallest units of the destination currency that it is worth. Read from the chains: leave it out for the fastest answer.',
      resolve: (answer) => answer.userBalance(),
    }),
    requiredToSolve: t.field({
      type: 'Amount',
      description: 'What they have to hold for the origins that pay in, counted alike.',
      resolve: ({ currencyIn }) => currencyIn.amount,
    }),
  }),
})

const MultiInputDetailsType = builder.objectRef<MultiInputAnswer>('MultiInputDetails').implement({
  description: 'The summary of a multi-input quote: who pays and gets what, and how sure it is.',
  fields: (t) =>
    summaryFields(t as never, {
      sender: 'The root `user`, who deposits for every origin that names no user of its own.',
      currencyIn:
        'What the origins that pay in are worth together, in the destination currency. Its `minimumAmount` is its `amount`.',
      timeEstimate:
        'Seconds from the broadcast of all deposits to the payment, which waits for the last.',
      userBalance: 'The same as in `balances`.',
    }),
})

const MultiInputQuoteType = builder.objectRef<MultiInputAnswer>('MultiInputQuote').implement({
  description:
    'One swap into one currency that several deposits pay for. `requestId`, `steps` and `depositDeadline` make it a request, which is stored before the answer leaves; without them it costs what a price costs.',
  fields: (t) => ({
    requestId: t.field({
      type: 'Hex',
      description: 'Names this quote from here on, 32 bytes.',
      resolve: (answer) => answer.requestId(),
    }),
    steps: t.field({
      type: [StepType],
      description:
        'What the wallets do: for each origin that pays in an approval where it needs one, and its deposit, each a step of one item with its own chain and signer.',
      extensions: { items: 3 * mostOrigins },
      resolve: (answer) => answer.steps(),
    }),
    fees: t.expose('fees', {
      type: FeesType,
      description: 'What all of it costs, by component, in currencies of the destination chain.',
    }),
    breakdown: t.expose('breakdown', {
      type: [MultiInputBreakdownType],
      description:
        'The output in parts, by when the deposits that pay for them arrive, soonest first.',
      extensions: { items: mostOrigins },
    }),
    balances: t.field({
      type: MultiInputBalancesType,
      description: 'What the users hold, and what they need.',
      resolve: (answer) => answer,
    }),
    details: t.field({
      type: MultiInputDetailsType,
      description: 'Who pays and gets what.',
      resolve: (answer) => answer,
    }),
    depositDeadline: t.field({
      type: 'SafeInt',
      description:
        'Seconds since 1970: deposits in blocks with a later timestamp come too late, and are refunded.',
      resolve: (answer) => answer.depositDeadline(),
    }),
    blocks: t.expose('blocks', {
      type: [PricedBlockType],
      description: 'The blocks that all of it follows from, one a chain.',
      extensions: { items: mostOrigins + 1 },
    }),
  }),
})

builder.queryField('multiInputQuote', (t) =>
  t.field({
    type: MultiInputQuoteType,
    description:
      'Quotes one swap into one currency that several deposits pay for, each with its own chain, currency, amount and user; with the steps that make it so.',
    args: {
      input: t.arg({
        type: MultiInputQuoteInputType,
        required: true,
        description: 'What to swap into one currency, from where, for whom.',
      }),
    },
    // Every origin is worked out as a quote of its own is.
    extensions: { cost: 100 * mostOrigins },
    resolve: (_, { input }, { operations, loaders, apiKey }) =>
      operations.multiInputQuote(input, loaders, apiKey),
  }),
)
