import { z } from 'zod'
import { isNative } from '#src/core/units/currency.ts'
import type { RequestContext } from '#src/gateway/requestContext.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { RequestAnswer } from '#src/service/answers.ts'
import { paidToRecipient } from '#src/service/paidAmounts.ts'
import { component, decimalText } from './bodySchema.ts'
import { encodeAmount, requestAmountBody } from './requestAmounts.ts'
import { encodeAmounts } from './requestBody.ts'

const side = {
  inputCurrency: requestAmountBody
    .nullable()
    .describe('What enters this chain’s part. No value if it is unknown.'),
  outputCurrency: requestAmountBody
    .nullable()
    .describe('What leaves this chain’s part. No value if it is unknown.'),
  router: z
    .literal('relay')
    .optional()
    .describe('`relay` without a swap; absent with a swap: its protocols are not stored.'),
}

const originBody = component(
  'RequestV3Origin',
  z.object(side).describe('The part of the route on the origin chain.'),
)

const destinationBody = component(
  'RequestV3Destination',
  z
    .object({
      ...side,
      currencyGasTopup: requestAmountBody
        .optional()
        .describe('Native currency that the recipient gets in addition; absent without a top-up.'),
    })
    .describe('The part of the route on the destination chain.'),
)

const sides = {
  origin: originBody.nullable().describe('On the origin chain, up to the deposit.'),
  destination: destinationBody
    .nullable()
    .describe('On the destination chain. No value if the user swaps alone.'),
}

export const routeV3Body = component(
  'RequestV3Route',
  z
    .object({
      quoted: z.object(sides).describe('As quoted.'),
      actual: z
        .object({
          ...sides,
          rate: decimalText.optional().describe('Output for one unit of input.'),
        })
        .nullable()
        .describe(
          'The output as paid, without the other amounts. No value until the payment is confirmed, and if the chain does not show it.',
        ),
    })
    .describe('The route of a request. The swap sources that it uses are not stored.'),
)

/** Encodes the quoted route, and the output as paid. */
export async function encodeRouteV3(
  answer: RequestAnswer,
  context: RequestContext,
): Promise<z.input<typeof routeV3Body>> {
  const [quoted, actual] = await Promise.all([
    encodeQuoted(answer, context),
    encodeActual(answer, context),
  ])
  return { quoted, actual }
}

/** The output as paid; `null` while it is unknown. */
async function encodeActual(
  answer: RequestAnswer,
  context: RequestContext,
): Promise<z.input<typeof routeV3Body>['actual']> {
  const paid = paidToRecipient(answer)
  if (paid === undefined) return null
  const { currencyOut, currencyGasTopup } = await encodeAmounts(answer, context, paid)
  const output = { inputCurrency: null, outputCurrency: currencyOut ?? null }
  return answer.request.execution === 'user'
    ? { origin: output, destination: null }
    : { origin: null, destination: { ...output, currencyGasTopup } }
}

async function encodeQuoted(
  answer: RequestAnswer,
  context: RequestContext,
): Promise<z.input<typeof routeV3Body>['quoted']> {
  const { request } = answer
  const { currencyIn, currencyOut, currencyGasTopup } = await encodeAmounts(answer, context)
  const inputCurrency = currencyIn ?? null
  const outputCurrency = currencyOut ?? null
  if (request.execution === 'user')
    return routeOf({ inputCurrency, outputCurrency, ...routerOf(isSend(request)) }, null)
  if (request.execution === 'upstream')
    return routeOf(
      { inputCurrency, outputCurrency: null },
      { inputCurrency: null, outputCurrency, currencyGasTopup },
    )
  const { fill, inputs, destinationChainId } = request
  const [input] = inputs
  const [deposited, spent] = await Promise.all([
    input &&
      encodeAmount(context, input.chainId, input.depositCurrency, { amount: input.depositAmount }),
    encodeAmount(context, destinationChainId, fill.payoutCurrency, { amount: fill.payoutAmount }),
  ])
  return routeOf(
    {
      inputCurrency,
      outputCurrency: deposited ?? null,
      ...routerOf(input?.currency === input?.depositCurrency),
    },
    {
      inputCurrency: spent ?? null,
      outputCurrency,
      ...routerOf(fill.payoutCurrency === request.destinationCurrency),
      currencyGasTopup,
    },
  )
}

const routeOf = (
  origin: z.input<typeof originBody>,
  destination: z.input<typeof destinationBody> | null,
) => ({ origin, destination })

const routerOf = (isDirect: boolean) => (isDirect ? { router: 'relay' as const } : {})

const isSend = ({ originCurrency, destinationCurrency }: QuotedRequest): boolean =>
  originCurrency === destinationCurrency

export const requestTypes = [
  'Bridge',
  'Crosschain Swap',
  'Same-chain Swap',
  'Send',
  'Wrap',
  'Unwrap',
  'Call',
] as const

type RequestType = (typeof requestTypes)[number]

/** The type of a request; null if only another service knows it. */
export function requestTypeOf(
  request: QuotedRequest,
  { operations }: RequestContext,
): RequestType | null {
  const { originChainId, originCurrency, destinationCurrency } = request
  if (originChainId === request.destinationChainId) {
    const wrapped = operations.chain(originChainId)?.wrappedNative
    if (isSend(request)) return 'Send'
    if (isNative(originCurrency) && destinationCurrency === wrapped) return 'Wrap'
    if (originCurrency === wrapped && isNative(destinationCurrency)) return 'Unwrap'
    return 'Same-chain Swap'
  }
  if (request.execution !== 'solver') return null
  const isDirect =
    request.fill.payoutCurrency === destinationCurrency &&
    request.inputs.every(({ currency, depositCurrency }) => currency === depositCurrency)
  return isDirect ? 'Bridge' : 'Crosschain Swap'
}
