import { z } from 'zod'
import {
  none,
  olderStatus,
  olderStatuses,
  reasonText,
} from '#src/gateway/rest/routes/statusRoutes.ts'
import type { Loaders, Operations, RequestAnswer } from '#src/operations/operations.ts'
import { shownOrderId } from '#src/operations/requests/publicOrderId.ts'
import { depositProgress, transactionOf } from '#src/operations/requests/statusUpdate.ts'
import type { Progress, TransactionSighting } from '#src/requests/state/requestState.ts'
import type { Address } from '#src/units/address.ts'
import { type Amount, formatAmount } from '#src/units/amount.ts'
import { component } from './bodySchema.ts'
import { currencyBody } from './currencyBody.ts'
import { addressText, amountText, decimalText, hashText, momentText } from './texts.ts'

const transactionBody = component(
  'RequestTransaction',
  z
    .object({
      hash: hashText.describe('Its hash.'),
      chainId: z.int().positive().describe('The chain it is on.'),
      type: z.literal('onchain').describe('Always `onchain`.'),
      block: z.int().min(0).optional().describe('Number of its block; absent while none holds it.'),
      status: z
        .enum(['success', 'failure'])
        .optional()
        .describe('What became of it; absent until it is deep enough in the chain to count.'),
    })
    .describe('A transaction of a request.'),
)

const requestAmountBody = component(
  'RequestAmount',
  z
    .object({
      currency: currencyBody.describe('What it is an amount of.'),
      amount: amountText.describe('In the smallest unit, as it was quoted.'),
      amountFormatted: decimalText.describe('In whole units.'),
      minimumAmount: amountText.describe('The least that was promised.'),
    })
    .describe('An amount that a request was quoted with.'),
)

const requestMetadataBody = component(
  'RequestMetadata',
  z
    .object({
      sender: addressText.describe('Who pays.'),
      recipient: addressText.describe('Who is paid.'),
      currencyIn: requestAmountBody
        .optional()
        .describe('What is paid; absent where its currency cannot be read any more.'),
      currencyOut: requestAmountBody
        .optional()
        .describe('What is paid out; absent where its currency cannot be read any more.'),
    })
    .describe('What was quoted.'),
)

const requestInputBody = component(
  'RequestInput',
  z
    .object({
      chainId: z.int().positive().describe('The chain to deposit on.'),
      user: addressText.describe('Who deposits.'),
      refundTo: addressText.describe('Who is paid back there if it is not filled.'),
      currency: addressText.describe('What the user pays in.'),
      amount: amountText.describe('How much of it, in the smallest unit.'),
      status: z
        .enum(['open', 'funded', 'missed'])
        .describe('Whether its deposit is waited for, counts, or has not come in time.'),
      hash: hashText
        .optional()
        .describe('The transaction of its deposit; absent until it is seen.'),
    })
    .describe('What one account deposits for a request of a multi-input quote.'),
)

const requestDataBody = component(
  'RequestData',
  z
    .object({
      failReason: reasonText.describe(
        'Why it was or will not be filled; "N/A" unless set. Codes may be added.',
      ),
      refundFailReason: reasonText.describe(
        'Why it could not be paid back either; "N/A" unless set. Codes may be added.',
      ),
      subsidizedRequest: z.boolean().describe('Whether a sponsor pays of its fees.'),
      inTxs: z.array(transactionBody).describe('What the user sent.'),
      outTxs: z.array(transactionBody).describe('What paid.'),
      currency: z.string().optional().describe('Symbol of what is paid, in lower case.'),
      currencyObject: currencyBody.optional().describe('What is paid.'),
      inputs: z
        .array(requestInputBody)
        .optional()
        .describe('Each deposit of a multi-input quote; absent for others.'),
      depositDeadline: z
        .int()
        .optional()
        .describe('Until when these are gathered, in seconds since 1970.'),
      metadata: requestMetadataBody.describe('Who pays what to whom, as it was quoted.'),
    })
    .describe('What is known of a request beside how it stands.'),
)

export const requestBody = component(
  'Request',
  z
    .object({
      id: hashText.describe('Its `requestId`.'),
      status: z
        .enum(olderStatuses)
        .describe('How it stands; `submitted` is not told apart from `pending`.'),
      user: addressText.describe('Who pays.'),
      recipient: addressText.describe('Who is paid.'),
      data: requestDataBody.describe('What is known of it.'),
      protocol: z
        .object({ orderId: hashText.describe('What deposits for it carry.') })
        .optional()
        .describe('Its order; absent until a deposit is seen, and where the user swaps alone.'),
      referrer: z.string().optional().describe('The frontend that asked for the quote.'),
      createdAt: momentText.describe('When it was quoted.'),
      updatedAt: momentText.describe('When it last changed.'),
    })
    .describe('A request that was made of a quote.'),
)

type Context = Readonly<{ operations: Pick<Operations, 'currency'>; loaders: Loaders }>

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
  const transactionsOf = createTransactions(answer)
  const orderId = shownOrderId(answer)
  return {
    id: request.requestId,
    status: olderStatus(state.status),
    user: request.user,
    recipient: request.recipient,
    data: {
      failReason: state.failReason ?? none,
      refundFailReason: state.refundFailReason ?? none,
      subsidizedRequest: request.subsidizedUsd > 0n,
      inTxs: transactionsOf(state.inTxHashes, request.originChainId),
      outTxs: transactionsOf(state.txHashes, request.destinationChainId),
      currency: currencyIn?.currency.symbol.toLowerCase(),
      currencyObject: currencyIn?.currency,
      ...gatheredOf(answer),
      metadata: { sender: request.user, recipient: request.recipient, currencyIn, currencyOut },
    },
    protocol: orderId && { orderId },
    referrer: request.referrer,
    createdAt: new Date(request.createdAt).toISOString(),
    updatedAt: new Date(state.updatedAt).toISOString(),
  }
}

function gatheredOf({
  request,
  state,
}: RequestAnswer): Pick<z.input<typeof requestDataBody>, 'inputs' | 'depositDeadline'> {
  if (request.execution === 'user' || request.gathering === undefined) return {}
  return {
    depositDeadline: request.gathering.until,
    inputs: request.inputs.map(({ chainId, user, refundTo, currency, amount }, at) => ({
      ...{ chainId, user, refundTo, currency, amount: amount.toString() },
      status: state.fundings[at]?.status ?? 'open',
      hash: transactionOf(depositProgress({ ...request, state }, at))?.hash,
    })),
  }
}

/** History outlives what it tells of: a chain may be gone from the configuration, a contract from its chain. */
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

/** What the request's own progress tells of each of its transactions. */
function createTransactions({ request, state }: RequestAnswer) {
  const seen = new Map<string, TransactionSighting & { settled: boolean }>()
  const note = (progress: Progress | undefined) => {
    if (progress === undefined || !('transaction' in progress)) return
    const { transaction, status } = progress
    seen.set(transaction.hash, { ...transaction, settled: status === 'confirmed' })
  }
  state.steps.flat().forEach(note)
  note(state.fill)
  state.refunds?.forEach(note)

  const outcome = request.execution === 'user' && state.status === 'failure' ? 'failure' : 'success'
  return (hashes: readonly string[], chainId: number): z.input<typeof transactionBody>[] =>
    hashes.map((hash) => {
      const found = seen.get(hash)
      return {
        hash,
        chainId: found?.chainId ?? chainId,
        type: 'onchain',
        block: found?.block && Number(found.block.number),
        status: found?.settled ? outcome : undefined,
      }
    })
}
