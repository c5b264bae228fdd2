import { z } from 'zod'
import { nativeAddress } from '#src/core/units/address.ts'
import type { RequestContext } from '#src/gateway/requestContext.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import { requestStatuses, transactionOf } from '#src/requests/state/requestState.ts'
import { awaitsLiquidity, parentIdOf, shownDepositAddress } from '#src/requests/status.ts'
import type { RequestAnswer } from '#src/service/answers.ts'
import { addressText, component, hashText, timeText, txIdText } from './bodySchema.ts'
import { requestAmountBody } from './requestAmounts.ts'
import { encodeInputs, encodeRefund, inputFields } from './requestBody.ts'
import {
  claims,
  encodeClaims,
  transactionEncoder,
  transactionFields,
} from './requestTransactionBody.ts'
import { appFeesV3Body, encodeFeesV3, feesV3Body } from './requestV3FeesBody.ts'
import { encodeProtocolV3, protocolV3Body } from './requestV3ProtocolBody.ts'
import { encodeRouteV3, requestTypeOf, requestTypes, routeV3Body } from './requestV3RouteBody.ts'

const { hash: txHash, ...otherTransactionFields } = transactionFields

const transactionV3Body = component(
  'RequestV3Transaction',
  z.object({ txHash, ...otherTransactionFields }).describe('A transaction of a request.'),
)

const reason = z.string().regex(/^[A-Z_]+$/)

const dataV3Body = component(
  'RequestV3Data',
  z
    .object({
      slippageTolerance: z
        .string()
        .regex(/^[0-9]+$/)
        .optional()
        .describe('Quoted slippage tolerance in basis points; absent for old quotes.'),
      failReason: reason
        .nullable()
        .describe(
          'Code of the reason why the request is not filled, or is filled without the calls of its order. New codes may be added.',
        ),
      refundFailReason: reason
        .nullable()
        .describe('Code of the reason why the deposit is not refunded. New codes may be added.'),
      failedTxHash: txIdText
        .optional()
        .describe('The transaction whose revert ended the request; absent without one.'),
      failedTxBlockNumber: z.int().min(0).optional().describe('The number of its block.'),
      usesExternalLiquidity: z
        .boolean()
        .describe('Whether the fill may wait for inventory that the solver lacked at the quote.'),
      timeEstimate: z
        .int()
        .min(0)
        .nullable()
        .describe('Quoted seconds from the broadcast of the deposit to the payment.'),
      triggeredByFastFill: z.literal(false).describe('Always false: there is no fast fill.'),
      inTxs: z
        .array(transactionV3Body)
        .describe('The user’s transactions: the deposits, or the user’s own swap.'),
      outTxs: z
        .array(transactionV3Body)
        .describe('The payments: the fill, the refunds, or the user’s own swap.'),
      appFees: appFeesV3Body.describe('Fees that frontends charge.'),
      feeSponsorship: z.null().describe('Never has a value: the split is not stored.'),
      fees: feesV3Body.nullable().describe('The fees. No value for old quotes.'),
      route: routeV3Body.describe('The way from the input to the output.'),
      quoteOraclePrice: z.null().describe('Never has a value.'),
      refundCurrencyData: requestAmountBody
        .nullable()
        .describe('Refunded amount of the first refunded currency.'),
      externalMetadata: z
        .object({ moonpayId: z.null().describe('Never has a value.') })
        .describe('Ids of other services.'),
      claims,
      ...inputFields,
      parentRequestId: hashText
        .optional()
        .describe('For a payment to an open deposit address, the request of the address.'),
      referrer: z
        .string()
        .nullable()
        .optional()
        .describe('The `referrer` of the quote. Only with `includeAuthenticatedData`.'),
      platformFee: z
        .null()
        .optional()
        .describe('Never has a value. Only with `includeAuthenticatedData`.'),
      apiKeyName: z
        .string()
        .optional()
        .describe('Name of the API key of the quote. Only with `includeAuthenticatedData`.'),
    })
    .describe('Transactions, reasons, fees and route of a request.'),
)

