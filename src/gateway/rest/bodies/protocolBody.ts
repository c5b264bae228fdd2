import { z } from 'zod'
import type { QuotedProtocol } from '#src/service/quotedSteps.ts'
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
    depositor: addressText.describe('The account that the address deposits for.'),
    factory: addressText
      .optional()
      .describe(
        'The contract that sweeps the address. Anybody may call `sweep(orderId, depositor, tokens)`.',
      ),
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
      .describe(
        'The deposit address, and the data that its salt is computed from. Only with `useDepositAddress`.',
      ),
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
