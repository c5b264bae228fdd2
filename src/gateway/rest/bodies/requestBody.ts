import { z } from 'zod'
import type { RequestContext } from '#src/gateway/requestContext.ts'
import type { RequestAnswer } from '#src/operations/operations.ts'
import { publicOrderId } from '#src/operations/requests/publicOrderId.ts'
import type { ObservedTransaction, Progress } from '#src/requests/state/requestState.ts'
import { depositProgress, hashOf } from '#src/requests/status/shownProgress.ts'
import type { Address } from '#src/units/address.ts'
import { type Amount, formatAmount } from '#src/units/amount.ts'
import {
  addressText,
  amountText,
  component,
  decimalText,
  hashText,
  timeText,
} from './bodySchema.ts'
import { currencyBody } from './currencyBody.ts'
import { legacyStatuses, noReason, reasonFields, toLegacyStatus } from './statusBody.ts'

const transactionBody = component(
  'RequestTransaction',
  z
    .object({
      hash: hashText.describe('Transaction hash.'),
      chainId: z.int().positive().describe('EIP-155 id of its chain.'),
      type: z.literal('onchain').describe('Always `onchain`.'),
      block: z
        .int()
        .min(0)
        .optional()
        .describe('Number of the block that contains it; absent before it is mined.'),
      status: z
        .enum(['success', 'failure'])
        .optional()
        .describe('Its outcome; absent until it is confirmed.'),
    })
    .describe('A transaction of a request.'),
)

const requestAmountBody = component(
  'RequestAmount',
  z
    .object({
      currency: currencyBody.describe('The currency of the amount.'),
      amount: amountText.describe('The quoted amount, in the smallest unit.'),
      amountFormatted: decimalText.describe('The quoted amount, in whole units.'),
      minimumAmount: amountText.describe('The lowest promised amount, in the smallest unit.'),
    })
    .describe('An amount of a quote.'),
)

const requestMetadataBody = component(
  'RequestMetadata',
  z
    .object({
      sender: addressText.describe('The account that pays.'),
      recipient: addressText.describe('The account that is paid.'),
      currencyIn: requestAmountBody
        .optional()
        .describe('What the user pays; absent if its currency can no longer be read.'),
      currencyOut: requestAmountBody
        .optional()
        .describe('What the recipient is paid; absent if its currency can no longer be read.'),
    })
    .describe('The quote of the request.'),
)

const requestInputBody = component(
  'RequestInput',
  z
    .object({
      chainId: z.int().positive().describe('EIP-155 id of the chain to deposit on.'),
      user: addressText.describe('The account that deposits.'),
      refundTo: addressText.describe('The account that a refund is paid to, on the same chain.'),
      currency: addressText.describe('Contract of the currency that the user pays.'),
      amount: amountText.describe('The quoted amount, in the smallest unit.'),
      status: z
        .enum(['open', 'funded', 'missed'])
        .describe(
          '`open`: no deposit is confirmed yet. `funded`: a deposit is confirmed. `missed`: the deadline has passed without one.',
        ),
      hash: hashText
        .optional()
        .describe('Transaction hash of the deposit; absent until one is found.'),
    })
    .describe('One deposit of a multi-input request.'),
)

const requestDataBody = component(
  'RequestData',
  z
    .object({
      ...reasonFields,
      subsidizedRequest: z.boolean().describe('Whether a sponsor pays part of its fees.'),
      inTxs: z
        .array(transactionBody)
        .describe('The user’s transactions: the deposits, or the user’s own swap.'),
      outTxs: z
        .array(transactionBody)
        .describe('The payments: the fill, the refunds, or the user’s own swap.'),
      currency: z
        .string()
        .optional()
        .describe('Symbol of the currency that the user pays, in lower case.'),
      currencyObject: currencyBody.optional().describe('The currency that the user pays.'),
      inputs: z
        .array(requestInputBody)
        .optional()
        .describe('The deposits of a multi-input quote; absent for other quotes.'),
      depositDeadline: z
        .int()
        .optional()
        .describe(
          'Block time by which the deposits of a multi-input quote must arrive, in seconds since 1970.',
        ),
      metadata: requestMetadataBody.describe('The quoted amounts and accounts.'),
    })
    .describe('Transactions, reasons and quote of a request.'),
)

