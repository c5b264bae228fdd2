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
        .describe('US dollars for one whole unit, to the 15 digits or so that a number holds.'),
    })
    .describe('What a currency is worth.'),
)

export const tokenPriceRoute = restRoute({
  path: '/currencies/token/price',
  method: 'GET',
  operation: 'tokenPrice',
  summary: 'What a currency is worth',
  description:
    'US dollars for one whole unit of a currency, from the chain’s price feeds, else from pools that are deep enough; UNSUPPORTED_CURRENCY where neither prices it.',
  input: z.strictObject({
    address: addressField.describe('Its contract; the zero address for the native currency.'),
    chainId: chainIdParameter.describe('The chain it lives on.'),
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
        `address: nothing prices ${address} on chain ${chainId}: it has no feed, and no pool that is deep enough.`,
        { field: 'address', chainId, currency: address },
      )
    return { price: Number(formatAmount(price, usdPriceDecimals)) }
  },
})
