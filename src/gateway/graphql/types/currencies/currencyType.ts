import { builder } from '#src/gateway/graphql/builder.ts'
import { worthOf } from '#src/gateway/usdText.ts'
import type { CurrencyAmount } from '#src/pricing/price.ts'
import { formatAmount } from '#src/units/amount.ts'
import type { Currency } from '#src/units/currency.ts'

const CurrencyMetadataType = builder.objectRef<Currency['metadata']>('CurrencyMetadata').implement({
  description: 'What is known of a currency beside its contract.',
  fields: (t) => ({
    logoURI: t.exposeString('logoURI', {
      nullable: true,
      description: 'Address of its logo; null where no token list names one.',
    }),
    verified: t.exposeBoolean('verified', {
      description: 'Whether a token list of this gateway vouches for it.',
    }),
    isNative: t.exposeBoolean('isNative', {
      description: 'Whether it is the chain’s native currency, in which gas is paid.',
    }),
  }),
})

export const CurrencyType = builder.objectRef<Currency>('Currency').implement({
  description: 'A native currency or an ERC-20 on one chain.',
  fields: (t) => ({
    chainId: t.expose('chainId', { type: 'ChainId', description: 'The chain it lives on.' }),
    address: t.expose('address', {
      type: 'Address',
      description: 'Its contract; the zero address for the native currency.',
    }),
    symbol: t.exposeString('symbol', { description: 'Such as "USDC". Not unique.' }),
    name: t.exposeString('name', { description: 'Such as "USD Coin". Not unique.' }),
    decimals: t.exposeInt('decimals', {
      description: '10 to the power of this many smallest units are one whole unit: 0 to 255.',
    }),
    metadata: t.expose('metadata', {
      type: CurrencyMetadataType,
      description: 'What is known of it beside its contract.',
    }),
  }),
})

export const CurrencyAmountType = builder.objectRef<CurrencyAmount>('CurrencyAmount').implement({
  description: 'An amount of a currency, what it is worth, and the least that is promised of it.',
  fields: (t) => ({
    currency: t.expose('currency', { type: CurrencyType, description: 'What is counted.' }),
    amount: t.expose('amount', { type: 'Amount', description: 'In the smallest unit.' }),
    amountFormatted: t.field({
      type: 'Decimal',
      description: 'In whole units: the amount divided by 10 to the power of `decimals`, exactly.',
      resolve: ({ amount, currency }) => formatAmount(amount, currency.decimals),
    }),
    amountUsd: t.field({
      type: 'Usd',
      nullable: true,
      description:
        'Its worth, rounded down to a millionth of a dollar; null when no feed and no deep enough pool prices the currency.',
      resolve: worthOf,
    }),
    minimumAmount: t.expose('minimumAmount', {
      type: 'Amount',
      description: 'In the smallest unit: the amount less what slippage may take.',
    }),
  }),
})
