import { z } from 'zod'
import type { CurrencyAmount } from '#src/core/pricing/price.ts'
import { formatAmount } from '#src/core/units/amount.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { vmTypeOf } from '#src/core/units/vmType.ts'
import { amountUsdOf, formatAmountUsd } from '#src/gateway/formatValues.ts'
import { addressText, amountText, component, decimalText, usdText } from './bodySchema.ts'

/** The fields of a currency within its chain. */
export const namedFields = {
  address: addressText.describe('Contract address; the zero address for the native currency.'),
  symbol: z.string().describe('Symbol, such as "USDC". Not unique.'),
  name: z.string().describe('Name, such as "USD Coin". Not unique.'),
  decimals: z
    .int()
    .min(0)
    .max(255)
    .describe('One whole unit is 10^decimals smallest units. 0 to 255.'),
}

const chainId = z.int().positive().describe('EIP-155 id of its chain.')

const currencyMetadataBody = component(
  'CurrencyMetadata',
  z.object({ logoURI: z.string().optional(), verified: z.boolean(), isNative: z.boolean() }),
)

/** A `Currency` already has this form, so it needs no encoding. */
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
      vmType: z.enum(['evm', 'svm']).describe('The virtual machine of its chain.'),
      metadata: currencyMetadataBody.describe('Logo, verification and kind.'),
    })
    .describe('A currency in a search result.'),
)

export const currencyAmountBody = component(
  'CurrencyAmount',
  z.object({
    currency: currencyBody,
    amount: amountText,
    amountFormatted: decimalText,
    amountUsd: usdText.optional(),
    minimumAmount: amountText,
  }),
)

export function encodeCurrencyAmount(value: CurrencyAmount): z.input<typeof currencyAmountBody> {
  const { currency, amount, minimumAmount } = value
  const amountUsd = amountUsdOf(value)
  return {
    currency,
    amount: amount.toString(),
    amountFormatted: formatAmount(amount, currency.decimals),
    amountUsd: amountUsd === undefined ? undefined : formatAmountUsd(amountUsd),
    minimumAmount: minimumAmount.toString(),
  }
}

/** A currency in the form of searches and lists. */
export const encodeListed = ({
  metadata,
  ...named
}: Currency): z.input<typeof listedCurrencyBody> => ({
  ...named,
  vmType: vmTypeOf(named.address),
  metadata,
})
