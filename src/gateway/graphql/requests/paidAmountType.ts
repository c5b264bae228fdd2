import { formatAmount } from '#src/core/units/amount.ts'
import { formatUsd } from '#src/core/units/usd.ts'
import { explorerUrlOf } from '#src/gateway/explorerUrl.ts'
import { builder } from '#src/gateway/graphql/builder.ts'
import { CurrencyType } from '#src/gateway/graphql/currencies/currencyType.ts'
import type { RequestContext } from '#src/gateway/requestContext.ts'
import type { PaidAmount } from '#src/service/paidAmounts.ts'

const currencyOf = ({ chainId, address }: PaidAmount, { operations, loaders }: RequestContext) =>
  operations.currency(chainId, address, loaders).catch(() => undefined)

export const PaidAmountType = builder.objectRef<PaidAmount>('PaidAmount').implement({
  description:
    'An amount that a confirmed transaction paid, as the chain shows it: by the logs of the currency itself and of this service’s contracts, if the balances of the recipient confirm it.',
  fields: (t) => ({
    currency: t.field({
      type: CurrencyType,
      nullable: true,
      description: 'The currency of the amount; null if it can no longer be read.',
      resolve: async (paid, _, context) => (await currencyOf(paid, context)) ?? null,
    }),
    chainId: t.expose('chainId', {
      type: 'ChainId',
      description: 'EIP-155 id of the chain.',
    }),
    address: t.expose('address', {
      type: 'Address',
      description: 'Contract of the currency; the zero address for the native currency.',
    }),
    recipient: t.expose('recipient', {
      type: 'Address',
      description: 'Account that was paid.',
    }),
    amount: t.expose('amount', {
      type: 'Amount',
      description: 'Amount in the smallest unit of the currency: an integer.',
    }),
    amountFormatted: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Amount in whole units, exact; null if the currency can no longer be read.',
      resolve: async (paid, _, context) => {
        const currency = await currencyOf(paid, context)
        return currency === undefined ? null : formatAmount(paid.amount, currency.decimals)
      },
    }),
    amountUsd: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'Value in US dollars at the prices of the quote, rounded down; null if the quote has no price of the currency.',
      resolve: ({ usd }) => (usd === undefined ? null : formatUsd(usd)),
    }),
    topup: t.field({
      type: 'Amount',
      nullable: true,
      description: 'Native currency that a fill paid in addition, in wei; null if it paid none.',
      resolve: ({ topup }) => topup ?? null,
    }),
    claimable: t.field({
      type: 'Amount',
      nullable: true,
      description:
        'Amount of a refund that the recipient did not accept and could then claim from the depository, in the smallest unit. `amount` does not include it. Null if there is none.',
      resolve: ({ claimable }) => claimable ?? null,
    }),
    txHash: t.field({
      type: 'Hex',
      nullable: true,
      description:
        'Hash of the transaction: 32 bytes, or base58 on a chain without the EVM; null for an app fee out of a deposit.',
      resolve: ({ txHash }) => txHash ?? null,
    }),
    explorerUrl: t.string({
      nullable: true,
      description: 'Page of the transaction in the block explorer of the chain; null without one.',
      resolve: (paid, _, { operations }) => explorerUrlOf(paid, operations) ?? null,
    }),
  }),
})
