import { z } from 'zod'
import { builder } from '#src/gateway/graphql/builder.ts'
import { units } from '#src/gateway/limits/units.ts'
import { addressField, chainIdField, hashField } from '#src/operations/input/inputFields.ts'
import { IndexedDepositAddressType } from './indexedDepositAddressType.ts'

builder.mutationType({ description: 'The mutations of this gateway.' })

builder.mutationField('indexTransaction', (t) =>
  t.boolean({
    description:
      'Asks the gateway to inspect a transaction at once instead of with the next block; true once the hint is stored. Deposits are found without it. Approvals, sends of native currency, and a user’s own swap that reverted are found only through it. The gateway trusts only the chain: a false hint has no effect. Error UNSUPPORTED_CHAIN if the chain is not configured.',
    args: t.validate(
      {
        chainId: t.arg({
          type: 'ChainId',
          required: true,
          description: 'EIP-155 id of the chain of the transaction.',
        }),
        txHash: t.arg({
          type: 'Hex',
          required: true,
          description: 'Transaction hash, 32 bytes.',
        }),
        requestId: t.arg({
          type: 'RequestId',
          description: 'Id of the request that the transaction belongs to, if it is known.',
        }),
      },
      z.strictObject({ chainId: chainIdField, txHash: hashField, requestId: hashField.nullish() }),
    ),
    extensions: { cost: 100, units: units.hint },
    resolve: async (_, { requestId, ...named }, { operations, client }) => {
      const hint = { ...named, ...(requestId != null && { requestId }) }
      await operations.indexTransaction(hint, client)
      return true
    },
  }),
)

builder.mutationField('indexDepositAddress', (t) =>
  t.field({
    type: IndexedDepositAddressType,
    description:
      'Looks at what a deposit address holds, in all currencies that the solver takes on the chain, and has the solver sweep what is worth the gas, whatever its age. Payments in the currency of the order are found without it. Errors: UNKNOWN_REQUEST if no quote gave the address; RATE_LIMITED if it was looked at in the last ten seconds; UNSUPPORTED_CHAIN; UNSUPPORTED_CURRENCY.',
    args: t.validate(
      {
        chainId: t.arg({
          type: 'ChainId',
          required: true,
          description: 'EIP-155 id of the chain of the quote.',
        }),
        depositAddress: t.arg({
          type: 'Address',
          required: true,
          description: 'The deposit address.',
        }),
        targetChainId: t.arg({
          type: 'ChainId',
          description: 'Where to look, if it was paid on another chain. Default: `chainId`.',
        }),
        currency: t.arg({
          type: 'Address',
          description: 'The only currency to look at. Default: all that the solver takes.',
        }),
      },
      z.strictObject({
        chainId: chainIdField,
        depositAddress: addressField,
        targetChainId: chainIdField.nullish(),
        currency: addressField.nullish(),
      }),
    ),
    extensions: { cost: 100, units: units.hint },
    resolve: (_, { targetChainId, currency, ...question }, { operations, loaders }) =>
      operations.indexDepositAddress(
        {
          ...question,
          ...(targetChainId != null && { targetChainId }),
          ...(currency != null && { currency }),
        },
        loaders,
      ),
  }),
)
