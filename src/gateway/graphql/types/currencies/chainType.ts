import { z } from 'zod'
import { builder } from '#src/gateway/graphql/builder.ts'
import { chainIdField } from '#src/operations/input/inputFields.ts'
import type { ChainSummary } from '#src/operations/operations.ts'
import { CurrencyType } from './currencyType.ts'

type Head = NonNullable<ChainSummary['head']>
type SolverCurrency = ChainSummary['solverCurrencies'][number]

const ChainHeadType = builder.objectRef<Head>('ChainHead').implement({
  description: 'The block that prices on a chain follow from at this moment.',
  fields: (t) => ({
    number: t.expose('number', { type: 'SafeInt', description: 'Its height.' }),
    hash: t.expose('hash', { type: 'Hex', description: 'Its hash, 32 bytes.' }),
    timestamp: t.expose('timestamp', { type: 'SafeInt', description: 'Seconds since 1970.' }),
    baseFeePerGas: t.field({
      type: 'Decimal',
      description: 'In wei of the native currency; "0" on chains without EIP-1559.',
      resolve: ({ baseFeePerGas }) => baseFeePerGas.toString(),
    }),
    priorityFeePerGas: t.field({
      type: 'Decimal',
      description: 'The tip that gets a transaction into the next blocks, in wei.',
      resolve: ({ priorityFeePerGas }) => priorityFeePerGas.toString(),
    }),
    pools: t.exposeInt('pools', { description: 'Count of the pools that routes may use.' }),
  }),
})

const SolverCurrencyType = builder.objectRef<SolverCurrency>('SolverCurrency').implement({
  description: 'A currency that the solver pays out.',
  fields: (t) => ({
    currency: t.expose('currency', { type: CurrencyType, description: 'What it pays out.' }),
    balance: t.expose('balance', {
      type: 'Amount',
      description: 'How much of it the solver holds, in the smallest unit.',
    }),
  }),
})

const ChainType = builder.objectRef<ChainSummary>('Chain').implement({
  description: 'A chain that this gateway prices on.',
  fields: (t) => ({
    id: t.expose('id', { type: 'ChainId', description: 'EIP-155 chain id.' }),
    name: t.exposeString('name', { description: 'Lower case, such as "ethereum".' }),
    displayName: t.exposeString('displayName', { description: 'For people, such as "Ethereum".' }),
    explorerUrl: t.exposeString('explorerUrl', {
      nullable: true,
      description: 'Address of a block explorer; null where none is configured.',
    }),
    iconUrl: t.exposeString('iconUrl', {
      nullable: true,
      description: 'Address of its icon; null where none is configured.',
    }),
    disabled: t.exposeBoolean('disabled', {
      description: 'Whether orders on this chain are refused for now.',
    }),
    nativeCurrency: t.expose('nativeCurrency', {
      type: CurrencyType,
      description: 'In which its gas is paid.',
    }),
    wrappedNative: t.expose('wrappedNative', {
      type: 'Address',
      description: 'The ERC-20 that wraps the native currency one to one.',
    }),
    blockSeconds: t.exposeFloat('blockSeconds', { description: 'Mean seconds between blocks.' }),
    swapSources: t.expose('swapSources', {
      type: ['String'],
      description: 'Names of the AMM deployments that routes on this chain may use.',
    }),
    solverCurrencies: t.expose('solverCurrencies', {
      type: [SolverCurrencyType],
      description: 'What the solver pays out on this chain, and how much it holds of each.',
    }),
    head: t.expose('head', {
      type: ChainHeadType,
      nullable: true,
      description: 'The newest block that prices follow from; null until the first one is in.',
    }),
  }),
})

builder.queryFields((t) => ({
  chains: t.field({
    type: [ChainType],
    description: 'Every chain that is configured.',
    extensions: { items: 20 },
    resolve: (_, __, { operations }) => [...operations.chains()],
  }),
  chain: t.field({
    type: ChainType,
    nullable: true,
    description: 'One chain; null where it is not configured.',
    args: t.validate(
      { id: t.arg({ type: 'ChainId', required: true, description: 'EIP-155 chain id.' }) },
      z.strictObject({ id: chainIdField }),
    ),
    resolve: (_, { id }, { operations }) => operations.chain(id) ?? null,
  }),
}))
