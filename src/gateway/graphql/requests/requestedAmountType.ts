import type { Account } from '#src/core/units/address.ts'
import { type Amount, formatAmount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { builder } from '#src/gateway/graphql/builder.ts'
import { CurrencyType } from '#src/gateway/graphql/currencies/currencyType.ts'
import type { RequestContext } from '#src/gateway/requestContext.ts'

/** A stored amount. Its currency is read only if the query selects it. */
type RequestedAmount = Readonly<{
  chainId: ChainId
  address: Account
  amount: Amount
  minimumAmount: Amount
  /** Stored with a request whose chains may not be configured. */
  currency?: Currency | undefined
}>

/** `undefined` if the currency is unreadable: its chain may be no longer configured, or its contract may be gone. */
const currencyOf = async (
  { chainId, address, currency }: RequestedAmount,
  { operations, loaders }: RequestContext,
): Promise<Currency | undefined> =>
  currency ?? operations.currency(chainId, address, loaders).catch(() => undefined)

export const RequestedAmountType = builder.objectRef<RequestedAmount>('RequestedAmount').implement({
  description: 'An amount stored with a request.',
  fields: (t) => ({
    currency: t.field({
      type: CurrencyType,
      nullable: true,
      description: 'The currency of the amount; null if it can no longer be read.',
      resolve: async (amount, _, context) => (await currencyOf(amount, context)) ?? null,
    }),
    chainId: t.expose('chainId', {
      type: 'ChainId',
      description: 'EIP-155 chain id of the currency.',
    }),
    address: t.expose('address', {
      type: 'Address',
      description: 'Contract of the currency; the zero address for the native currency.',
    }),
    amount: t.expose('amount', {
      type: 'Amount',
      description: 'Amount in the smallest unit of the currency: an integer.',
    }),
    amountFormatted: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Amount in whole units, exact; null if the currency can no longer be read.',
      resolve: async (amount, _, context) => {
        const currency = await currencyOf(amount, context)
        return currency === undefined ? null : formatAmount(amount.amount, currency.decimals)
      },
    }),
    minimumAmount: t.expose('minimumAmount', {
      type: 'Amount',
      description:
        'Lowest promised amount, in the smallest unit. Equal to `amount` if `amount` is exact.',
    }),
  }),
})
