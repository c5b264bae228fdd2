import { builder } from '#src/gateway/graphql/builder.ts'
import { CurrencyAmountType } from '#src/gateway/graphql/types/currencies/currencyType.ts'
import type { Fees } from '#src/pricing/price.ts'

export const FeesType = builder.objectRef<Fees>('Fees').implement({
  description:
    'What a swap costs, by component. `relayer` is the sum of `relayerGas` and `relayerService`: count it or its parts, not both. Of a multi-input quote all are in currencies of the destination chain: gas in its native currency, the rest in what the solver spends.',
  fields: (t) => ({
    gas: t.expose('gas', {
      type: CurrencyAmountType,
      description:
        'Gas that the user’s wallet pays on the origin chain, in its native currency. Not taken from the output.',
    }),
    relayer: t.expose('relayer', {
      type: CurrencyAmountType,
      description:
        'All that the solver takes: `relayerGas` + `relayerService`, exactly, in the currency that the depository receives.',
    }),
    relayerGas: t.expose('relayerGas', {
      type: CurrencyAmountType,
      description: 'What the fill costs on the destination chain, in the same currency.',
    }),
    relayerService: t.expose('relayerService', {
      type: CurrencyAmountType,
      description:
        'The solver’s charge: a flat part and basis points by class of pair, in the same currency.',
    }),
    app: t.expose('app', {
      type: CurrencyAmountType,
      description: 'All `appFees` together, in the same currency.',
    }),
    subsidized: t.expose('subsidized', {
      type: CurrencyAmountType,
      description: 'What a sponsor pays of the above, in the same currency.',
    }),
  }),
})
