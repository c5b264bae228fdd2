import { builder } from '#src/gateway/graphql/builder.ts'
import { appFeeInput, priceFields, txInput } from '#src/operations/input/priceInput.ts'

const TradeTypeType = builder.enumType('TradeType', {
  description: 'What `amount` means.',
  values: {
    EXACT_INPUT: { description: '`amount` of the origin currency is paid in.' },
    EXACT_OUTPUT: { description: '`amount` of the destination currency must arrive, to the unit.' },
    EXPECTED_OUTPUT: {
      description:
        '`amount` of the destination currency is expected; what arrives may differ within the slippage tolerance.',
    },
  },
})

export const TxInputType = builder.inputType('TxInput', {
  description: 'A call to make on the destination chain once the funds are there.',
  fields: (t) => {
    const { to, value, data, originalTxValue } = txInput.shape
    return {
      to: t.field({ type: 'Address', required: true, ...said(to) }),
      value: t.field({ type: 'Amount', required: true, ...said(value) }),
      data: t.field({ type: 'Hex', required: true, ...said(data) }),
      originalTxValue: t.field({ type: 'Amount', ...said(originalTxValue) }),
    }
  },
})

const AppFeeInputType = builder.inputType('AppFeeInput', {
  description: 'A share of the input for whoever built the frontend.',
  fields: (t) => ({
    recipient: t.field({
      type: 'Address',
      required: true,
      ...said(appFeeInput.shape.recipient),
    }),
    fee: t.field({ type: 'Bps', required: true, ...said(appFeeInput.shape.fee) }),
  }),
})

/** The description that the schema which judges a field gives it. */
export const said = ({ description }: Readonly<{ description?: string | undefined }>) =>
  description === undefined ? {} : { description }

type InputFields = PothosSchemaTypes.InputFieldBuilder<
  typeof builder.$inferSchemaTypes,
  'InputObject'
>

/** What `price` and `quote` both take. */
export const orderFields = (t: InputFields) => ({
  user: t.field({ type: 'Address', required: true, ...said(priceFields.user) }),
  originChainId: t.field({ type: 'ChainId', required: true, ...said(priceFields.originChainId) }),
  destinationChainId: t.field({
    type: 'ChainId',
    required: true,
    ...said(priceFields.destinationChainId),
  }),
  originCurrency: t.field({ type: 'Address', required: true, ...said(priceFields.originCurrency) }),
  destinationCurrency: t.field({
    type: 'Address',
    required: true,
    ...said(priceFields.destinationCurrency),
  }),
  amount: t.field({ type: 'Amount', required: true, ...said(priceFields.amount) }),
  tradeType: t.field({ type: TradeTypeType, required: true, ...said(priceFields.tradeType) }),
  recipient: t.field({ type: 'Address', ...said(priceFields.recipient) }),
  refundTo: t.field({ type: 'Address', ...said(priceFields.refundTo) }),
  refundOnOrigin: t.boolean({
    ...said(priceFields.refundOnOrigin),
    deprecationReason: 'Refunds are always paid on the origin chain.',
  }),
  txs: t.field({ type: [TxInputType], ...said(priceFields.txs) }),
  referrer: t.string(said(priceFields.referrer)),
  useReceiver: t.boolean(said(priceFields.useReceiver)),
  useExternalLiquidity: t.boolean(said(priceFields.useExternalLiquidity)),
  useFallbacks: t.boolean(said(priceFields.useFallbacks)),
  usePermit: t.boolean(said(priceFields.usePermit)),
  useDepositAddress: t.boolean(said(priceFields.useDepositAddress)),
  slippageTolerance: t.field({ type: 'Bps', ...said(priceFields.slippageTolerance) }),
  appFees: t.field({ type: [AppFeeInputType], ...said(priceFields.appFees) }),
})
