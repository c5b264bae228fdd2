import { builder } from '#src/gateway/graphql/builder.ts'
import { CurrencyType } from '#src/gateway/graphql/types/currencies/currencyType.ts'
import type { Context } from '#src/gateway/requestContext.ts'
import type { Address } from '#src/units/address.ts'
import { type Amount, formatAmount } from '#src/units/amount.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Currency } from '#src/units/currency.ts'

/** What is stored of an amount: its currency is looked up when asked for. */
type RequestedAmount = Readonly<{
  chainId: ChainId
  address: Address
  amount: Amount
  minimumAmount: Amount
}>

/** History outlives what it tells of: a chain may be gone from the configuration, a contract from its chain. */
const currencyOf = (
  { chainId, address }: RequestedAmount,
  { operations, loaders }: Context,
): Promise<Currency | undefined> =>
  operations.currency(chainId, address, loaders).catch(() => undefined)

export const RequestedAmountType = builder.objectRef<RequestedAmount>('RequestedAmount').implement({
  description: 'An amount as it is stored with a request.',
  fields: (t) => ({
    currency: t.field({
      type: CurrencyType,
      nullable: true,
      description: 'What is counted; null where it cannot be read any more.',
      resolve: async (amount, _, context) => (await currencyOf(amount, context)) ?? null,
    }),
    chainId: t.expose('chainId', { type: 'ChainId', description: 'The chain of the currency.' }),
    address: t.expose('address', {
      type: 'Address',
      description: 'The contract of the currency; the zero address for the native one.',
    }),
    amount: t.expose('amount', { type: 'Amount', description: 'In the smallest unit.' }),
    amountFormatted: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'In whole units, exactly; null where the currency cannot be read any more.',
      resolve: async (amount, _, context) => {
        const currency = await currencyOf(amount, context)
        return currency === undefined ? null : formatAmount(amount.amount, currency.decimals)
      },
    }),
    minimumAmount: t.expose('minimumAmount', {
      type: 'Amount',
      description: 'The least that was promised; the amount itself where it is fixed.',
    }),
  }),
})
