import { z } from 'zod'
import { units } from '#src/gateway/limits/units.ts'
import { addressText, amountText, component } from '#src/gateway/rest/bodies/bodySchema.ts'
import { referrerParameter } from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import { addressField, chainIdField } from '#src/operations/input/inputFields.ts'

const indexedBody = component(
  'IndexedDepositAddress',
  z
    .object({
      message: z.string().describe('For people.'),
      triggeredCurrencies: z
        .array(
          z.object({
            currency: addressText.describe('Contract of the currency.'),
            symbol: z.string().describe('Its symbol.'),
            balance: amountText.describe('What the address holds, in the smallest unit.'),
          }),
        )
        .describe('What the address holds. The solver sweeps what is worth the gas.'),
      checkedCurrencies: z.int().min(0).describe('Number of currencies that were looked at.'),
      failedCurrencies: z.int().min(0).describe('Number of those that could not be read.'),
    })
    .describe('What a deposit address holds.'),
)

export const depositAddressRoute = restRoute({
  path: '/transactions/deposit-address/reindex',
  method: 'POST',
  operation: 'indexDepositAddress',
  summary: 'Look at a deposit address',
  description:
    'Looks at what a deposit address holds, in all currencies that the solver takes on the chain, and has the solver sweep what is worth the gas, whatever its age. Payments in the currency of the order are found without it. An address is looked at once in ten seconds at most.',
  input: z.strictObject({
    chainId: chainIdField.describe('EIP-155 id of the chain of the quote.'),
    depositAddress: addressField.describe('The deposit address.'),
    targetChainId: chainIdField
      .nullish()
      .describe('Where to look, if it was paid on another chain. Default: `chainId`.'),
    currency: addressField
      .nullish()
      .describe('The only currency to look at. Default: all that the solver takes.'),
    sweep: z.boolean().nullish().describe('Of older clients. Has no effect.'),
    referrer: referrerParameter,
  }),
  body: indexedBody,
  takesApiKey: false,
  units: () => units.hint,
  example: (operations) => ({
    chainId: operations.chains()[0]?.id,
    depositAddress: `0x${'ab'.repeat(20)}`,
  }),
  async answer({ chainId, depositAddress, targetChainId, currency }, { operations, loaders }) {
    const { triggered, checked, failed } = await operations.indexDepositAddress(
      {
        chainId,
        depositAddress,
        ...(targetChainId != null && { targetChainId }),
        ...(currency != null && { currency }),
      },
      loaders,
    )
    return {
      message:
        triggered.length === 0
          ? 'The address holds nothing that can be swept.'
          : 'The solver looks at the address now.',
      triggeredCurrencies: triggered.map(({ currency: { address, symbol }, balance }) => ({
        currency: address,
        symbol,
        balance: balance.toString(),
      })),
      checkedCurrencies: checked,
      failedCurrencies: failed,
    }
  },
})
