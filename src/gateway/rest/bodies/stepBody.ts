import { z } from 'zod'
import type { QuotedItem, QuotedStep } from '#src/service/quotedSteps.ts'
import {
  addressText,
  amountText,
  component,
  evmAddressText,
  hashText,
  hexText,
} from './bodySchema.ts'
import { encodeSvmTransaction, svmTransactionBody } from './svm/svmTransactionBody.ts'

const transactionBody = component(
  'Transaction',
  z.object({
    from: evmAddressText,
    to: evmAddressText,
    data: hexText,
    value: amountText,
    chainId: z.int().positive(),
    gas: amountText.optional(),
    maxFeePerGas: amountText,
    maxPriorityFeePerGas: amountText,
  }),
)

const checkBody = component('Check', z.object({ endpoint: z.string(), method: z.literal('GET') }))

const jsonObject = z.record(z.string(), z.unknown())

const signatureBody = component(
  'SignatureData',
  z
    .object({
      sign: z
        .object({
          signatureKind: z.literal('eip712').describe('Always `eip712`.'),
          domain: jsonObject.describe('Domain of the signature: of the currency, or of Permit2.'),
          types: jsonObject.describe('Types of the message, by name, without `EIP712Domain`.'),
          primaryType: z.string().describe('Name of the type of the message.'),
          value: jsonObject.describe('The message.'),
        })
        .describe('Typed data for `eth_signTypedData_v4`; `value` is the message.'),
      post: z
        .object({
          endpoint: z.literal('/execute/permits').describe('Path on this server.'),
          method: z.literal('POST').describe('Always `POST`.'),
          body: z
            .object({
              kind: z
                .string()
                .describe('Kind of the signed message: `eip3009`, `permit2` or `eip2612`.'),
              requestId: z.string().describe('Id of the quote’s request.'),
              api: z.string().describe('`swap`, or `user-swap` on one chain.'),
            })
            .describe('Body of the request.'),
        })
        .describe(
          'Request that submits the signature: the unchanged body, and the signature as query parameter `signature`.',
        ),
      witness: jsonObject
        .optional()
        .describe('The fields whose hash is the nonce of an EIP-3009 transfer.'),
    })
    .describe('The data that a wallet signs, and the request that submits the signature.'),
)

const stepItemBody = component(
  'StepItem',
  z.object({
    status: z.literal('incomplete'),
    data: z.union([transactionBody, signatureBody, svmTransactionBody]),
    check: checkBody.optional(),
  }),
)

const stepId = z.enum([
  'approve',
  'deposit',
  'swap',
  'send',
  'authorize1',
  'authorize2',
] as const satisfies QuotedStep['id'][])

export const stepBody = component(
  'Step',
  z.object({
    id: stepId,
    action: z.string(),
    description: z.string(),
    kind: z.enum(['transaction', 'signature']),
    items: z.array(stepItemBody),
    requestId: hashText,
    depositAddress: z
      .union([z.literal(''), addressText])
      .optional()
      .describe(
        'For a deposit step: the deposit address that it pays, or empty if it pays none. Absent for other steps.',
      ),
  }),
)

/** Reads all gas limits at the same time. */
export const encodeSteps = (steps: readonly QuotedStep[]): Promise<z.input<typeof stepBody>[]> =>
  Promise.all(
    steps.map(async ({ items, signature, svmItem, ...step }) => ({
      ...step,
      items:
        signature === undefined
          ? [...(await Promise.all(items.map(encodeItem))), ...encodeSvmItem(svmItem)]
          : [encodeSignature(signature)],
    })),
  )

const encodeSvmItem = (item: QuotedStep['svmItem']) =>
  item === undefined
    ? []
    : [
        {
          status: 'incomplete' as const,
          data: encodeSvmTransaction(item),
          check: item.check,
        },
      ]

const encodeSignature = ({
  status,
  sign,
  post,
  witness,
  check,
}: NonNullable<QuotedStep['signature']>): z.input<typeof stepItemBody> => ({
  status,
  data: { sign, post, ...(witness !== undefined && { witness }) },
  check,
})

/** The steps of newer answers: one for each transaction, without `items`. */
export const flatStepBody = component(
  'FlatStep',
  z
    .object({
      id: stepId.describe('Kind of the step.'),
      action: z.string().describe('What the user does, for people.'),
      description: z.string().describe('What the step is for, for people.'),
      kind: z.literal('transaction').describe('Always `transaction`.'),
      status: z.literal('incomplete').describe('Always `incomplete`; clients mark finished steps.'),
      data: transactionBody.describe('The transaction to send.'),
      check: checkBody.optional().describe('Request that tells whether the payment has arrived.'),
    })
    .describe('One transaction.'),
)

/** Encodes the transactions of all steps. */
export const encodeFlatSteps = (
  steps: readonly QuotedStep[],
): Promise<z.input<typeof flatStepBody>[]> =>
  Promise.all(
    steps.flatMap(({ id, action, description, items }) =>
      items.map(async (item) => {
        const { status, data, check } = await encodeItem(item)
        return { id, action, description, kind: 'transaction' as const, status, data, check }
      }),
    ),
  )

async function encodeItem({ status, data, check }: QuotedItem) {
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
