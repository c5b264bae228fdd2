import { z } from 'zod'
import { usdText, worthOf } from '#src/gateway/usdText.ts'
import type { CurrencyAmount } from '#src/pricing/price.ts'
import { formatAmount } from '#src/units/amount.ts'
import { component } from './component.ts'
import { addressText, amountText, decimalText, usdText as usdTextBody } from './texts.ts'

const currencyFields = {
  chainId: z.int(),
  address: addressText,
  symbol: z.string(),
  name: z.string(),
  decimals: z.int(),
}

const currencyMetadataBody = component(
  'CurrencyMetadata',
  z.object({ logoURI: z.string().optional(), verified: z.boolean(), isNative: z.boolean() }),
)

/** A `Currency` is its own answer. */
export const currencyBody = component(
  'Currency',
  z.object({ ...currencyFields, metadata: currencyMetadataBody }),
)

export const listedCurrencyBody = component(
  'ListedCurrency',
  z
    .object({
      ...currencyFields,
      vmType: z.literal('evm').describe('The kind of chain it lives on.'),
      metadata: currencyMetadataBody,
    })
    .describe('A currency as searches give it.'),
)

export const currencyAmountBody = component(
  'CurrencyAmount',
  z.object({
    currency: currencyBody,
    amount: amountText,
    amountFormatted: decimalText,
    amountUsd: usdTextBody.optional(),
    minimumAmount: amountText,
  }),
)

export function encodeCurrencyAmount(counted: CurrencyAmount): z.input<typeof currencyAmountBody> {
  const { currency, amount, minimumAmount } = counted
  const worth = worthOf(counted)
  return {
    currency,
    amount: amount.toString(),
    amountFormatted: formatAmount(amount, currency.decimals),
    amountUsd: worth && usdText(worth),
    minimumAmount: minimumAmount.toString(),
  }
}
