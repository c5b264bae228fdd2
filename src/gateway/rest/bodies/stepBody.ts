import { z } from 'zod'
import type { QuotedItem, QuotedStep } from '#src/operations/operations.ts'
import { addressText, amountText, component, hashText, hexText } from './bodySchema.ts'

const transactionBody = component(
  'Transaction',
  z.object({
    from: addressText,
    to: addressText,
    data: hexText,
    value: amountText,
    chainId: z.int().positive(),
    gas: amountText.optional(),
    maxFeePerGas: amountText,
    maxPriorityFeePerGas: amountText,
  }),
)

const checkBody = component('Check', z.object({ endpoint: z.string(), method: z.literal('GET') }))

const stepItemBody = component(
  'StepItem',
  z.object({
    status: z.literal('incomplete'),
    data: transactionBody,
    check: checkBody.optional(),
  }),
)

export const stepBody = component(
  'Step',
  z.object({
    id: z.enum(['approve', 'deposit', 'swap', 'send'] as const satisfies QuotedStep['id'][]),
    action: z.string(),
    description: z.string(),
    kind: z.literal('transaction'),
    items: z.array(stepItemBody),
    requestId: hashText,
    depositAddress: z
      .union([z.literal(''), addressText])
      .optional()
      .describe('Of a deposit step: the deposit address that it pays, or empty without one.'),
  }),
)

/** Reads all gas limits at the same time. */
export const encodeSteps = (steps: readonly QuotedStep[]): Promise<z.input<typeof stepBody>[]> =>
  Promise.all(
    steps.map(async ({ items, ...step }) => ({
      ...step,
      items: await Promise.all(items.map(encodeItem)),
    })),
  )

async function encodeItem({
  status,
  data,
  check,
}: QuotedItem): Promise<z.input<typeof stepItemBody>> {
  const gas = await data.gas()
  return {
    status,
    data: {
      from: data.from,
      to: data.to,
      data: data.data,
      value: data.value.toString(),
      chainId: data.chainId,
      gas: gas?.toString(),
      maxFeePerGas: data.maxFeePerGas.toString(),
      maxPriorityFeePerGas: data.maxPriorityFeePerGas.toString(),
    },
    check,
  }
}
