import { z } from 'zod'
import { formatAmount } from '#src/core/units/amount.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { formatUsd, toUsd, type Usd } from '#src/core/units/usd.ts'
import type { RequestContext } from '#src/gateway/requestContext.ts'
import type { QuotedAmount, QuoteSummary } from '#src/requests/quotedRequest.ts'
import type { RequestAnswer } from '#src/service/answers.ts'
import { addressText, amountText, component, decimalText, usdText } from './bodySchema.ts'
import { currencyBody } from './currencyBody.ts'
import { shownAppFees } from './paidBody.ts'

const feeBody = component(
  'RequestV3Fee',
  z
    .object({
      usd: usdText
        .nullable()
        .describe(
          'Value in US dollars at the time of the quote. Costs are negative; what a sponsor pays is positive. No value without a price.',
        ),
      amount: amountText
        .nullable()
        .describe(
          'The amount without its sign, in the smallest unit. No value if it is not stored.',
        ),
      amountFormatted: decimalText.nullable().describe('The same in whole units.'),
    })
    .describe('A part of the fees.'),
)

const feeGroupBody = component(
  'RequestV3FeeParts',
  z
    .object({
      swap: feeBody.describe('Loss by the swaps. Only its value is stored.'),
      execution: feeBody.describe('The gas of the fill.'),
      platform: feeBody.describe('The service fee of the solver, with its flat part.'),
      app: feeBody.describe('The app fees.'),
      sponsored: feeBody.describe('What a sponsor pays. Only its value is stored.'),
    })
    .describe('The fees by component.'),
)

export const feesV3Body = component(
  'RequestV3Fees',
  z
    .object({
      quoted: feeGroupBody.describe('As quoted.'),
      actual: feeGroupBody
        .nullable()
        .describe(
          'As paid. No value: the parts of a fill’s real costs are not stored. `appFees.actual` has the app fees.',
        ),
      currency: currencyBody.describe('The currency of all amounts.'),
    })
    .describe('The fees of a request.'),
)

const quotedAppFee = {
  recipient: addressText.describe('Account that receives the fee.'),
  bps: z
    .string()
    .regex(/^[0-9]+$/)
    .describe('Share of the input in basis points.'),
  amount: amountText.describe('The fee, in the smallest unit.'),
  amountFormatted: decimalText.nullable().describe('The fee, in whole units.'),
}

const quotedAppFeeBody = component(
  'RequestV3AppFee',
  z.object(quotedAppFee).describe('A quoted fee for a frontend.'),
)

const paidAppFeeBody = component(
  'RequestV3PaidAppFee',
  z
    .object({ ...quotedAppFee, amountUsd: usdText.nullable().describe('Its value in US dollars.') })
    .describe('A paid fee for a frontend.'),
)

export const appFeesV3Body = component(
  'RequestV3AppFees',
  z
    .object({
      quoted: z.array(quotedAppFeeBody).describe('One for each recipient.'),
      actual: z
        .array(paidAppFeeBody)
        .describe(
          'The fees that were paid, as the chain shows it. Empty before, and if it does not show them.',
        ),
      currency: currencyBody
        .optional()
        .describe('The currency of the amounts; absent without app fees, or if it cannot be read.'),
    })
    .describe('The fees for frontends.'),
)

type FeeFields = Readonly<{
  fees: z.input<typeof feesV3Body> | null
  appFees: z.input<typeof appFeesV3Body>
}>

/** Encodes the fees of the quote's summary. Old quotes did not store it. */
export async function encodeFeesV3(
  answer: RequestAnswer,
  { operations, loaders }: RequestContext,
): Promise<FeeFields> {
  const { summary, subsidizedUsd } = answer.request
  if (summary === undefined) return { fees: null, appFees: { quoted: [], actual: [] } }
  const { chainId, address } = summary.feeCurrency
  const currency = await operations.currency(chainId, address, loaders).catch(() => undefined)
  const appFees = summary.appFees.map(({ recipient, bps, amount }) => ({
    recipient,
    bps: bps.toString(),
    amount: amount.toString(),
    amountFormatted: currency === undefined ? null : formatAmount(amount, currency.decimals),
  }))
  return {
    fees: currency === undefined ? null : encodeQuotedFees(summary, subsidizedUsd, currency),
    appFees: {
      quoted: appFees,
      actual: await actualAppFees(answer, summary, currency),
      ...(appFees.length > 0 && { currency }),
    },
  }
}

/** Leaves out payments in another currency than that of the quoted fees, in which they could not be shown. */
async function actualAppFees(
  answer: RequestAnswer,
  { appFees, feeCurrency }: QuoteSummary,
  currency: Currency | undefined,
): Promise<z.input<typeof paidAppFeeBody>[]> {
  if (appFees.length === 0) return []
  const paid = (await shownAppFees(answer)).filter(
    ({ chainId, address }) => chainId === feeCurrency.chainId && address === feeCurrency.address,
  )
  return paid.map(({ recipient, amount, usd }) => ({
    recipient,
    bps: sumOf(appFees.filter((each) => each.recipient === recipient).map(({ bps }) => bps)),
    amount: amount.toString(),
    amountFormatted: currency === undefined ? null : formatAmount(amount, currency.decimals),
    amountUsd: usdOf(usd),
  }))
}

const sumOf = (shares: readonly bigint[]): string =>
  shares.reduce((sum, each) => sum + each, 0n).toString()

function encodeQuotedFees(
  summary: QuoteSummary,
  subsidizedUsd: Usd,
  currency: Currency,
): z.input<typeof feesV3Body> {
  const costOf = ({ amount, usd }: QuotedAmount): z.input<typeof feeBody> => ({
    usd: amount === 0n ? '0' : usdOf(usd && toUsd(-usd)),
    amount: amount.toString(),
    amountFormatted: formatAmount(amount, currency.decimals),
  })
  const onlyValue = (usd: Usd | undefined): z.input<typeof feeBody> => ({
    usd: usd === 0n ? '0' : usdOf(usd),
    amount: usd === 0n ? '0' : null,
    amountFormatted: usd === 0n ? '0.0' : null,
  })
  return {
    quoted: {
      swap: onlyValue(swapImpact(summary)),
      execution: costOf(summary.relayerGas),
      platform: costOf(summary.relayerService),
      app: costOf(summary.app),
      sponsored: onlyValue(subsidizedUsd),
    },
    actual: null,
    currency,
  }
}

const usdOf = (usd: Usd | undefined): string | null => (usd === undefined ? null : formatUsd(usd))

/** The change of value from input to output without the fees. @source docs/protocol.md §5.4 */
function swapImpact({ inUsd, outUsd, ...fees }: QuoteSummary): Usd | undefined {
  let impact = inUsd === undefined || outUsd === undefined ? undefined : toUsd(outUsd - inUsd)
  for (const { amount, usd } of [fees.relayerGas, fees.relayerService, fees.app]) {
    const value = amount === 0n ? 0n : usd
    impact = impact === undefined || value === undefined ? undefined : toUsd(impact + value)
  }
  return impact
}
