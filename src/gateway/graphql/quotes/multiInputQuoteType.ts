import { builder } from '#src/gateway/graphql/builder.ts'
import { described, TxInputType } from '#src/gateway/graphql/inputs/priceInputType.ts'
import { NodeType } from '#src/gateway/graphql/nodes/nodeType.ts'
import { WalletCallsType } from '#src/gateway/graphql/steps/walletCallsType.ts'
import { units } from '#src/gateway/limits/units.ts'
import type { MultiInputAnswer, StoredQuote } from '#src/service/answers.ts'
import { maxOrigins, multiInput, originInput } from '#src/service/input/multiInput.ts'
import { batchesOf } from '#src/service/quote/walletCalls.ts'
import { executionFields, pricedFields, quotedPriceOf } from './commonFields.ts'
import { summaryFields } from './detailsType.ts'
import { MultiInputIssuesType } from './issuesType.ts'

const OriginInputType = builder.inputType('OriginInput', {
  description: 'One deposit of a multi-input quote: chain, currency, amount and user.',
  fields: (t) => {
    const { chainId, currency, amount, user } = originInput.shape
    return {
      chainId: t.field({ type: 'ChainId', required: true, ...described(chainId) }),
      currency: t.field({ type: 'Address', required: true, ...described(currency) }),
      amount: t.field({ type: 'Amount', required: true, ...described(amount) }),
      user: t.field({ type: 'Address', ...described(user) }),
    }
  },
})

const MultiInputTradeTypeType = builder.enumType('MultiInputTradeType', {
  description: 'Which amount of a multi-input quote is fixed.',
  values: {
    EXACT_INPUT: { description: 'Each origin deposits exactly its `amount`.' },
    EXACT_OUTPUT: {
      description:
        'The recipient receives exactly `amount` of the destination currency. Each origin deposits at most its `amount`; some may deposit nothing.',
    },
  },
})

const { shape } = multiInput

const MultiInputQuoteInputType = builder
  .inputType('MultiInputQuoteInput', {
    description: 'One destination currency, and the deposits that pay for it.',
    fields: (t) => ({
      user: t.field({ type: 'Address', required: true, ...described(shape.user) }),
      origins: t.field({ type: [OriginInputType], required: true, ...described(shape.origins) }),
      destinationCurrency: t.field({
        type: 'Address',
        required: true,
        ...described(shape.destinationCurrency),
      }),
      destinationChainId: t.field({
        type: 'ChainId',
        required: true,
        ...described(shape.destinationChainId),
      }),
      tradeType: t.field({
        type: MultiInputTradeTypeType,
        required: true,
        ...described(shape.tradeType),
      }),
      amount: t.field({ type: 'Amount', ...described(shape.amount) }),
      recipient: t.field({ type: 'Address', ...described(shape.recipient) }),
      refundTo: t.field({ type: 'Address', ...described(shape.refundTo) }),
      txs: t.field({ type: [TxInputType], ...described(shape.txs) }),
      txsGasLimit: t.field({ type: 'SafeInt', ...described(shape.txsGasLimit) }),
      partial: t.boolean(described(shape.partial)),
      referrer: t.string(described(shape.referrer)),
      gasLimitForDepositSpecifiedTxs: t.field({
        type: 'SafeInt',
        ...described(shape.gasLimitForDepositSpecifiedTxs),
      }),
      originGasOverhead: t.field({ type: 'SafeInt', ...described(shape.originGasOverhead) }),
      slippageTolerance: t.field({ type: 'Bps', ...described(shape.slippageTolerance) }),
    }),
  })
  .validate(multiInput)

/** Each origin has at most three steps: an approval of zero, an approval, and the deposit. */
const maxSteps = 3 * maxOrigins

const MultiInputBreakdownType = builder
  .objectRef<MultiInputAnswer['breakdown'][number]>('MultiInputBreakdown')
  .implement({
    description: 'The part of the output that deposits with the same arrival time pay for.',
    fields: (t) => ({
      value: t.expose('value', {
        type: 'Amount',
        description: 'The part, in the smallest unit of the destination currency.',
      }),
      timeEstimate: t.exposeInt('timeEstimate', {
        description:
          'Estimated seconds from the broadcast of these deposits until they can be filled.',
      }),
    }),
  })