export const requestBody = component(
  'Request',
  z
    .object({
      id: hashText.describe('The `requestId`.'),
      status: z
        .enum(legacyStatuses)
        .describe('As in /intents/status/v3, with `pending` in place of `submitted`.'),
      user: addressText.describe('The account that pays.'),
      recipient: addressText.describe('The account that is paid.'),
      data: requestDataBody.describe('Transactions, reasons and quote.'),
      protocol: z
        .object({ orderId: hashText.describe('The order id that its deposits carry.') })
        .optional()
        .describe('Its order; absent until a deposit is found, and for a user’s own swap.'),
      referrer: z.string().optional().describe('The `referrer` of the quote.'),
      createdAt: timeText.describe('Time of the quote: ISO 8601, UTC.'),
      updatedAt: timeText.describe('Time of the last change: ISO 8601, UTC.'),
    })
    .describe('A request, created by a quote with steps.'),
)

type Context = Pick<RequestContext, 'operations' | 'loaders'>

export async function encodeRequest(
  answer: RequestAnswer,
  context: Context,
): Promise<z.input<typeof requestBody>> {
  const { request, state } = answer
  const [currencyIn, currencyOut] = await Promise.all([
    encodeAmount(context, request.originChainId, request.originCurrency, request.amountIn),
    encodeAmount(
      context,
      request.destinationChainId,
      request.destinationCurrency,
      request.amountOut,
      request.minimumAmountOut,
    ),
  ])
  const encodeTransactions = transactionEncoder(answer)
  const orderId = publicOrderId(answer)
  return {
    id: request.requestId,
    status: toLegacyStatus(state.status),
    user: request.user,
    recipient: request.recipient,
    data: {
      failReason: state.failReason ?? noReason,
      refundFailReason: state.refundFailReason ?? noReason,
      subsidizedRequest: request.subsidizedUsd > 0n,
      inTxs: encodeTransactions(state.inTxHashes, request.originChainId),
      outTxs: encodeTransactions(state.txHashes, request.destinationChainId),
      currency: currencyIn?.currency.symbol.toLowerCase(),
      currencyObject: currencyIn?.currency,
      ...encodeInputs(answer),
      metadata: { sender: request.user, recipient: request.recipient, currencyIn, currencyOut },
    },
    protocol: orderId && { orderId },
    referrer: request.referrer,
    createdAt: new Date(request.createdAt).toISOString(),
    updatedAt: new Date(state.updatedAt).toISOString(),
  }
}

/** The fields of multi-input requests; none for others. */
function encodeInputs({
  request,
  state,
}: RequestAnswer): Pick<z.input<typeof requestDataBody>, 'inputs' | 'depositDeadline'> {
  if (request.execution === 'user' || request.funding === undefined) return {}
  return {
    depositDeadline: request.funding.depositDeadline,
    inputs: request.inputs.map(({ chainId, user, refundTo, currency, amount }, at) => ({
      ...{ chainId, user, refundTo, currency, amount: amount.toString() },
      status: state.inputStates[at]?.status ?? 'open',
      hash: hashOf(depositProgress({ ...request, state }, at)),
    })),
  }
}

/** `undefined` if the currency is unreadable: its chain may have left the configuration, or its contract the chain. */
async function encodeAmount(
  { operations, loaders }: Context,
  chainId: number,
  address: Address,
  amount: Amount,
  minimumAmount = amount,
): Promise<z.input<typeof requestAmountBody> | undefined> {
  const currency = await operations.currency(chainId, address, loaders).catch(() => undefined)
  return (
    currency && {
      currency,
      amount: amount.toString(),
      amountFormatted: formatAmount(amount, currency.decimals),
      minimumAmount: minimumAmount.toString(),
    }
  )
}

/** Encodes transaction hashes with the block and outcome that the request's progress knows of them. */
function transactionEncoder({ request, state }: RequestAnswer) {
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
        status: found?.isConfirmed ? outcome : undefined,
      }
    })
}
