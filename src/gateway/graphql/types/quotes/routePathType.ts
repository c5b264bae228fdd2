import { builder } from '#src/gateway/graphql/builder.ts'
import { CurrencyType } from '#src/gateway/graphql/types/currencies/currencyType.ts'
import type { Operations } from '#src/operations/operations.ts'
import type { RouteHop, RoutePath } from '#src/operations/routePaths.ts'
import type { Address } from '#src/units/address.ts'
import type { Currency } from '#src/units/currency.ts'

const RouteHopType = builder.objectRef<RouteHop>('RouteHop').implement({
  description: 'A swap in one pool.',
  fields: (t) => ({
    pool: t.expose('pool', {
      type: 'Address',
      description: 'Contract of the pool; of a pool of Uniswap v4, the manager of all pools.',
    }),
    poolId: t.expose('poolId', {
      type: 'Hex',
      nullable: true,
      description:
        'The 32 bytes by which the manager knows a pool of Uniswap v4; null for a pool with a contract of its own.',
    }),
    swapSource: t.exposeString('swapSource', {
      description: 'Name of its swap source, such as "uniswap-v3".',
    }),
    feePips: t.exposeInt('fee', {
      description:
        'Fee of the pool in millionths of the input, with that of its protocol: 3000 is 0.3%. 0 to 999,999.',
    }),
    inputAddress: t.expose('input', {
      type: 'Address',
      description: 'The ERC-20 that the pool takes; the wrapped one for the native currency.',
    }),
    outputAddress: t.expose('output', {
      type: 'Address',
      description: 'The ERC-20 that the pool pays; the wrapped one for the native currency.',
    }),
    inputCurrency: t.field({
      type: CurrencyType,
      nullable: true,
      description: 'The currency that the pool takes; null if no list contains it.',
      resolve: (hop, _, { operations }) => knownCurrency(operations, hop, hop.input),
    }),
    outputCurrency: t.field({
      type: CurrencyType,
      nullable: true,
      description: 'The currency that the pool pays; null if no list contains it.',
      resolve: (hop, _, { operations }) => knownCurrency(operations, hop, hop.output),
    }),
    inputAmount: t.expose('amountIn', {
      type: 'Amount',
      description: 'What the pool takes, in the smallest unit of the input.',
    }),
    outputAmount: t.expose('amountOut', {
      type: 'Amount',
      description: 'What the pool pays, in the smallest unit of the output.',
    }),
    depth: t.expose('depth', {
      type: 'Amount',
      description:
        'Depth of the pool before this swap: what it can pay before the price of the output in it doubles, in the smallest unit of the output.',
    }),
  }),
})

export const RoutePathType = builder.objectRef<RoutePath>('RoutePath').implement({
  description: 'One of the paths that a leg is split over: pools that swap one after the other.',
  fields: (t) => ({
    share: t.expose('share', {
      type: 'Bps',
      description:
        'Share of the input of the leg that takes this path, in basis points. The shares of a leg are 10000 together.',
    }),
    hops: t.expose('hops', {
      type: [RouteHopType],
      description: 'Its pools, in the order of execution.',
      extensions: { items: 4 },
    }),
  }),
})

/** From memory alone: a price makes no RPC call. */
const knownCurrency = (
  { currencies }: Operations,
  { chainId }: RouteHop,
  address: Address,
): Currency | null => currencies({ chainIds: [chainId], address })[0] ?? null
