import { z } from 'zod'
import { units } from '#src/gateway/limits/units.ts'
import { addressText, amountText, component } from '#src/gateway/rest/bodies/bodySchema.ts'
import { referrerParameter } from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import { accountField, chainIdField } from '#src/service/input/inputFields.ts'

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
            balance: amountText.describe('Balance of the address, in the smallest unit.'),
          }),
        )
        .describe(
          'Balances of the address above zero. The solver sweeps those that are worth the gas.',
        ),
      checkedCurrencies: z
        .int()
        .min(0)
        .describe('Number of currencies that were checked, including failed reads.'),
      failedCurrencies: z
        .int()
        .min(0)
        .describe('Number of currencies whose balance could not be read.'),
    })
    .describe('Balances of a deposit address.'),
)

export const depositAddressRoute = restRoute({
  path: '/transactions/deposit-address/reindex',
  method: 'POST',
  operation: 'indexDepositAddress',
  summary: 'Check a deposit address',
  description:
    'Reads the balances of a deposit address in all currencies that the solver accepts on the chain, and asks the solver to sweep those that are worth the gas, even after the deadline. Payments in the currency of the order are found without it. An address is checked at most once in ten seconds.',
  input: z.strictObject({
    chainId: chainIdField.describe('EIP-155 id of the chain of the quote.'),
    depositAddress: accountField.describe('The deposit address.'),
    targetChainId: chainIdField
      .nullish()
      .describe(
        'EIP-155 id of the chain to check, if the address was paid on another chain. Default: `chainId`.',
      ),
    currency: accountField
      .nullish()
      .describe('The only currency to check. Default: all that the solver accepts on the chain.'),
    sweep: z.boolean().nullish().describe('No effect. Older clients send it.'),
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
          : 'The solver checks the address now.',
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
