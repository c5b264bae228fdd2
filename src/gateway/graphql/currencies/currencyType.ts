import { z } from 'zod'
import type { CurrencyAmount } from '#src/core/pricing/price.ts'
import { formatAmount } from '#src/core/units/amount.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { usdPriceDecimals } from '#src/core/units/usd.ts'
import { addressUrlOf } from '#src/gateway/explorerUrl.ts'
import { amountUsdOf } from '#src/gateway/formatValues.ts'
import { builder } from '#src/gateway/graphql/builder.ts'
import { NodeType, nodeId } from '#src/gateway/graphql/nodes/nodeType.ts'
import { units } from '#src/gateway/limits/units.ts'
import { accountField } from '#src/service/input/inputFields.ts'

const CurrencyMetadataType = builder.objectRef<Currency['metadata']>('CurrencyMetadata').implement({
  description: 'Logo, verification and kind of a currency.',
  fields: (t) => ({
    logoURI: t.exposeString('logoURI', {
      nullable: true,
      description: 'URL of the logo; null if there is none.',
    }),
    verified: t.exposeBoolean('verified', {
      description:
        'Whether a token list of this gateway contains it, and the gateway does not refuse it.',
    }),
    isNative: t.exposeBoolean('isNative', {
      description: 'Whether it is the native currency of its chain.',
    }),
  }),
})

export const CurrencyType = builder.objectRef<Currency>('Currency').implement({
  description: 'A native currency or an ERC-20 on one chain.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: nodeId(t, 'Currency', ({ chainId, address }) => [chainId, address]),
    chainId: t.expose('chainId', { type: 'ChainId', description: 'EIP-155 id of its chain.' }),
    address: t.expose('address', {
      type: 'Address',
      description: 'Contract address; the zero address for the native currency.',
    }),
    explorerUrl: t.string({
      nullable: true,
      description:
        'Page of the contract in the block explorer of its chain; null for native currencies, and if no explorer is configured.',
      resolve: (currency, _, { operations }) =>
        currency.metadata.isNative ? null : (addressUrlOf(currency, operations) ?? null),
    }),
    symbol: t.exposeString('symbol', { description: 'Symbol, such as "USDC". Not unique.' }),
    name: t.exposeString('name', { description: 'Name, such as "USD Coin". Not unique.' }),
    decimals: t.exposeInt('decimals', {
      description: 'One whole unit is 10^decimals smallest units. 0 to 255.',
    }),
    metadata: t.expose('metadata', {
      type: CurrencyMetadataType,
      description: 'Logo, verification and kind.',
    }),
    priceUsd: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'US dollars for one whole unit, rounded down, from the chain’s price feeds, else from pools with enough liquidity; null if neither has a price.',
      resolve: ({ chainId, address }, _, { operations }) => {
        const price = operations.knownUsdPrice(chainId, address)
        return price === undefined ? null : formatAmount(price, usdPriceDecimals)
      },
    }),
    refusal: t.string({
      nullable: true,
      description:
        'Reason, for people, why the gateway always refuses the currency, such as a fee on transfers; null if it does not.',
      resolve: ({ chainId, address }, _, { operations }) =>
        operations.refusal(chainId, address) ?? null,
    }),
    supportsPermit: t.boolean({
      nullable: true,
      description:
        'Whether users can pay with it by signatures alone (`usePermit`): by EIP-3009, or by EIP-2612 and Permit2. False for native currencies. Null before the gateway has read it; selecting this field starts the read.',
      resolve: ({ chainId, address, metadata }, _, { operations }) =>
        metadata.isNative ? false : (operations.supportsPermit(chainId, address) ?? null),
    }),
    balance: t.field({
      type: 'Amount',
      nullable: true,
      description:
        'Balance of an account, in the smallest unit; null if no node reports it within 250 ms, or the account has the form of another chain. Balances of one answer are read together.',
      args: t.validate(
        {
          user: t.arg({
            type: 'Address',
            required: true,
            description: 'The account whose balance is read, on the chain of the currency.',
          }),
        },
        z.strictObject({ user: accountField }),
      ),
      extensions: { cost: 10, units: units.balance },
      resolve: async (currency, { user }, { operations, loaders }) =>
        (await operations.balance(currency, user, loaders)) ?? null,
    }),
  }),
})

export const CurrencyAmountType = builder.objectRef<CurrencyAmount>('CurrencyAmount').implement({
  description: 'An amount of a currency with its USD value and the lowest promised amount.',
  fields: (t) => ({
    currency: t.expose('currency', {
      type: CurrencyType,
      description: 'The currency of the amount.',
    }),
    amount: t.expose('amount', {
      type: 'Amount',
      description: 'Amount in the smallest unit of `currency`: an integer.',
    }),
    amountFormatted: t.field({
      type: 'Decimal',
      description: 'Amount in whole units: `amount` / 10^decimals, exact.',
      resolve: ({ amount, currency }) => formatAmount(amount, currency.decimals),
    }),
    amountUsd: t.field({
      type: 'Usd',
      nullable: true,
      description:
        'Value in US dollars, rounded down to a millionth; null if no price feed and no pool with enough liquidity prices the currency.',
      resolve: amountUsdOf,
    }),
    minimumAmount: t.expose('minimumAmount', {
      type: 'Amount',
      description:
        'Lowest promised amount in the smallest unit: `amount` less the slippage tolerance, which is rounded down.',
    }),
  }),
})
