import { z } from 'zod'
import { AppError } from '#src/core/errors.ts'
import type { Account } from '#src/core/units/address.ts'
import { formatAmount } from '#src/core/units/amount.ts'
import { usdPriceDecimals } from '#src/core/units/usd.ts'
import type { Catalogue } from '#src/gateway/exampleOrders.ts'
import { component, decimalText } from '#src/gateway/rest/bodies/bodySchema.ts'
import { chainIdParameter, referrerParameter } from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import { accountField } from '#src/service/input/inputFields.ts'
import type { Service } from '#src/service/service.ts'

const tokenPriceBody = component(
  'TokenPrice',
  z
    .object({
      price: z
        .number()
        .positive()
        .describe(
          'US dollars for one whole unit, rounded to the precision of a double (about 15 digits).',
        ),
    })
    .describe('The price of a currency.'),
)

const exactPriceBody = component(
  'ExactTokenPrice',
  z
    .object({
      price: decimalText.describe(
        'US dollars for one whole unit, with up to 18 decimals, rounded down.',
      ),
    })
    .describe('The price of a currency as a decimal string.'),
)

const shared = {
  method: 'GET',
  input: z.strictObject({
    address: accountField.describe(
      'Contract or mint; the zero address (32 zero bytes on an svm chain) for the native currency.',
    ),
    chainId: chainIdParameter.describe('EIP-155 id of its chain.'),
    referrer: referrerParameter,
  }),
  takesApiKey: false,
  example: (operations: Catalogue) => {
    const native = operations.chains()[0]?.nativeCurrency
    return { address: native?.address, chainId: native?.chainId }
  },
} as const

/** A decimal string. @throws AppError UNSUPPORTED_CURRENCY without a price */
function priceOf({ address, chainId }: Key, operations: Service): string {
  const price = operations.usdPrice(chainId, address)
  if (price === undefined)
    throw new AppError(
      'UNSUPPORTED_CURRENCY',
      `address: ${address} on chain ${chainId} has no price feed and no pool with enough liquidity.`,
      { field: 'address', chainId, currency: address },
    )
  return formatAmount(price, usdPriceDecimals)
}

type Key = Readonly<{ address: Account; chainId: number }>

export const tokenPriceRoute = restRoute({
  ...shared,
  path: '/currencies/token/price',
  operation: 'tokenPrice',
  summary: 'USD price of a currency',
  description:
    'US dollars for one whole unit of a currency, from the chain’s price feeds, else from pools with enough liquidity. UNSUPPORTED_CURRENCY if neither has a price.',
  body: tokenPriceBody,
  answer: (key, { operations }) => ({ price: Number(priceOf(key, operations)) }),
})

export const exactTokenPriceRoute = restRoute({
  ...shared,
  path: '/currencies/token/price/v2',
  operation: 'exactTokenPrice',
  summary: 'Exact USD price of a currency',
  description: 'The price of /currencies/token/price as a decimal string, not rounded to a double.',
  body: exactPriceBody,
  namesError: true,
  answer: (key, { operations }) => ({ price: priceOf(key, operations) }),
})
