import { z } from 'zod'
import type { ObservedTransaction, Progress } from '#src/requests/state/requestState.ts'
import type { RequestAnswer } from '#src/service/answers.ts'
import { addressText, amountText, component, hexText, txIdText } from './bodySchema.ts'

/** The fields of a transaction. */
export const transactionFields = {
  hash: txIdText.describe('Transaction hash.'),
  chainId: z.int().positive().describe('EIP-155 id of its chain.'),
  type: z.literal('onchain').describe('Always `onchain`.'),
  block: z
    .int()
    .min(0)
    .optional()
    .describe('Number of the block that contains it; absent before it is mined.'),
  timestamp: z
    .int()
    .min(0)
    .optional()
    .describe(
      'Time of that block, in seconds since 1970; absent before it is mined, and for old transactions that did not store it.',
    ),
  status: z
    .enum(['success', 'failure'])
    .optional()
    .describe('Its outcome; absent until it is confirmed.'),
}

export const transactionBody = component(
  'RequestTransaction',
  z.object(transactionFields).describe('A transaction of a request.'),
)

/** Encodes transaction hashes, with block and outcome from the progress of the request. */
export function transactionEncoder({ request, state }: RequestAnswer) {
  const known = new Map<string, ObservedTransaction & { isConfirmed: boolean }>()
  const add = (progress: Progress | undefined) => {
    if (progress === undefined || !('transaction' in progress)) return
    const { transaction, status } = progress
    known.set(transaction.hash, { ...transaction, isConfirmed: status === 'confirmed' })
  }
  state.steps.flat().forEach(add)
  add(state.fill)
  state.refunds?.forEach(add)

  const outcome = request.execution === 'user' && state.status === 'failure' ? 'failure' : 'success'
  return (hashes: readonly string[], chainId: number): z.input<typeof transactionBody>[] =>
    hashes.map((hash) => {
      const found = known.get(hash)
      return {
        hash,
        chainId: found?.chainId ?? chainId,
        type: 'onchain',
        block: found?.block && Number(found.block.number),
        timestamp: found?.block?.timestamp,
        status: found?.isConfirmed ? outcome : undefined,
      }
    })
}

const claimBody = component(
  'Claim',
  z
    .object({
      chainId: z.int().positive().describe('EIP-155 id of its chain.'),
      account: addressText.describe('The account that did not accept the payment.'),
      currency: addressText.describe('Contract of the currency.'),
      amount: amountText.describe('The claimable amount, in the smallest unit.'),
      call: z
        .object({
          chainId: z.int().positive().describe('EIP-155 id of its chain.'),
          to: addressText.describe('The depository.'),
          data: hexText.describe(
            'Calldata of `claim(currency, account, recipient)`, with the account as recipient. The account itself may name another recipient.',
          ),
        })
        .describe('A transaction without value that claims the amount. Anybody may send it.'),
    })
    .describe('An amount that an account can claim from the depository.'),
)

export const claims = z
  .array(claimBody)
  .optional()
  .describe(
    'Refunds and app fees that their recipients did not accept, and can claim; absent if there are none.',
  )

/** Only refunds and app fees can be claimable, so the deposits of other requests are not read. */
export async function encodeClaims({
  request,
  state,
  deposits,
}: RequestAnswer): Promise<z.input<typeof claims>> {
  const hasFees = request.execution === 'solver' && request.order.fees.length > 0
  if (state.refundFailReason !== 'RECIPIENT_REFUSED' && !(state.status === 'success' && hasFees))
    return undefined
  const found = (await deposits()).flatMap(({ chainId, currency, claims }) =>
    claims.map(({ account, amount, callTo }) => ({
      chainId,
      account,
      currency,
      amount: amount.toString(),
      call: callTo(account),
    })),
  )
  return found.length === 0 ? undefined : found
}
