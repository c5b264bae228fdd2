import { z } from 'zod'
import type { Account } from '#src/core/units/address.ts'
import { type Amount, formatAmount } from '#src/core/units/amount.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { formatAmountUsd } from '#src/gateway/formatValues.ts'
import type { RequestContext } from '#src/gateway/requestContext.ts'
import type { QuotedAmount } from '#src/requests/quotedRequest.ts'
import type { RequestAnswer } from '#src/service/answers.ts'
import { addressText, amountText, component, decimalText, usdText } from './bodySchema.ts'
import { currencyBody } from './currencyBody.ts'

const partOf = {
  gas: 'The gas of the fill.',
  price: 'The solver’s service fee, including its flat part.',
  gateway: 'The app fees.',
}

const feePartsBody = component(
  'RequestFees',
  z
    .object({
      gas: amountText.describe(partOf.gas),
      price: amountText.describe(partOf.price),
      gateway: amountText.describe(partOf.gateway),
    })
    .describe('Quoted fees, in the smallest unit of `feeCurrencyObject`.'),
)

const millionthsText = z.string().regex(/^-?[0-9]+$/)

const feePartsUsdBody = component(
  'RequestFeesUsd',
  z
    .object({
      gas: millionthsText.optional().describe(`${partOf.gas} Absent without a price.`),
      price: millionthsText.optional().describe(`${partOf.price} Absent without a price.`),
      gateway: millionthsText.optional().describe(`${partOf.gateway} Absent without a price.`),
    })
    .describe('Value of the quoted fees at that time, in millionths of a US dollar.'),
)

const appFeeBody = component(
  'RequestAppFee',
  z
    .object({
      recipient: addressText.describe('Account that receives the fee.'),
      bps: z
        .string()
        .regex(/^[0-9]+$/)
        .describe('Share of the input in basis points.'),
      amount: amountText.describe('Quoted fee, in the smallest unit of `feeCurrencyObject`.'),
      amountUsd: usdText
        .optional()
        .describe('Its value in US dollars at the time of the quote; absent without a price.'),
    })
    .describe('A fee for a frontend.'),
)

/** The fields of `data` with quoted values. Absent for old quotes that did not store them. */
export const quotedFields = {
  slippageTolerance: z
    .string()
    .regex(/^[0-9]+$/)
    .optional()
    .describe('Quoted slippage tolerance, in basis points.'),
  timeEstimate: z
    .int()
    .min(0)
    .optional()
    .describe('Quoted seconds from the broadcast of the deposit to the payment.'),
  fees: feePartsBody.optional().describe('Fees that reduced the output, or that a sponsor paid.'),
  feesUsd: feePartsUsdBody.optional().describe('The same fees in millionths of a US dollar.'),
  feeCurrency: z.string().optional().describe('Symbol of the fees’ currency, in lower case.'),
  feeCurrencyObject: currencyBody.optional().describe('The currency of the fees.'),
  appFees: z.array(appFeeBody).optional().describe('The app fees, one for each recipient.'),
}

type QuotedFields = Readonly<{
  [Key in keyof typeof quotedFields]?: z.input<(typeof quotedFields)[Key]>
}>

/** Encodes the fees of the quote's summary. */
export async function encodeQuoted(
  { request: { summary } }: RequestAnswer,
  { operations, loaders }: RequestContext,
): Promise<QuotedFields> {
  if (summary === undefined) return {}
  const { relayerGas: gas, relayerService: price, app: gateway, feeCurrency } = summary
  const currency = await operations
    .currency(feeCurrency.chainId, feeCurrency.address, loaders)
    .catch(() => undefined)
  const parts = { gas, price, gateway }
  return {
    slippageTolerance: summary.slippageBps.toString(),
    timeEstimate: summary.timeEstimate,
    fees: mapParts(parts, ({ amount }) => amount.toString()),
    feesUsd: mapParts(parts, ({ amount, usd }) => (amount === 0n ? '0' : usd?.toString())),
    feeCurrency: currency?.symbol.toLowerCase(),
    feeCurrencyObject: currency,
    appFees: summary.appFees.map(({ recipient, bps, ...quoted }) => ({
      recipient,
      bps: bps.toString(),
      amount: quoted.amount.toString(),
      amountUsd: amountUsdText(quoted),
    })),
  }
}

const mapParts = <Text>(
  { gas, price, gateway }: Readonly<Record<keyof typeof partOf, QuotedAmount>>,
  toText: (part: QuotedAmount) => Text,
) => ({ gas: toText(gas), price: toText(price), gateway: toText(gateway) })

/** Value in US dollars; `undefined` without a price. */
const amountUsdText = ({ amount, usd }: QuotedAmount): string | undefined => {
  if (amount === 0n) return '0'
  return usd === undefined ? undefined : formatAmountUsd(usd)
}

export const requestAmountBody = component(
  'RequestAmount',
  z
    .object({
      currency: currencyBody.describe('The currency of the amount.'),
      amount: amountText.describe('The amount, in the smallest unit.'),
      amountFormatted: decimalText.describe('The amount in whole units.'),
      amountUsd: usdText
        .optional()
        .describe(
          'Value in US dollars at the prices of the quote; absent without a price, for old quotes that did not store it, and for one of several deposits.',
        ),
      minimumAmount: amountText.describe('The lowest promised amount, in the smallest unit.'),
    })
    .describe('An amount of a request.'),
)

/** `undefined` if the currency is unreadable: its chain may be no longer configured, or its contract may be gone. */
export async function encodeAmount(
  { operations, loaders }: RequestContext,
  chainId: number,
  address: Account,
  {
    amount,
    usd,
    minimumAmount = amount,
    stored,
  }: QuotedAmount &
    Readonly<{
      minimumAmount?: Amount
      /** The currency, if it is stored with the request. */
      stored?: Currency | undefined
    }>,
): Promise<z.input<typeof requestAmountBody> | undefined> {
  const currency =
    stored ?? (await operations.currency(chainId, address, loaders).catch(() => undefined))
  return (
    currency && {
      currency,
      amount: amount.toString(),
      amountFormatted: formatAmount(amount, currency.decimals),
      amountUsd: amountUsdText({ amount, ...(usd !== undefined && { usd }) }),
      minimumAmount: minimumAmount.toString(),
    }
  )
}
