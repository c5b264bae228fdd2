import { z } from 'zod'
import type { Address } from '#src/units/address.ts'
import { concentratedFactory } from './concentratedFactory.ts'
import { constantProductFactory } from './constantProductFactory.ts'
import { slipstreamFactory } from './slipstreamFactory.ts'
import { solidlyFactory } from './solidlyFactory.ts'
import { uniswapV4Factory } from './uniswapV4Factory.ts'

/** How the factory of each pool kind is configured. One line a kind. */
const factory = z.discriminatedUnion('kind', [
  constantProductFactory,
  concentratedFactory,
  solidlyFactory,
  slipstreamFactory,
  uniswapV4Factory,
])

/** The factories of a chain. Two managers may know pools by the same id, hence one at most. */
export const factories = z
  .array(factory)
  .min(1)
  .refine(
    (all) =>
      new Set(all.flatMap((each) => (each.kind === 'uniswapV4' ? each.factory : []))).size < 2,
    'must have one manager of Uniswap v4 at most',
  )

/** With what its chain tells of it. */
export const factoryOn = (each: z.output<typeof factory>, wrappedNative: Address) =>
  each.kind === 'uniswapV4' ? { ...each, wrappedNative } : each

/** A factory of the configuration as it is written. */
export type FactoryInput = z.input<typeof factory>
