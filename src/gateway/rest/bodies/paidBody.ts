import { z } from 'zod'
import { formatAmount } from '#src/core/units/amount.ts'
import { formatUsd } from '#src/core/units/usd.ts'
import { explorerUrlOf } from '#src/gateway/explorerUrl.ts'
import type { RequestContext } from '#src/gateway/requestContext.ts'
import type { RequestAnswer } from '#src/service/answers.ts'
import { type PaidAmount, paidAppFees, paidBy, paidToRecipient } from '#src/service/paidAmounts.ts'
import { addressText, amountText, component, decimalText, txIdText, usdText } from './bodySchema.ts'

export const paidBody = component(
  'PaidAmount',
  z
    .object({
      chainId: z.int().positive().describe('EIP-155 id of its chain.'),
      txHash: txIdText
        .optional()
        .describe('Hash of the transaction; absent for an app fee out of a deposit.'),
      recipient: addressText.describe('The account that was paid.'),
      currency: addressText.describe('Contract of the currency.'),
      amount: amountText.describe('The amount that was paid, in the smallest unit.'),
      topup: amountText
        .optional()
        .describe('Native currency that a fill paid in addition, in wei; absent if it paid none.'),
      claimable: amountText
        .optional()
        .describe(
          'Amount of a refund that the recipient did not accept and could then claim; `amount` does not include it. Absent if there is none.',
        ),
      amountFormatted: decimalText
        .optional()
        .describe('The amount in whole units; absent if the currency can no longer be read.'),
      amountUsd: usdText
        .optional()
        .describe('Value in US dollars at the prices of the quote; absent without one.'),
      explorerUrl: z
        .string()
        .optional()
        .describe('Page of the transaction in the block explorer of the chain.'),
    })
    .describe('An amount that a confirmed transaction paid, as the chain shows it.'),
)

type Body = z.input<typeof paidBody>

async function encodePaid(
  { address: currency, usd, topup, claimable, ...paid }: PaidAmount,
  { operations, loaders }: RequestContext,
): Promise<Body> {
  const found = await operations.currency(paid.chainId, currency, loaders).catch(() => undefined)
  return {
    chainId: paid.chainId,
    txHash: paid.txHash,
    recipient: paid.recipient,
    currency,
    amount: paid.amount.toString(),
    topup: topup?.toString(),
    claimable: claimable?.toString(),
    amountFormatted: found && formatAmount(paid.amount, found.decimals),
    amountUsd: usd && formatUsd(usd),
    explorerUrl: explorerUrlOf(paid, operations),
  }
}

/** The fields of a status with what was paid. The messages of /ws and of webhooks have their exact parts. */
export const paidFields = {
  paid: paidBody
    .optional()
    .describe(
      'What the recipient got. Absent until it is confirmed, and if the chain does not show the amount.',
    ),
  refunds: z
    .array(paidBody)
    .optional()
    .describe('What the refunds paid; absent until one is confirmed.'),
}

export async function encodePayments(
  answer: RequestAnswer,
  context: RequestContext,
): Promise<Readonly<{ paid: Body | undefined; refunds: Body[] | undefined }>> {
  const { request, state } = answer
  const paid = paidToRecipient(answer)
  const refunds = (state.refunds ?? []).flatMap((each) => paidBy(each, request) ?? [])
  const [first, ...others] = await Promise.all(
    [paid, ...refunds].map((each) => each && encodePaid(each, context)),
  )
  const shown = others.filter((each) => each !== undefined)
  return { paid: first, refunds: shown.length === 0 ? undefined : shown }
}

/** The app fees that were paid; `undefined` if there are none, or none are known. */
export async function encodePaidAppFees(
  answer: RequestAnswer,
  context: RequestContext,
): Promise<Body[] | undefined> {
  const fees = await shownAppFees(answer)
  return fees.length === 0 ? undefined : Promise.all(fees.map((each) => encodePaid(each, context)))
}

/** The app fees that were paid, as far as they are known. Only a filled request reads its deposits. */
export const shownAppFees = async (answer: RequestAnswer): Promise<readonly PaidAmount[]> =>
  answer.state.status === 'success' ? ((await paidAppFees(answer)) ?? []) : []
