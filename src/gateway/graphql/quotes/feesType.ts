import type { Fees } from '#src/core/pricing/price.ts'
import { builder } from '#src/gateway/graphql/builder.ts'
import { CurrencyAmountType } from '#src/gateway/graphql/currencies/currencyType.ts'

export const FeesType = builder.objectRef<Fees>('Fees').implement({
  description:
    'Fees by component. `relayer` is the sum of `relayerGas` and `relayerService`: do not add it to them. For a multi-input quote all fees are in currencies of the destination chain: `gas` in its native currency, the others in the currency that the solver spends.',
  fields: (t) => ({
    gas: t.expose('gas', {
      type: CurrencyAmountType,
      description:
        'Gas of the user’s own transactions, in the native currency of the origin chain. The wallet pays it: it does not reduce the output.',
    }),
    relayer: t.expose('relayer', {
      type: CurrencyAmountType,
      description:
        'All fees of the solver: exactly `relayerGas` + `relayerService`, in the currency that the depository receives.',
    }),
    relayerGas: t.expose('relayerGas', {
      type: CurrencyAmountType,
      description:
        'Gas of the fill on the destination chain, in the currency that the depository receives. An exact output, a fixed rate and a sponsored quote add a reserve of half, because their output does not change with the gas price. For an exact output or a fixed rate, the recipient gets the unused part.',
    }),
    relayerService: t.expose('relayerService', {
      type: CurrencyAmountType,
      description:
        'Service fee of the solver, in the currency that the depository receives: a flat fee, the gas of the settlement of the deposit and its app fees on the origin chain, and basis points that depend on the pair.',
    }),
    app: t.expose('app', {
      type: CurrencyAmountType,
      description: 'Sum of all `appFees`, in the currency that the depository receives.',
    }),
    subsidized: t.expose('subsidized', {
      type: CurrencyAmountType,
      description:
        'The part of the fees above that a sponsor pays, in the currency that the depository receives.',
    }),
  }),
})
