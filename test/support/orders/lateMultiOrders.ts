import {
  fourth,
  lateOrigin,
  type Order,
  origin,
  second,
  third,
} from '#test/support/clients/multiRequests.ts'
import { bnb, ethereum, rollup, units } from '#test/support/gateways/useQuotes.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

/**
 * Orders with deposits after the deadline. The late deposit is on the rollup, except in the orders whose deposits are
 * all late.
 */
export const lateMultiOrders: readonly Order[] = [
  {
    title: 'a part',
    origins: [
      origin([ethereum, 'USDC'], units('500', 6), second),
      lateOrigin([rollup, 'USDC'], units('300', 6), third),
      origin([rollup, 'USDC'], units('200', 6), second),
    ],
    to: [bnb, 'USDC'],
    api: 'REST',
    change: { partial: true },
  },
  {
    title: 'a part, a swap last',
    origins: [
      origin([ethereum, 'USDC'], units('500', 6), fourth),
      lateOrigin([rollup, 'USDC'], units('300', 6), fourth),
    ],
    to: [bnb, 'WBTC'],
    api: 'GraphQL',
    change: { partial: true, slippageTolerance: '300' },
  },
  {
    title: 'a part of an exact output',
    origins: [
      origin([ethereum, 'ETH'], units('1', 18), third),
      lateOrigin([rollup, 'ETH'], units('1', 18), second),
    ],
    to: [bnb, 'ETH'],
    api: 'REST',
    change: { partial: true, tradeType: 'EXACT_OUTPUT', amount: units('15', 17) },
  },
  {
    title: 'nothing',
    origins: [
      origin([bnb, 'USDC'], units('400', 6), second),
      origin([ethereum, 'ACORN'], units('4000', 18), fourth),
      lateOrigin([rollup, 'USDC'], units('300', 6), third),
    ],
    to: [ethereum, 'USDC'],
    api: 'GraphQL',
  },
  {
    title: 'nothing, for another',
    origins: [
      origin([ethereum, 'ETH'], units('1', 18), second),
      origin([bnb, 'ETH'], units('1', 18), fourth),
      lateOrigin([rollup, 'ETH'], units('1', 18), third),
    ],
    to: [rollup, 'USDC'],
    api: 'REST',
    change: { partial: false, refundTo: newAccount() },
  },
  ...[true, false].map(
    (partial): Order => ({
      title: `all late, ${partial}`,
      origins: [
        lateOrigin([rollup, 'ETH'], units('1', 18), fourth),
        lateOrigin([ethereum, 'ETH'], units('1', 18), third),
      ],
      to: [bnb, 'ETH'],
      api: 'GraphQL',
      change: { partial },
    }),
  ),
]
