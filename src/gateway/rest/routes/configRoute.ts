import { z } from 'zod'
import { addressText, amountText, component } from '#src/gateway/rest/bodies/bodySchema.ts'
import {
  chainIdParameter,
  parameterText,
  referrerParameter,
} from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import { addressField } from '#src/service/input/inputFields.ts'

const configBody = component(
  'BridgeConfig',
  z
    .object({
      enabled: z
        .boolean()
        .describe(
          'Whether the asset can be bridged: both chains are enabled and have the gateway’s contracts, and the solver bridges the asset between them.',
        ),
      user: z
        .object({
          balance: amountText.describe(
            'The user’s balance on the origin chain, in the smallest unit there.',
          ),
          maxBridgeAmount: amountText.describe(
            'Highest amount that the user can receive now, after gas and fees, in the smallest unit of the destination chain.',
          ),
        })
        .optional()
        .describe('Balance and limit of the user; absent without `user`, and if not enabled.'),
      fee: amountText
        .optional()
        .describe(
          'Relayer fee in the smallest unit of the origin chain: for the user’s whole balance, or without `user` for the smallest transfer. Absent while no transfer can be priced.',
        ),
      solver: z
        .object({
          address: addressText.describe('The account that pays out.'),
          balance: amountText.describe(
            'Its balance of the asset on the destination chain, in the smallest unit there.',
          ),
          capacityPerRequest: amountText.describe(
            'Highest payout to one request, in the smallest unit there.',
          ),
        })
        .describe('The payout account, its balance and its limit.'),
      supportsExternalLiquidity: z
        .boolean()
        .describe('Whether a quote with `useExternalLiquidity` may exceed the solver’s balance.'),
    })
    .describe('The terms of bridging one asset between two chains.'),
)

export const configRoute = restRoute({
  path: '/config/v2',
  method: 'GET',
  operation: 'bridgeConfig',
  summary: 'Limits of a bridge',
  description:
    'Fee and limits for bridging an asset from one chain to another, and the balances of the solver and the user. Prices a transfer, and reads the balance of `user` on the origin chain.',
  input: z.strictObject({
    originChainId: chainIdParameter.describe('EIP-155 id of the chain that the user pays on.'),
    destinationChainId: chainIdParameter.describe(
      'EIP-155 id of the chain that the recipient is paid on.',
    ),
    user: addressField.optional().describe('Account whose balance is read. Default: none.'),
    currency: parameterText()
      .max(128, 'At most 128 characters')
      .optional()
      .describe(
        'The asset by its `id` of /chains, such as `eth` or `usdc`, in any case. At most 128 characters. Default: that of the destination’s native currency.',
      ),
    referrer: referrerParameter,
  }),
  body: configBody,
  takesApiKey: false,
  example: (operations) => {
    const [home, away = home] = operations.chains()
    return { originChainId: home?.id, destinationChainId: away?.id }
  },
  async answer(
    { originChainId, destinationChainId, user, currency },
    { operations, loaders, client },
  ) {
    const {
      isEnabled,
      fee,
      user: holder,
      solver,
      supportsExternalLiquidity,
    } = await operations.bridge(
      {
        originChainId,
        destinationChainId,
        ...(user !== undefined && { user }),
        ...(currency !== undefined && { currencyId: currency }),
      },
      loaders,
      client,
    )
    return {
      enabled: isEnabled,
      user: holder && {
        balance: holder.balance.toString(),
        maxBridgeAmount: holder.maxBridgeAmount.toString(),
      },
      fee: fee?.toString(),
      solver: {
        address: solver.address,
        balance: solver.balance.toString(),
        capacityPerRequest: solver.capacityPerRequest.toString(),
      },
      supportsExternalLiquidity,
    }
  },
})
