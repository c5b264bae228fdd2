import type { ExpandedPriceImpact } from '#src/core/pricing/price.ts'
import type { Usd } from '#src/core/units/usd.ts'
import { fallbackTypeOf } from '#src/gateway/formatValues.ts'
import { builder } from '#src/gateway/graphql/builder.ts'
import { CurrencyAmountType } from '#src/gateway/graphql/currencies/currencyType.ts'
import { QuoteInputType } from '#src/gateway/graphql/inputs/quoteInputType.ts'
import { NodeType } from '#src/gateway/graphql/nodes/nodeType.ts'
import { WalletCallsType } from '#src/gateway/graphql/steps/walletCallsType.ts'
import { units } from '#src/gateway/limits/units.ts'
import type { QuoteAnswer, StoredQuote } from '#src/service/answers.ts'
import { walletCallsOf } from '#src/service/quote/walletCalls.ts'
import type { QuotedProtocol } from '#src/service/quotedSteps.ts'
import { executionFields, pricedFields, quotedPriceOf } from './commonFields.ts'
import { swapDetailsFields } from './detailsType.ts'
import { QuoteIssuesType } from './issuesType.ts'

const PaymentDetailsType = builder
  .objectRef<QuotedProtocol['payment']>('PaymentDetails')
  .implement({
    description: 'The payment that the depository must receive for the order.',
    fields: (t) => ({
      chainId: t.exposeString('chainName', {
        description: 'Name of the chain, which orders use as its id.',
      }),
      depository: t.expose('depository', {
        type: 'Address',
        description: 'Contract that receives the deposit.',
      }),
      currency: t.expose('currency', {
        type: 'Address',
        description: 'Contract of the currency; the zero address for the native currency.',
      }),
      amount: t.expose('amount', {
        type: 'Amount',
        description: 'Amount that the depository must receive, in the smallest unit of `currency`.',
      }),
    }),
  })

const QuotedDepositAddressType = builder
  .objectRef<NonNullable<QuotedProtocol['depositAddress']>>('QuotedDepositAddress')
  .implement({
    description:
      'A deposit address, and the data that its salt is computed from together with the order id. Keep it: anybody who has it can sweep the address, without this gateway.',
    fields: (t) => ({
      address: t.expose('address', { type: 'Address', description: 'The address to pay.' }),
      depositor: t.expose('depositor', {
        type: 'Address',
        description:
          'The account that the address deposits for: the user, or `refundTo` if nobody has the key of the user. It can withdraw deposits that are neither filled nor refunded.',
      }),
      factory: t.expose('factory', {
        type: 'Address',
        nullable: true,
        description:
          'The contract that sweeps the address: `sweep(orderId, depositor, tokens)`. Null if the chain no longer offers deposit addresses.',
      }),
    }),
  })

const ProtocolV2Type = builder.objectRef<QuotedProtocol>('ProtocolV2').implement({
  description: 'The order that the solver fills, and its payment.',
  fields: (t) => ({
    orderId: t.expose('orderId', {
      type: 'Hex',
      description: 'EIP-712 hashStruct of the order, 32 bytes. The deposit carries it.',
    }),
    orderData: t.expose('orderData', {
      type: 'JsonObject',
      description: 'The order itself, with the fields that are hashed.',
    }),
    paymentDetails: t.expose('payment', {
      type: PaymentDetailsType,
      description: 'The payment that the depository must receive.',
    }),
    depositAddress: t.field({
      type: QuotedDepositAddressType,
      nullable: true,
      description: 'The deposit address; null without `useDepositAddress`.',
      resolve: ({ depositAddress }) => depositAddress ?? null,
    }),
  }),
})

const ProtocolType = builder.objectRef<QuotedProtocol>('Protocol').implement({
  description: 'The order, by protocol version.',
  fields: (t) => ({
    v2: t.field({
      type: ProtocolV2Type,
      description: 'The order in version 2 of the protocol, the only one so far.',
      resolve: (protocol) => protocol,
    }),
  }),
})

const UsdPartType = builder.objectRef<Readonly<{ usd: Usd | undefined }>>('UsdPart').implement({
  description: 'A part of the difference in value between input and output, in US dollars.',
  fields: (t) => ({
    usd: t.expose('usd', {
      type: 'Usd',
      nullable: true,
      description:
        'US dollars: positive for a gain, negative for a loss; null if a price is missing.',
    }),
  }),
})

