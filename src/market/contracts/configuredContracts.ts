import type { ChainConfig } from '#src/config/config.ts'
import type { Address } from '#src/core/units/address.ts'

/** An address of the configuration that must hold a contract. */
export type NamedContract = Readonly<{ name: string; address: Address }>

type Named =
  | 'wrappedNative'
  | 'multicall3'
  | 'factories'
  | 'priceFeeds'
  | 'sequencerFeed'
  | 'contracts'

/** The contracts that a chain's configuration names. */
export const configuredContracts = (chain: Pick<ChainConfig, Named>): readonly NamedContract[] => [
  { name: 'multicall3', address: chain.multicall3 },
  { name: 'wrappedNative', address: chain.wrappedNative },
  ...chain.factories.map((each, at) => ({ name: factoryName(each, at), address: each.factory })),
  ...chain.priceFeeds.map(({ aggregator }, at) => ({
    name: `priceFeeds.${at}`,
    address: aggregator,
  })),
  ...(chain.sequencerFeed ? [{ name: 'sequencerFeed', address: chain.sequencerFeed.address }] : []),
  ...Object.entries(chain.contracts ?? {}).flatMap(([name, address]) =>
    address === undefined ? [] : [{ name: `contracts.${name}`, address }],
  ),
]

export const factoryName = ({ source }: ChainConfig['factories'][number], at: number): string =>
  `factories.${at} (${source})`