const MultiInputBalancesType = builder.objectRef<MultiInputAnswer>('MultiInputBalances').implement({
  description: 'The users’ balances and the required amount, in the destination currency.',
  fields: (t) => ({
    userBalance: t.field({
      type: 'Amount',
      nullable: true,
      description:
        'Value of the users’ balances of the origin currencies, in smallest units of the destination currency; null if no node reports them within 250 ms. Needs RPC calls: omit it for the fastest answer.',
      resolve: async (answer) => (await answer.userBalance()) ?? null,
    }),
    requiredToSolve: t.field({
      type: 'Amount',
      description:
        'Value of the amounts that the origins deposit, in smallest units of the destination currency.',
      resolve: ({ currencyIn }) => currencyIn.amount,
    }),
  }),
})

const MultiInputDetailsType = builder.objectRef<MultiInputAnswer>('MultiInputDetails').implement({
  description: 'Amounts, accounts, rate, price impact and slippage of a multi-input quote.',
  fields: (t) =>
    summaryFields(t as never, {
      sender: 'The root `user`, who deposits for every origin without its own user.',
      currencyIn:
        'Total value of the deposits, in the destination currency. Its `minimumAmount` equals its `amount`.',
      timeEstimate:
        'Estimated seconds from the broadcast of all deposits to the payment, which waits for the last one.',
      userBalance: 'The same as `balances.userBalance`.',
    }),
})

type MultiInputQuoteOf = MultiInputAnswer | StoredQuote

const priceOf = (quote: MultiInputQuoteOf) => quotedPriceOf<MultiInputAnswer>(quote)

const MultiInputQuoteType = builder.objectRef<MultiInputQuoteOf>('MultiInputQuote').implement({
  interfaces: [NodeType],
  description:
    'One swap into one currency, paid for by several deposits. Selecting `id`, `requestId`, `steps`, `calls`, `issues.gas` or `depositDeadline` stores a request before the answer is sent. Without them the query costs as much as a price.',
  fields: (t) => ({
    ...executionFields(t as never, 'MultiInputQuote', {
      maxSteps,
      steps:
        'Steps for the users’ wallets: for each origin that deposits, an approval if it needs one, and the deposit. Each step has one item with its own chain and signer.',
    }),
    ...pricedFields(t, priceOf, { maxBlocks: maxOrigins + 1 }),
    breakdown: t.field({
      type: [MultiInputBreakdownType],
      description: 'The output by arrival time of the deposits that pay for it, soonest first.',
      extensions: { items: maxOrigins },
      resolve: (quote) => priceOf(quote).breakdown,
    }),
    balances: t.field({
      type: MultiInputBalancesType,
      description: 'The users’ balances and the required amount.',
      resolve: priceOf,
    }),
    details: t.field({
      type: MultiInputDetailsType,
      description: 'Amounts, accounts, rate, price impact and slippage.',
      resolve: priceOf,
    }),
    issues: t.field({
      type: MultiInputIssuesType,
      description: 'What the users lack for their deposits.',
      resolve: (quote) => priceOf(quote).issues,
    }),
    calls: t.field({
      type: [WalletCallsType],
      description:
        'The transactions of all steps in batches for `wallet_sendCalls`, one for each account and chain. Selecting it stores the request.',
      extensions: { items: maxOrigins },
      resolve: async (quote) => batchesOf(await quote.steps()) ?? [],
    }),
    depositDeadline: t.field({
      type: 'SafeInt',
      description:
        'Latest block time of a deposit, in seconds since 1970. Later deposits are refunded. Selecting it stores the request.',
      resolve: (answer) => answer.depositDeadline(),
    }),
  }),
})

builder.queryField('multiInputQuote', (t) =>
  t.field({
    type: MultiInputQuoteType,
    nullable: true,
    description:
      'Quotes one swap into one destination currency, paid for by up to 16 deposits. Each deposit has its own chain, currency, amount and user.',
    args: {
      input: t.arg({
        type: MultiInputQuoteInputType,
        required: true,
        description: 'One destination currency, and the deposits that pay for it.',
      }),
    },
    // Each origin costs as much as a quote.
    extensions: {
      cost: 100 * maxOrigins,
      units: units.quote,
      itemUnits: units.origin,
      unitItems: 'input.origins',
    },
    resolve: (_, { input }, { operations, loaders, client }) =>
      operations.multiInputQuote(input, loaders, client),
  }),
)
