import { builder } from '#src/gateway/graphql/builder.ts'
import { appFeeInput, priceFields, priceInput, txInput } from '#src/service/input/priceInput.ts'

const TradeTypeType = builder.enumType('TradeType', {
  description: 'Which amount `amount` is, and whether it is exact.',
  values: {
    EXACT_INPUT: { description: 'The user pays exactly `amount` of the origin currency.' },
    EXACT_OUTPUT: {
      description: 'The recipient receives exactly `amount` of the destination currency.',
    },
    EXPECTED_OUTPUT: {
      description:
        'The recipient receives about `amount` of the destination currency, within the slippage tolerance.',
    },
  },
})

export const TxInputType = builder.inputType('TxInput', {
  description:
    'A call on the destination chain. An executor contract makes it with the output, in the transaction of the fill or swap, before the recipient gets the rest.',
  fields: (t) => {
    const { to, value, data, originalTxValue } = txInput.shape
    return {
      to: t.field({ type: 'Address', required: true, ...described(to) }),
      value: t.field({ type: 'Amount', required: true, ...described(value) }),
      data: t.field({ type: 'Hex', required: true, ...described(data) }),
      originalTxValue: t.field({ type: 'Amount', ...described(originalTxValue) }),
    }
  },
})

const AppFeeInputType = builder.inputType('AppFeeInput', {
  description: 'A fee for the frontend: a share of the input.',
  fields: (t) => ({
    recipient: t.field({
      type: 'Address',
      required: true,
      ...described(appFeeInput.shape.recipient),
    }),
    fee: t.field({ type: 'Bps', required: true, ...described(appFeeInput.shape.fee) }),
  }),
})

/** Takes the description of a field from its zod schema. */
export const described = ({ description }: Readonly<{ description?: string | undefined }>) =>
  description === undefined ? {} : { description }

type InputFields = PothosSchemaTypes.InputFieldBuilder<
  typeof builder.$inferSchemaTypes,
  'InputObject'
>

/** The input fields that `price` and `quote` have in common. */
export const orderFields = (t: InputFields) => ({
  user: t.field({ type: 'Address', required: true, ...described(priceFields.user) }),
  originChainId: t.field({
    type: 'ChainId',
    required: true,
    ...described(priceFields.originChainId),
  }),
  destinationChainId: t.field({
    type: 'ChainId',
    required: true,
    ...described(priceFields.destinationChainId),
  }),
  originCurrency: t.field({
    type: 'Address',
    required: true,
    ...described(priceFields.originCurrency),
  }),
  destinationCurrency: t.field({
    type: 'Address',
    required: true,
    ...described(priceFields.destinationCurrency),
  }),
  amount: t.field({ type: 'Amount', required: true, ...described(priceFields.amount) }),
  tradeType: t.field({ type: TradeTypeType, required: true, ...described(priceFields.tradeType) }),
  recipient: t.field({ type: 'Address', ...described(priceFields.recipient) }),
  refundTo: t.field({ type: 'Address', ...described(priceFields.refundTo) }),
  refundOnOrigin: t.boolean({
    ...described(priceFields.refundOnOrigin),
    deprecationReason: 'Refunds are always paid on the origin chain.',
  }),
  txs: t.field({ type: [TxInputType], ...described(priceFields.txs) }),
  referrer: t.string(described(priceFields.referrer)),
  useReceiver: t.boolean(described(priceFields.useReceiver)),
  useExternalLiquidity: t.boolean(described(priceFields.useExternalLiquidity)),
  useFallbacks: t.boolean(described(priceFields.useFallbacks)),
  usePermit: t.boolean(described(priceFields.usePermit)),
  useDepositAddress: t.boolean(described(priceFields.useDepositAddress)),
  slippageTolerance: t.field({ type: 'Bps', ...described(priceFields.slippageTolerance) }),
  appFees: t.field({ type: [AppFeeInputType], ...described(priceFields.appFees) }),
})

/** A single input is validated with its argument. Each of several inputs has its own failure. */
export const PriceInputType = builder.inputType('PriceInput', {
  description: 'Currencies, amount and accounts of a swap or transfer to price.',
  fields: (t) => ({
    ...orderFields(t),
    user: t.field({ type: 'Address', ...described(priceInput.shape.user) }),
  }),
  extensions: { contentSchema: priceInput },
})
