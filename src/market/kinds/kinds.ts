import type { Hex } from 'viem'
import type { ChainConfig } from '#src/config/config.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import { concentratedMarket } from './concentrated/concentratedMarket.ts'
import { constantProductMarket } from './constantProduct/constantProductMarket.ts'
import type { CreationOf, MarketKind } from './marketKind.ts'
import { slipstreamMarket } from './slipstream/slipstreamMarket.ts'
import { solidlyMarket } from './solidly/solidlyMarket.ts'
import { uniswapV4Market } from './uniswapV4/uniswapV4Market.ts'

/** The market code of each pool kind. */
const kinds = {
  constantProduct: constantProductMarket,
  concentrated: concentratedMarket,
  uniswapV4: uniswapV4Market,
  solidly: solidlyMarket,
  slipstream: slipstreamMarket,
} as const satisfies Record<Pool['kind'], unknown>

type Kinds = typeof kinds

export type Factory = ChainConfig['factories'][number]

type FoundOf<Kind> =
  Kind extends MarketKind<infer _, infer __, infer FoundPool, infer ___, infer ____>
    ? FoundPool
    : never

/** A pool of a configured factory, with its constant fields. */
export type DiscoveredPool = FoundOf<Kinds[keyof Kinds]>

/** A pool from a factory's creation log. */
export type Creation = Readonly<{ factory: Factory }> & CreationOf<DiscoveredPool>

/** A kind without its specific types. Callers pass it only pools and factories of this kind. */
export type AnyKind = MarketKind<Pool, Factory, DiscoveredPool, unknown, unknown>

/** The kind of a pool or of a factory. */
export const marketKindOf = ({ kind }: Readonly<{ kind: Pool['kind'] }>): AnyKind =>
  kinds[kind] as unknown as AnyKind

export const marketKinds: readonly (readonly [Pool['kind'], AnyKind])[] = (
  Object.keys(kinds) as Pool['kind'][]
).map((kind) => [kind, marketKindOf({ kind })])

/** The topics of all events that change or create pools of these factories. */
export const followedTopicsOf = (factories: readonly Factory[]): readonly Hex[] =>
  [...new Set(factories.map(marketKindOf))].flatMap((kind) => [
    ...kind.events.keys(),
    kind.creationTopic,
  ])
