import { z } from 'zod'
import { builder } from '#src/gateway/graphql/builder.ts'
import { CurrencyType } from '#src/gateway/graphql/currencies/currencyType.ts'
import { units } from '#src/gateway/limits/units.ts'
import { accountField, chainIdField, hashField, txIdField } from '#src/service/input/inputFields.ts'
import type { IndexedAddress } from '#src/service/requests/indexDepositAddress.ts'

const HeldAmountType = builder
  .objectRef<IndexedAddress['triggered'][number]>('HeldAmount')
  .implement({
    description: 'Balance of a deposit address in one currency.',
    fields: (t) => ({
      currency: t.expose('currency', { type: CurrencyType, description: 'The currency.' }),
      amount: t.expose('balance', {
        type: 'Amount',
        description: 'Amount in the smallest unit, above "0".',
      }),
    }),
  })

const IndexedDepositAddressType = builder
  .objectRef<IndexedAddress>('IndexedDepositAddress')
  .implement({
    description: 'Balances of a deposit address at the newest block.',
    fields: (t) => ({
      held: t.expose('triggered', {
        type: [HeldAmountType],
        description: 'Its balances above zero. The solver sweeps those that are worth the gas.',
      }),
      checkedCurrencies: t.exposeInt('checked', {
        description: 'Number of currencies that were checked, including failed reads.',
      }),
      failedCurrencies: t.exposeInt('failed', {
        description: 'Number of currencies whose balance could not be read.',
      }),
    }),
  })

builder.mutationType({
  description:
    'Hints about transactions and deposit addresses, signatures of quotes, and calls for the relayer.',
})

builder.mutationField('indexTransaction', (t) =>
  t.boolean({
    description:
      'Asks the gateway to inspect a transaction at once instead of with the next block; true once the hint is stored. Deposits are found without it. Approvals, sends of native currency, and a user’s own swap that reverted are found only through it. The gateway trusts only the chain, so a false hint has no effect. Error UNSUPPORTED_CHAIN if the chain is not configured.',
    args: t.validate(
      {
        chainId: t.arg({
          type: 'ChainId',
          required: true,
          description: 'Id of the chain of the transaction.',
        }),
        txHash: t.arg({
          type: 'Hex',
          required: true,
          description: 'Transaction hash of 32 bytes; on an svm chain, the signature.',
        }),
        requestId: t.arg({
          type: 'RequestId',
          description: 'Id of the request that the transaction belongs to, if known.',
        }),
      },
      z.strictObject({ chainId: chainIdField, txHash: txIdField, requestId: hashField.nullish() }),
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
      'Reads the balances of a deposit address in all currencies that the solver accepts on the chain, and asks the solver to sweep those that are worth the gas, even after the deadline. Payments in the currency of the order are found without it. Errors: UNKNOWN_REQUEST if the address is of no quote; RATE_LIMITED if it was checked in the last ten seconds; UNSUPPORTED_CHAIN; UNSUPPORTED_CURRENCY.',
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
          description:
            'EIP-155 id of the chain to check, if the address was paid on another chain. Default: `chainId`.',
        }),
        currency: t.arg({
          type: 'Address',
          description:
            'The only currency to check. Default: all that the solver accepts on the chain.',
        }),
      },
      z.strictObject({
        chainId: chainIdField,
        depositAddress: accountField,
        targetChainId: chainIdField.nullish(),
        currency: accountField.nullish(),
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
