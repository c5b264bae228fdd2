import { builder } from '#src/gateway/graphql/builder.ts'
import type { QuotedProtocol } from '#src/operations/operations.ts'

const PaymentDetailsType = builder
  .objectRef<QuotedProtocol['payment']>('PaymentDetails')
  .implement({
    description: 'What the depository must receive, with the order’s id.',
    fields: (t) => ({
      chainId: t.exposeString('chainName', {
        description: 'The chain’s name, as orders write it.',
      }),
      depository: t.expose('depository', { type: 'Address', description: 'The contract.' }),
      currency: t.expose('currency', {
        type: 'Address',
        description: 'Zero for the native currency.',
      }),
      amount: t.expose('amount', { type: 'Amount', description: 'In the smallest unit.' }),
    }),
  })

const ProtocolV2Type = builder.objectRef<QuotedProtocol>('ProtocolV2').implement({
  description: 'The order that the solver fills, and the payment that it waits for.',
  fields: (t) => ({
    orderId: t.expose('orderId', {
      type: 'Hex',
      description: 'EIP-712 hashStruct of the order, 32 bytes: the id that the deposit carries.',
    }),
    orderData: t.expose('orderData', {
      type: 'JsonObject',
      description: 'The order itself, as it is hashed.',
    }),
    paymentDetails: t.expose('payment', {
      type: PaymentDetailsType,
      description: 'What the depository must receive.',
    }),
  }),
})

export const ProtocolType = builder.objectRef<QuotedProtocol>('Protocol').implement({
  description: 'The order by version of the protocol.',
  fields: (t) => ({
    v2: t.field({
      type: ProtocolV2Type,
      description: 'The protocol’s second version.',
      resolve: (protocol) => protocol,
    }),
  }),
})
