import { builder } from '#src/gateway/graphql/builder.ts'
import { CurrencyType } from '#src/gateway/graphql/currencies/currencyType.ts'
import type { IndexedAddress } from '#src/service/requests/addressOperations.ts'

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

export const IndexedDepositAddressType = builder
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