export const requestV3Body = component(
  'RequestV3',
  z
    .object({
      id: hashText.describe('The `requestId`.'),
      status: z.enum(requestStatuses).describe('As in /intents/status/v3.'),
      user: addressText.describe('The account that pays.'),
      recipient: addressText.describe('The account that is paid.'),
      sender: addressText.nullable().describe('The account that pays.'),
      refundTo: addressText
        .nullable()
        .describe('The account that a refund is paid to. No value: the payer of the address.'),
      supersededByRequestId: hashText
        .nullable()
        .describe('For an open deposit address, the request of its newest payment.'),
      depositAddress: z
        .object({
          address: addressText.describe('The address.'),
          type: z
            .enum(['open', 'strict'])
            .describe('`open`: it accepts any number of payments. `strict`: it accepts one.'),
          depositor: addressText.describe('The account that the address deposits for.'),
          depositTxHash: hashText.nullable().describe('No value yet: it is not stored.'),
          recoveryAddress: addressText.nullable().describe('Never has a value.'),
        })
        .nullable()
        .describe('The deposit address that the user pays.'),
      data: dataV3Body.describe('Transactions, reasons, fees and route.'),
      protocol: protocolV3Body
        .nullable()
        .describe('Its order. No value until a deposit is found, and for a user’s own swap.'),
      requestType: z
        .enum(requestTypes)
        .nullable()
        .describe('Kind of the request. No value if only another service knows it.'),
      features: z
        .array(z.enum(['gas_top_up', 'app_fees', 'deposit_address']))
        .describe('What the request uses.'),
      createdAt: timeText.describe('Time of the quote: ISO 8601, UTC.'),
      updatedAt: timeText.describe('Time of the last change: ISO 8601, UTC.'),
    })
    .describe('A request, created by a quote with steps.'),
)

/** Encodes a request. `ownKey`: name of the caller's API key, whose requests show more. */
export async function encodeRequestV3(
  answer: RequestAnswer,
  context: RequestContext,
  ownKey: string | undefined,
): Promise<z.input<typeof requestV3Body>> {
  const { request, state } = answer
  const [{ fees, appFees }, route, refund, unpaid, protocol] = await Promise.all([
    encodeFeesV3(answer, context),
    encodeRouteV3(answer, context),
    encodeRefund(answer, context),
    encodeClaims(answer),
    encodeProtocolV3(answer, context),
  ])
  const encode = transactionEncoder(answer)
  const transactionsOf = (hashes: readonly string[], chainId: number) =>
    encode(hashes, chainId).map(({ hash, ...rest }) => ({ txHash: hash, ...rest }))
  return {
    id: request.requestId,
    status: state.status,
    user: request.user,
    recipient: request.recipient,
    sender: request.user,
    refundTo: request.refundTo === nativeAddress ? null : request.refundTo,
    supersededByRequestId: state.supersededBy ?? null,
    depositAddress: encodeDepositAddress(request),
    data: {
      slippageTolerance: request.summary?.slippageBps.toString(),
      failReason: state.failReason ?? null,
      refundFailReason: state.refundFailReason ?? null,
      ...failedTransactionOf(answer),
      usesExternalLiquidity: awaitsLiquidity(request),
      timeEstimate: request.summary?.timeEstimate ?? null,
      triggeredByFastFill: false,
      inTxs: transactionsOf(state.inTxHashes, request.originChainId),
      outTxs: transactionsOf(state.txHashes, request.destinationChainId),
      appFees,
      feeSponsorship: null,
      fees,
      route,
      quoteOraclePrice: null,
      refundCurrencyData: refund ?? null,
      externalMetadata: { moonpayId: null },
      claims: unpaid,
      ...encodeInputs(answer),
      parentRequestId: parentIdOf(request),
      ...(ownKey !== undefined && request.apiKey === ownKey && authenticatedOf(request, ownKey)),
    },
    protocol,
    requestType: requestTypeOf(request, context),
    features: featuresOf(request),
    createdAt: new Date(request.createdAt).toISOString(),
    updatedAt: new Date(state.updatedAt).toISOString(),
  }
}

const authenticatedOf = ({ referrer }: QuotedRequest, apiKeyName: string) => ({
  referrer: referrer ?? null,
  platformFee: null,
  apiKeyName,
})

function encodeDepositAddress(request: QuotedRequest) {
  const shown = shownDepositAddress(request)
  if (shown === undefined) return null
  const { address, depositAddressType: type, depositor } = shown
  return { address, type, depositor, depositTxHash: null, recoveryAddress: null }
}

/** Only a failure names a transaction: after other reverted ones, the next may succeed. */
function failedTransactionOf({ request, state }: RequestAnswer) {
  if (state.status !== 'failure') return {}
  const failed = request.execution === 'user' ? 'confirmed' : 'reverted'
  const progress = [...state.steps.flat(), state.fill]
  const transaction = transactionOf(progress.findLast((each) => each?.status === failed))
  if (transaction === undefined) return {}
  const { hash, block } = transaction
  return { failedTxHash: hash, ...(block && { failedTxBlockNumber: Number(block.number) }) }
}

function featuresOf(request: QuotedRequest): z.input<typeof requestV3Body>['features'] {
  const { summary } = request
  return [
    ...(summary?.topup === undefined ? [] : (['gas_top_up'] as const)),
    ...(summary === undefined || summary.appFees.length === 0 ? [] : (['app_fees'] as const)),
    ...(shownDepositAddress(request) === undefined ? [] : (['deposit_address'] as const)),
  ]
}
