import type { Leg } from '#src/core/pricing/price.ts'
import type { Account } from '#src/core/units/address.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { builder } from '#src/gateway/graphql/builder.ts'
import { CurrencyAmountType, CurrencyType } from '#src/gateway/graphql/currencies/currencyType.ts'
import { type RouteHop, type RoutePath, routePaths } from '#src/service/routePaths.ts'
import type { Service } from '#src/service/service.ts'

const RouteHopType = builder.objectRef<RouteHop>('RouteHop').implement({
  description: 'A swap in one pool.',
  fields: (t) => ({
    pool: t.expose('pool', {
      type: 'Address',
      description: 'Contract of the pool; for Uniswap v4, the manager of all pools.',
    }),
    poolId: t.expose('poolId', {
      type: 'Hex',
      nullable: true,
      description:
        'Id of a Uniswap v4 pool in its manager, 32 bytes; null for a pool with its own contract.',
    }),
    swapSource: t.exposeString('swapSource', {
      description: 'Name of its swap source, such as "uniswap-v3".',
    }),
    feePips: t.exposeInt('fee', {
      description:
        'Fee of the pool in millionths of the input, including the protocol fee: 3000 is 0.3%. 0 to 999,999.',
    }),
    inputAddress: t.expose('input', {
      type: 'Address',
      description: 'The ERC-20 that the pool receives; the wrapped one for the native currency.',
    }),
    outputAddress: t.expose('output', {
      type: 'Address',
      description: 'The ERC-20 that the pool pays; the wrapped one for the native currency.',
    }),
    inputCurrency: t.field({
      type: CurrencyType,
      nullable: true,
      description: 'The currency that the pool receives; null if no list contains it.',
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
      description: 'Amount that the pool receives, in the smallest unit of the input.',
    }),
    outputAmount: t.expose('amountOut', {
      type: 'Amount',
      description: 'Amount that the pool pays, in the smallest unit of the output.',
    }),
    depth: t.expose('depth', {
      type: 'Amount',
      description:
        'Depth of the pool before this swap: the amount that it can pay until the price of the output in it doubles, in the smallest unit of the output.',
    }),
  }),
})

const RoutePathType = builder.objectRef<RoutePath>('RoutePath').implement({
  description: 'One of the paths that a leg is split over: pools that swap one after the other.',
  fields: (t) => ({
    share: t.expose('share', {
      type: 'Bps',
      description:
        'Share of the leg’s input that takes this path, in basis points. The shares of a leg sum to 10000.',
    }),
    hops: t.expose('hops', {
      type: [RouteHopType],
      description: 'The pools of the path, in the order of execution.',
      extensions: { items: 4 },
    }),
  }),
})

/** Reads only memory, because a price makes no RPC call. */
const knownCurrency = (
  { currencies }: Service,
  { chainId }: RouteHop,
  address: Account,
): Currency | null => currencies({ chainIds: [chainId], address })[0] ?? null

const RouteLegType = builder.objectRef<Leg>('RouteLeg').implement({
  description: 'The part of a route on one chain.',
  fields: (t) => ({
    inputCurrency: t.expose('input', {
      type: CurrencyAmountType,
      description:
        'Input of the leg: the user’s payment; on the destination chain, the amount that the solver spends.',
    }),
    outputCurrency: t.expose('output', {
      type: CurrencyAmountType,
      description:
        'Output of the leg: the deposit in the depository; on the destination chain, the amount that the recipient gets.',
    }),
    router: t.exposeString('router', {
      description:
        'Swap source of the leg, such as "uniswap-v3"; "crossquote" if there are several, "relay" without a swap.',
    }),
    includedSwapSources: t.expose('swapSources', {
      type: ['String'],
      description: 'Names of all swap sources of the leg; empty without a swap.',
    }),
    paths: t.field({
      type: [RoutePathType],
      description:
        'The paths that the swap is split over, in the order of execution; empty without a swap.',
      extensions: { items: 4 },
      resolve: (leg) => [...routePaths(leg)],
    }),
  }),
})

export const RouteType = builder
  .objectRef<Readonly<{ origin: Leg; destination: Leg }>>('Route')
  .implement({
    description: 'The route of a swap, by leg. For a swap on one chain both legs are equal.',
    fields: (t) => ({
      origin: t.expose('origin', {
        type: RouteLegType,
        description:
          'Leg on the origin chain: from the user’s payment to the deposit in the depository.',
      }),
      destination: t.expose('destination', {
        type: RouteLegType,
        description:
          'Leg on the destination chain: from the currency that the solver spends to the currency that the recipient gets.',
      }),
    }),
  })
