import { z } from 'zod'
import { nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { RequestContext } from '#src/gateway/requestContext.ts'
import { depositProgress, hashOf } from '#src/requests/progress.ts'
import type { Progress } from '#src/requests/state/requestState.ts'
import { awaitsLiquidity, parentIdOf, shownDepositAddress } from '#src/requests/status.ts'
import type { RequestAnswer } from '#src/service/answers.ts'
import { type PaidAmount, paidToRecipient } from '#src/service/paidAmounts.ts'
import { publicOrderId, storedCurrencies } from '#src/service/requests/publicOrder.ts'
import {
  addressText,
  amountText,
  component,
  decimalText,
  hashText,
  timeText,
  txIdText,
} from './bodySchema.ts'
import { currencyBody } from './currencyBody.ts'
import { encodePaidAppFees, paidBody } from './paidBody.ts'
import { encodeAmount, encodeQuoted, quotedFields, requestAmountBody } from './requestAmounts.ts'
import {
  claims,
  encodeClaims,
  transactionBody,
  transactionEncoder,
} from './requestTransactionBody.ts'
import { legacyStatuses, noReason, reasonFields, toLegacyStatus } from './statusBody.ts'

const requestMetadataBody = component(
  'RequestMetadata',
  z
    .object({
      sender: addressText.describe('The account that pays.'),
      recipient: addressText.describe('The account that is paid.'),
      currencyIn: requestAmountBody
        .optional()
        .describe('Quoted payment of the user; absent if its currency can no longer be read.'),
      currencyOut: requestAmountBody
        .optional()
        .describe(
          'Output of the recipient: what the chain shows that it got, and before that the quoted amount. Absent if its currency can no longer be read.',
        ),
      currencyGasTopup: requestAmountBody
        .optional()
        .describe(
          'Native currency that the recipient gets in addition: what the fill has paid, and before that the highest amount. Absent without `topupGas`.',
        ),
      rate: decimalText
        .optional()
        .describe(
          'Whole units of the output for one whole unit of the input; absent for old quotes that did not store it.',
        ),
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
      hash: txIdText
        .optional()
        .describe('Transaction hash of the deposit; absent until one is found.'),
    })
    .describe('One deposit of a multi-input request.'),
)

/** The fields of multi-input requests. */
export const inputFields = {
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
}

const requestDataBody = component(
  'RequestData',
  z
    .object({
      ...reasonFields,
      subsidizedRequest: z.boolean().describe('Whether a sponsor pays part of its fees.'),
      ...quotedFields,
      usesExternalLiquidity: z
        .boolean()
        .describe('Whether the fill may wait for inventory that the solver lacked at the quote.'),
      price: amountText.describe('The quoted output, in its smallest unit.'),
      refundCurrencyData: requestAmountBody
        .optional()
        .describe('Refunded amount of the first refunded currency; absent without a refund.'),
      paidAppFees: z
        .array(paidBody)
        .optional()
        .describe('The app fees that settlements have paid; absent if there are none yet.'),
      claims,
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
      ...inputFields,
      supersededByRequestId: hashText
        .optional()
        .describe(
          'For an open deposit address, the `requestId` of its newest payment; absent before the first payment, and for other requests.',
        ),
      parentRequestId: hashText
        .optional()
        .describe(
          'For a payment to an open deposit address, the `requestId` of the address; absent for other requests.',
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
        .describe('As in /intents/status/v3, but with `pending` instead of `submitted`.'),
      user: addressText.describe('The account that pays.'),
      recipient: addressText.describe('The account that is paid.'),
      data: requestDataBody.describe('Transactions, reasons and quote.'),
      protocol: z
        .object({
          orderId: hashText.describe('The order id that its deposits carry.'),
          deposit: z
            .object({
              origin: z
                .object({
                  transactionId: txIdText.describe('Hash of its transaction.'),
                  chainId: z.int().positive().describe('EIP-155 id of its chain.'),
                })
                .describe('The deposit on the origin chain.'),
            })
            .describe('The first deposit that was found.'),
        })
        .optional()
        .describe('Its order; absent until a deposit is found, and for a user’s own swap.'),
      orderData: z
        .record(z.string(), z.unknown())
        .optional()
        .describe(
          'Its order. `protocol.orderId` is the hash of the order. `output` is absent until the request has ended. The whole order is absent without `includeOrderData`, until a deposit is found, and for a user’s own swap.',
        ),
      depositAddress: z
        .object({
          address: addressText.describe('The address.'),
          depositAddressType: z
            .enum(['open', 'strict'])
            .describe(
              '`open`: it accepts any number of payments, and each is a request of its own. `strict`: it accepts one payment.',
            ),
          depositor: addressText.describe('The account that the address deposits for.'),
        })
        .optional()
        .describe('The deposit address that the user pays; absent if there is none.'),
      referrer: z.string().optional().describe('The `referrer` of the quote.'),
      createdAt: timeText.describe('Time of the quote: ISO 8601, UTC.'),
      updatedAt: timeText.describe('Time of the last change: ISO 8601, UTC.'),
    })
    .describe('A request, created by a quote with steps.'),
)

export async function encodeRequest(
  answer: RequestAnswer,
  context: RequestContext,
): Promise<z.input<typeof requestBody>> {
  const { request, state } = answer
  const [{ currencyIn, ...amounts }, quoted, refundCurrencyData, unpaid, appFees] =
    await Promise.all([
      encodeAmounts(answer, context, paidToRecipient(answer)),
      encodeQuoted(answer, context),
      encodeRefund(answer, context),
      encodeClaims(answer),
      encodePaidAppFees(answer, context),
    ])
  const encodeTransactions = transactionEncoder(answer)
  const inTxs = encodeTransactions(state.inTxHashes, request.originChainId)
  return {
    id: request.requestId,
    status: toLegacyStatus(state.status),
    user: request.user,
    recipient: request.recipient,
    data: {
      failReason: state.failReason ?? noReason,
      refundFailReason: state.refundFailReason ?? noReason,
      subsidizedRequest: request.subsidizedUsd > 0n,
      ...quoted,
      usesExternalLiquidity: awaitsLiquidity(request),
      price: request.amountOut.toString(),
      refundCurrencyData,
      paidAppFees: appFees,
      claims: unpaid,
      inTxs,
      outTxs: encodeTransactions(state.txHashes, request.destinationChainId),
      currency: currencyIn?.currency.symbol.toLowerCase(),
      currencyObject: currencyIn?.currency,
      ...encodeInputs(answer),
      supersededByRequestId: state.supersededBy,
      parentRequestId: parentIdOf(request),
      metadata: {
        sender: request.user,
        recipient: request.recipient,
        currencyIn,
        ...amounts,
        rate: request.summary?.rate,
      },
    },
    protocol: encodeProtocol(answer, inTxs[0]),
    depositAddress: shownDepositAddress(request),
    referrer: request.referrer,
    createdAt: new Date(request.createdAt).toISOString(),
    updatedAt: new Date(state.updatedAt).toISOString(),
  }
}

/**
 * The quoted amounts, or the output that was `paid`. The value of one of several deposits is not stored.
 */
export async function encodeAmounts(
  { request }: RequestAnswer,
  context: RequestContext,
  paid?: PaidAmount,
) {
  const { summary, amountIn, amountOut, minimumAmountOut, destinationChainId } = request
  const isSingle = request.execution !== 'solver' || request.funding === undefined
  const inUsd = isSingle ? summary?.inUsd : undefined
  const outUsd = paid === undefined ? summary?.outUsd : paid.usd
  const topup = paid?.topup === undefined ? summary?.topup : { amount: paid.topup }
  const currencies = storedCurrencies(request)
  const [currencyIn, currencyOut, currencyGasTopup] = await Promise.all([
    encodeAmount(context, request.originChainId, request.originCurrency, {
      amount: amountIn,
      stored: currencies?.origin,
      ...(inUsd !== undefined && { usd: inUsd }),
    }),
    encodeAmount(context, destinationChainId, request.destinationCurrency, {
      amount: paid?.amount ?? amountOut,
      stored: currencies?.destination,
      ...(outUsd !== undefined && { usd: outUsd }),
      minimumAmount: minimumAmountOut,
    }),
    topup && encodeAmount(context, destinationChainId, nativeAddress, topup),
  ])
  return { currencyIn, currencyOut, currencyGasTopup }
}

/** The refunded amount of the first currency; `undefined` without a refund, or if the solver did not pay it. */
export async function encodeRefund({ state, deposits }: RequestAnswer, context: RequestContext) {
  if (state.status !== 'refund') return undefined
  const refunds = (await deposits()).flatMap(({ chainId, currency, refundAmount }) =>
    refundAmount === undefined ? [] : [{ chainId, currency, refundAmount }],
  )
  const [first] = refunds
  if (first === undefined) return undefined
  const { chainId, currency } = first
  const amount = refunds
    .filter((each) => each.chainId === chainId && each.currency === currency)
    .reduce((sum, each) => sum + each.refundAmount, 0n)
  return encodeAmount(context, chainId, currency, { amount: toAmount(amount) })
}

function encodeProtocol(
  answer: RequestAnswer,
  deposit: z.input<typeof transactionBody> | undefined,
): z.input<typeof requestBody>['protocol'] {
  const orderId = publicOrderId(answer)
  if (orderId === undefined || deposit === undefined) return undefined
  const { hash: transactionId, chainId } = deposit
  return { orderId, deposit: { origin: { transactionId, chainId } } }
}

/** The fields of multi-input requests; empty for others. */
export function encodeInputs({ request, state }: RequestAnswer) {
  if (request.execution !== 'solver' || request.funding === undefined) return {}
  return {
    depositDeadline: request.funding.depositDeadline,
    inputs: request.inputs.map(({ chainId, user, refundTo, currency, amount }, at) => ({
      chainId,
      user,
      refundTo,
      currency,
      amount: amount.toString(),
      status: state.inputStates[at]?.status ?? 'open',
      hash: depositHash(depositProgress({ ...request, state }, at)),
    })),
  }
}

/** A reverted transaction has deposited nothing. */
const depositHash = (progress: Progress) =>
  progress.status === 'reverted' ? undefined : hashOf(progress)
