import { builder } from '#src/gateway/graphql/builder.ts'
import type { QuotedProtocol } from '#src/service/quotedSteps.ts'

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

export const ProtocolType = builder.objectRef<QuotedProtocol>('Protocol').implement({
  description: 'The order, by protocol version.',
  fields: (t) => ({
    v2: t.field({
      type: ProtocolV2Type,
      description: 'The order in version 2 of the protocol, the only one so far.',
      resolve: (protocol) => protocol,
    }),
  }),
})
