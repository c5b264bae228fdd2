import { builder } from '#src/gateway/graphql/builder.ts'
import { multiInput, originInput } from '#src/service/input/multiInput.ts'
import { described, TxInputType } from './priceInputType.ts'

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

export const MultiInputQuoteInputType = builder
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
