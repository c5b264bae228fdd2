import { builder } from '#src/gateway/graphql/builder.ts'
import { multiInput, originInput } from '#src/operations/input/multiInput.ts'
import { said, TxInputType } from './orderFields.ts'

const OriginInputType = builder.inputType('OriginInput', {
  description: 'One account’s part in paying for a multi-input quote.',
  fields: (t) => {
    const { chainId, currency, amount, user } = originInput.shape
    return {
      chainId: t.field({ type: 'ChainId', required: true, ...said(chainId) }),
      currency: t.field({ type: 'Address', required: true, ...said(currency) }),
      amount: t.field({ type: 'Amount', required: true, ...said(amount) }),
      user: t.field({ type: 'Address', ...said(user) }),
    }
  },
})

const MultiInputTradeTypeType = builder.enumType('MultiInputTradeType', {
  description: 'What of a multi-input quote is fixed.',
  values: {
    EXACT_INPUT: { description: 'All that the origins name is paid in.' },
    EXACT_OUTPUT: {
      description:
        '`amount` of the destination currency must arrive, to the unit; the origins pay in no more than they name, and some perhaps nothing.',
    },
  },
})

const { shape } = multiInput

export const MultiInputQuoteInputType = builder
  .inputType('MultiInputQuoteInput', {
    description: 'What to swap into one currency, from which accounts on which chains, for whom.',
    fields: (t) => ({
      user: t.field({ type: 'Address', required: true, ...said(shape.user) }),
      origins: t.field({ type: [OriginInputType], required: true, ...said(shape.origins) }),
      destinationCurrency: t.field({
        type: 'Address',
        required: true,
        ...said(shape.destinationCurrency),
      }),
      destinationChainId: t.field({
        type: 'ChainId',
        required: true,
        ...said(shape.destinationChainId),
      }),
      tradeType: t.field({
        type: MultiInputTradeTypeType,
        required: true,
        ...said(shape.tradeType),
      }),
      amount: t.field({ type: 'Amount', ...said(shape.amount) }),
      recipient: t.field({ type: 'Address', ...said(shape.recipient) }),
      refundTo: t.field({ type: 'Address', ...said(shape.refundTo) }),
      txs: t.field({ type: [TxInputType], ...said(shape.txs) }),
      txsGasLimit: t.field({ type: 'SafeInt', ...said(shape.txsGasLimit) }),
      partial: t.boolean(said(shape.partial)),
      referrer: t.string(said(shape.referrer)),
      gasLimitForDepositSpecifiedTxs: t.field({
        type: 'SafeInt',
        ...said(shape.gasLimitForDepositSpecifiedTxs),
      }),
      originGasOverhead: t.field({ type: 'SafeInt', ...said(shape.originGasOverhead) }),
      slippageTolerance: t.field({ type: 'Bps', ...said(shape.slippageTolerance) }),
    }),
  })
  .validate(multiInput)
