import { z } from 'zod'
import type { QuotedProtocol } from '#src/operations/operations.ts'
import { addressText, amountText, component, hashText } from './bodySchema.ts'

const paymentDetailsBody = component(
  'PaymentDetails',
  z.object({
    chainId: z.string(),
    depository: addressText,
    currency: addressText,
    amount: amountText,
  }),
)

const protocolV2Body = component(
  'ProtocolV2',
  z.object({
    orderId: hashText,
    orderData: z.record(z.string(), z.unknown()),
    paymentDetails: paymentDetailsBody,
  }),
)

export const protocolBody = component('Protocol', z.object({ v2: protocolV2Body }))

export const encodeProtocol = ({
  orderId,
  orderData,
  payment,
}: QuotedProtocol): z.input<typeof protocolBody> => ({
  v2: {
    orderId,
    orderData,
    paymentDetails: {
      chainId: payment.chainName,
      depository: payment.depository,
      currency: payment.currency,
      amount: payment.amount.toString(),
    },
  },
})
