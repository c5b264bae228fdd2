import { z } from 'zod'
import type { Address } from '#src/core/units/address.ts'
import { type Amount, formatAmount } from '#src/core/units/amount.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { RequestContext } from '#src/gateway/requestContext.ts'
import type { QuotedAmount } from '#src/requests/quotedRequest.ts'
import { amountText, component, decimalText, usdText } from './bodySchema.ts'
import { currencyBody } from './currencyBody.ts'
import { amountUsdText } from './requestFeesBody.ts'

export const requestAmountBody = component(
  'RequestAmount',
  z
    .object({
      currency: currencyBody.describe('The currency of the amount.'),
      amount: amountText.describe('The quoted amount, in the smallest unit.'),
      amountFormatted: decimalText.describe('The quoted amount, in whole units.'),
      amountUsd: usdText
        .optional()
        .describe(
          'Value in US dollars at the time of the quote; absent without a price, for old quotes that did not store it, and for one of several deposits.',
        ),
      minimumAmount: amountText.describe('The lowest promised amount, in the smallest unit.'),
    })
    .describe('An amount of a quote.'),
)

/** `undefined` if the currency is unreadable: its chain may be no longer configured, or its contract may be gone. */
export async function encodeAmount(
  { operations, loaders }: RequestContext,
  chainId: number,
  address: Address,
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
