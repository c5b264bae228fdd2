import { builder, type FieldsOf } from '#src/gateway/graphql/builder.ts'
import { CurrencyType } from '#src/gateway/graphql/currencies/currencyType.ts'
import { units } from '#src/gateway/limits/units.ts'
import type {
  AllowanceShortfall,
  MultiInputIssues,
  PriceIssues,
  QuoteIssues,
  Shortfall,
} from '#src/service/answers.ts'
import { maxOrigins } from '#src/service/input/multiInput.ts'
import type { GasReason } from '#src/service/quotedSteps.ts'

const shortfallFields = (t: FieldsOf<Shortfall>) => ({
  currency: t.expose('currency', { type: CurrencyType, description: 'The currency.' }),
  expected: t.expose('expected', {
    type: 'Amount',
    description: 'Amount that is needed, in the smallest unit of `currency`.',
  }),
  actual: t.expose('actual', {
    type: 'Amount',
    description: 'Amount that there is, in the smallest unit of `currency`. Less than `expected`.',
  }),
})

const BalanceIssueType = builder.objectRef<Shortfall>('BalanceIssue').implement({
  description: 'The user holds less than the input.',
  fields: shortfallFields,
})

const AllowanceIssueType = builder.objectRef<AllowanceShortfall>('AllowanceIssue').implement({
  description:
    'The user has approved less than the input. The steps of a quote begin with an approval.',
  fields: (t) => ({
    ...shortfallFields(t as never),
    spender: t.expose('spender', {
      type: 'Address',
      description: 'The contract that needs the allowance.',
    }),
  }),
})

const GasReasonType = builder.enumType('GasReason', {
  description: 'Why a transaction has no gas limit.',
  values: {
    EARLIER_TRANSACTION: { description: 'Another transaction of the quote must come first.' },
    WOULD_REVERT: { description: 'It would revert now, for example for lack of balance.' },
    UNKNOWN: { description: 'No node told.' },
  } satisfies Record<GasReason, object>,
})

const GasIssueType = builder.objectRef<Readonly<{ reason: GasReason }>>('GasIssue').implement({
  description: 'A transaction of the steps has a null `gas`.',
  fields: (t) => ({
    reason: t.expose('reason', {
      type: GasReasonType,
      description:
        'The reason. Of several transactions the most serious one: WOULD_REVERT before UNKNOWN before EARLIER_TRANSACTION.',
    }),
  }),
})

const issueFields = (t: FieldsOf<PriceIssues>) => ({
  balance: t.field({
    type: BalanceIssueType,
    nullable: true,
    description:
      'The missing balance of the origin currency; null if there is enough, or if no node tells within 250 ms. Needs an RPC call.',
    resolve: async ({ balance }) => (await balance()) ?? null,
  }),
  allowance: t.field({
    type: AllowanceIssueType,
    nullable: true,
    description:
      'The missing allowance; null if none is needed, if there is enough, or if no node tells within 250 ms. Needs an RPC call.',
    resolve: async ({ allowance }) => (await allowance()) ?? null,
  }),
})

export const PriceIssuesType = builder.objectRef<PriceIssues>('PriceIssues').implement({
  description: 'What the user lacks for the payment.',
  fields: issueFields,
})

type OriginIssues = MultiInputIssues['origins'][number]

const OriginIssuesType = builder.objectRef<OriginIssues>('OriginIssues').implement({
  description: 'What a user lacks for one deposit.',
  fields: (t) => ({
    ...issueFields(t as never),
    origin: t.exposeInt('at', { description: 'Place of its origin in `origins` of the input.' }),
    user: t.expose('user', { type: 'Address', description: 'Account that deposits.' }),
  }),
})

const gasField = (t: FieldsOf<Pick<QuoteIssues, 'gas'>>) =>
  t.field({
    type: GasIssueType,
    nullable: true,
    description:
      'Why a transaction has no gas limit; null if each has one. Selecting it stores the request, and simulates the transactions.',
    extensions: { units: units.gas },
    resolve: async ({ gas }) => (await gas()) ?? null,
  })

export const MultiInputIssuesType = builder
  .objectRef<MultiInputIssues>('MultiInputIssues')
  .implement({
    description: 'What the users lack for their deposits, and what is unknown of the transactions.',
    fields: (t) => ({
      origins: t.expose('origins', {
        type: [OriginIssuesType],
        description: 'One for each deposit.',
        extensions: { items: maxOrigins },
      }),
      gas: gasField(t as never),
    }),
  })

export const QuoteIssuesType = builder.objectRef<QuoteIssues>('QuoteIssues').implement({
  description: 'What the user lacks for the payment, and what is unknown of its transactions.',
  fields: (t) => ({
    ...issueFields(t as never),
    gas: gasField(t as never),
  }),
})
