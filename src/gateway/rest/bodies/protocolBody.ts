import { z } from 'zod'
import type { QuotedProtocol } from '#src/operations/quotedSteps.ts'
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

const depositAddressBody = component(
  'QuotedDepositAddress',
  z.object({
    address: addressText,
    depositor: addressText.describe('The account in whose name the address deposits.'),
    factory: addressText
      .optional()
      .describe('The contract whose `sweep(orderId, depositor, tokens)` anybody may call.'),
  }),
)

const protocolV2Body = component(
  'ProtocolV2',
  z.object({
    orderId: hashText,
    orderData: z.record(z.string(), z.unknown()),
    paymentDetails: paymentDetailsBody,
    depositAddress: depositAddressBody
      .optional()
      .describe('Only with `useDepositAddress`: what the salt of the address is made of.'),
  }),
)

export const protocolBody = component('Protocol', z.object({ v2: protocolV2Body }))

export const encodeProtocol = ({
  orderId,
  orderData,
  payment,
  depositAddress,
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
    ...(depositAddress && { depositAddress }),
  },
})
