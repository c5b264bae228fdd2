import { z } from 'zod'
import { AppError } from '#src/errors.ts'
import { component } from '#src/gateway/rest/bodies/bodySchema.ts'
import { chainIdParameter, referrerParameter } from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import { addressField } from '#src/operations/input/inputFields.ts'
import { formatAmount } from '#src/units/amount.ts'
import { usdPriceDecimals } from '#src/units/usd.ts'

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

export const tokenPriceRoute = restRoute({
  path: '/currencies/token/price',
  method: 'GET',
  operation: 'tokenPrice',
  summary: 'USD price of a currency',
  description:
    'US dollars for one whole unit of a currency, from the chain’s price feeds, else from pools with enough liquidity. UNSUPPORTED_CURRENCY if neither has a price.',
  input: z.strictObject({
    address: addressField.describe('Contract address; the zero address for the native currency.'),
    chainId: chainIdParameter.describe('EIP-155 id of its chain.'),
    referrer: referrerParameter,
  }),
  body: tokenPriceBody,
  takesApiKey: false,
  example: (operations) => {
    const native = operations.chains()[0]?.nativeCurrency
    return { address: native?.address, chainId: native?.chainId }
  },
  answer({ address, chainId }, { operations }) {
    const price = operations.usdPrice(chainId, address)
    if (price === undefined)
      throw new AppError(
        'UNSUPPORTED_CURRENCY',
        `address: ${address} on chain ${chainId} has no price feed and no pool with enough liquidity.`,
        { field: 'address', chainId, currency: address },
      )
    return { price: Number(formatAmount(price, usdPriceDecimals)) }
  },
})
