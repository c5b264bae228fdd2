import { z } from 'zod'
import { builder } from '#src/gateway/graphql/builder.ts'
import { NodeType, nodeId } from '#src/gateway/graphql/nodes/nodeType.ts'
import type { ChainSummary, HeadOfChain } from '#src/service/chains.ts'
import { chainIdField } from '#src/service/input/inputFields.ts'
import { CurrencyType } from './currencyType.ts'

type SolverCurrency = ChainSummary['solverCurrencies'][number]

const ChainHeadType = builder.objectRef<HeadOfChain>('ChainHead').implement({
  description: 'The block that prices on a chain are computed from. Each new block replaces it.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: nodeId(t, 'ChainHead', ({ chainId }) => [chainId], 'The same for all blocks of a chain.'),
    number: t.expose('number', {
      type: 'SafeInt',
      description: 'Height of the block; the first block of a chain has 0.',
    }),
    hash: t.expose('hash', {
      type: 'Hex',
      description: 'Block hash, 32 bytes; in base58 on an svm chain.',
    }),
    timestamp: t.expose('timestamp', {
      type: 'SafeInt',
      description: 'Block time, in seconds since 1970.',
    }),
    baseFeePerGas: t.expose('baseFeePerGas', {
      type: 'Amount',
      description:
        'Base fee for one unit of gas, in wei; "0" on chains without EIP-1559, and on svm chains.',
    }),
    priorityFeePerGas: t.expose('priorityFeePerGas', {
      type: 'Amount',
      description:
        'Priority fee for one unit of gas that quotes suggest, in wei. On svm chains in lamports for a compute unit, rounded up.',
    }),
    pools: t.exposeInt('pools', { description: 'Number of pools that routes can use.' }),
  }),
})

const SolverCurrencyType = builder.objectRef<SolverCurrency>('SolverCurrency').implement({
  description: 'A currency that the solver pays out on a chain.',
  fields: (t) => ({
    currency: t.expose('currency', {
      type: CurrencyType,
      description: 'The currency that is paid out.',
    }),
    balance: t.expose('balance', {
      type: 'Amount',
      description: 'The solver’s balance, in the smallest unit.',
    }),
  }),
})

const ChainContractsType = builder.objectRef<ChainSummary>('ChainContracts').implement({
  description:
    'Contracts on a chain. If the gateway has no contracts of its own there, orders can be priced but not quoted.',
  fields: (t) => {
    const own = (name: keyof NonNullable<ChainSummary['contracts']>, description: string) =>
      t.field({
        type: 'Address',
        nullable: true,
        description: `${description}; null if it is not deployed.`,
        resolve: ({ contracts }) => contracts?.[name] ?? null,
      })
    return {
      depository: own(
        'depository',
        'Receives deposits: a contract, or the program of an svm chain',
      ),
      router: own('router', 'Executes swaps and destination calls'),
      approvalProxy: own('approvalProxy', 'Spender that users approve for swaps of ERC-20s'),
      depositAddressFactory: own(
        'depositAddressFactory',
        'Computes, deploys and sweeps deposit addresses',
      ),
      multicall3: t.field({
        type: 'Address',
        description:
          'Multicall3, which batches reads. On an svm chain, which has none: the native currency.',
        resolve: ({ multicall3, nativeCurrency }) => multicall3 ?? nativeCurrency.address,
      }),
    }
  },
})

const ChainType = builder.objectRef<ChainSummary>('Chain').implement({
  description:
    'A chain that orders can begin or end on: its currencies, contracts, URLs and newest block.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: nodeId(t, 'Chain', ({ id }) => [id]),
    chainId: t.expose('id', { type: 'ChainId', description: 'EIP-155 chain id.' }),
    vmType: t.exposeString('vmType', {
      description: 'The virtual machine of the chain: "evm" or "svm".',
    }),
    name: t.exposeString('name', {
      description: 'Name for programs: lower case, such as "ethereum".',
    }),
    displayName: t.exposeString('displayName', {
      description: 'Name for people, such as "Ethereum".',
    }),
    explorerUrl: t.exposeString('explorerUrl', {
      nullable: true,
      description: 'URL of a block explorer; null if none is configured.',
    }),
    rpcUrl: t.exposeString('publicRpcUrl', {
      nullable: true,
      description: 'Public JSON-RPC URL for wallets; null if none is configured.',
    }),
    wsUrl: t.exposeString('publicWsUrl', {
      nullable: true,
      description: 'Public JSON-RPC URL over WebSocket; null if none is configured.',
    }),
    contracts: t.field({
      type: ChainContractsType,
      description: 'The contracts that transactions of this gateway call on the chain.',
      resolve: (chain) => chain,
    }),
    iconUrl: t.exposeString('iconUrl', {
      nullable: true,
      description: 'URL of an icon; null if none is configured.',
    }),
    disabled: t.exposeBoolean('disabled', {
      description: 'Whether the gateway currently refuses orders from and to this chain.',
    }),
    nativeCurrency: t.expose('nativeCurrency', {
      type: CurrencyType,
      description: 'The native currency, which pays for gas.',
    }),
    wrappedNative: t.expose('wrappedNative', {
      type: 'Address',
      description:
        'Contract of the ERC-20 that wraps the native currency one to one. On an svm chain, where nothing wraps it: the native currency itself.',
    }),
    blockSeconds: t.exposeFloat('blockSeconds', {
      description: 'Average time between blocks, in seconds.',
    }),
    swapSources: t.expose('swapSources', {
      type: ['String'],
      description: 'Names of the AMM deployments that routes on this chain can use.',
    }),
    solverCurrencies: t.expose('solverCurrencies', {
      type: [SolverCurrencyType],
      description: 'The currencies that the solver pays out on this chain, with its balances.',
    }),
    head: t.field({
      type: ChainHeadType,
      nullable: true,
      description: 'The block that prices are computed from; null until the first one is read.',
      resolve: ({ id, head }) => head && { ...head, chainId: id },
    }),
  }),
})

builder.queryFields((t) => ({
  chains: t.field({
    type: [ChainType],
    description: 'All configured chains.',
    extensions: { items: 20 },
    resolve: (_, __, { operations }) => [...operations.chains()],
  }),
  chain: t.field({
    type: ChainType,
    nullable: true,
    description: 'One chain; null if it is not configured.',
    args: t.validate(
      { chainId: t.arg({ type: 'ChainId', required: true, description: 'EIP-155 chain id.' }) },
      z.strictObject({ chainId: chainIdField }),
    ),
    resolve: (_, { chainId }, { operations }) => operations.chain(chainId) ?? null,
  }),
}))

builder.subscriptionField('chainHead', (t) =>
  t.field({
    type: ChainHeadType,
    description:
      'The block that prices on a chain are computed from: the newest one at once, then each newer one, once its state has been read. A slow client gets only the newest one. Errors: UNSUPPORTED_CHAIN, SERVICE_UNAVAILABLE.',
    args: t.validate(
      { chainId: t.arg({ type: 'ChainId', required: true, description: 'EIP-155 chain id.' }) },
      z.strictObject({ chainId: chainIdField }),
    ),
    subscribe: (_, { chainId }, { operations }) => operations.watchChainHead(chainId),
    resolve: (head) => head,
  }),
)
