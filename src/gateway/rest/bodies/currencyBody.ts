import { z } from 'zod'
import { usdText, worthOf } from '#src/gateway/usdText.ts'
import type { CurrencyAmount } from '#src/pricing/price.ts'
import { formatAmount } from '#src/units/amount.ts'
import { component } from './bodySchema.ts'
import { addressText, amountText, decimalText, usdText as usdTextBody } from './texts.ts'

/** What names a currency on its chain. */
export const namedFields = {
  address: addressText.describe('Its contract; the zero address for the native currency.'),
  symbol: z.string().describe('Such as "USDC". Not unique.'),
  name: z.string().describe('Such as "USD Coin". Not unique.'),
  decimals: z
    .int()
    .min(0)
    .max(255)
    .describe('10 to the power of this many smallest units are one whole unit: 0 to 255.'),
}

const chainId = z.int().positive().describe('The chain it lives on.')

const currencyMetadataBody = component(
  'CurrencyMetadata',
  z.object({ logoURI: z.string().optional(), verified: z.boolean(), isNative: z.boolean() }),
)

/** A `Currency` is its own answer. */
export const currencyBody = component(
  'Currency',
  z.object({ chainId, ...namedFields, metadata: currencyMetadataBody }),
)

export const listedCurrencyBody = component(
  'ListedCurrency',
  z
    .object({
      chainId,
      ...namedFields,
      vmType: z.literal('evm').describe('The kind of chain it lives on.'),
      metadata: currencyMetadataBody.describe('What is known of it beside its contract.'),
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
    amountUsd: worth === undefined ? undefined : usdText(worth),
    minimumAmount: minimumAmount.toString(),
  }
}