const parts = {
  swap: 'Impact of the swaps: `totalImpact` less all other parts.',
  execution: 'Cost of the fill: its gas, the gas top-up and the flat service fee.',
  service: 'The part of the service fee that is proportional to the amount.',
  app: 'Sum of the app fees, which the frontends named in `appFees` receive: a loss.',
  sponsored: 'The part of the fees that a sponsor pays: a gain.',
} as const satisfies Record<keyof ExpandedPriceImpact, string>

const ExpandedPriceImpactType = builder
  .objectRef<ExpandedPriceImpact>('ExpandedPriceImpact')
  .implement({
    description: 'The difference in value between input and output, by cause.',
    fields: (t) => {
      const part = (key: keyof ExpandedPriceImpact) =>
        t.field({
          type: UsdPartType,
          description: parts[key],
          resolve: (impact) => ({ usd: impact[key] }),
        })
      return {
        swap: part('swap'),
        execution: part('execution'),
        service: part('service'),
        app: part('app'),
        sponsored: part('sponsored'),
      }
    },
  })

const QuoteDetailsType = builder.objectRef<QuoteAnswer>('QuoteDetails').implement({
  description: 'Amounts, accounts, rate, price impact, slippage and refund currency of a quote.',
  fields: (t) => ({
    ...swapDetailsFields(t as never),
    refundCurrency: t.expose('refundCurrency', {
      type: CurrencyAmountType,
      description:
        'Amount that the depository receives. A refund is paid in this currency. For a user’s own swap: the amount that the user pays.',
    }),
    currencyGasTopup: t.expose('currencyGasTopup', {
      type: CurrencyAmountType,
      nullable: true,
      description:
        'Native currency that the recipient receives in addition; null without `topupGas`.',
    }),
    expandedPriceImpact: t.expose('expandedPriceImpact', {
      type: ExpandedPriceImpactType,
      description: 'The difference in value between input and output, by cause.',
    }),
    fallbackType: t.string({
      nullable: true,
      description:
        '"upstream" if another service quoted and executes the order, because this one could not and `useFallbacks` allows it; "external-liquidity" if the fill waits for missing inventory of the solver (`useExternalLiquidity`); else null. No enum, because a GraphQL name has no hyphen.',
      resolve: (price) => fallbackTypeOf(price) ?? null,
    }),
    isFixedRate: t.exposeBoolean('isFixedRate', {
      description:
        'Whether the output is exact: with `fixedRate`, and for the same asset with EXACT_OUTPUT.',
    }),
    fixedRateFee: t.field({
      type: UsdPartType,
      nullable: true,
      description: 'The fee of `fixedRate`; null without one.',
      resolve: ({ fixedRateFee: usd }) => (usd === undefined ? null : { usd }),
    }),
  }),
})

const QuoteType = builder.objectRef<QuoteAnswer | StoredQuote>('Quote').implement({
  interfaces: [NodeType],
  description:
    'An executable price. Selecting `id`, `requestId`, `steps`, `calls`, `protocol` or `issues.gas` stores a request before the answer is sent. Without them the query costs as much as `price`.',
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
    issues: t.field({
      type: QuoteIssuesType,
      description: 'What the user lacks for the payment.',
      resolve: (quote) => quotedPriceOf<QuoteAnswer>(quote).issues,
    }),
    deadline: t.field({
      type: 'SafeInt',
      description:
        'Latest block time of the payment, in seconds since 1970. The payment of an order that arrives later is refunded.',
      resolve: (quote) => ('storedAs' in quote ? quote.depositDeadline() : quote.deadline),
    }),
    refreshAfter: t.field({
      type: 'SafeInt',
      description:
        'The time from which on a wallet should ask for a new price before it pays, in seconds since 1970.',
      resolve: (quote) => quotedPriceOf<QuoteAnswer>(quote).refreshAfter,
    }),
    calls: t.field({
      type: WalletCallsType,
      nullable: true,
      description:
        'The transactions of all steps as one batch for `wallet_sendCalls`; null if a step needs a signature. Selecting it stores the request.',
      resolve: async (quote) => walletCallsOf(await quote.steps()) ?? null,
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
