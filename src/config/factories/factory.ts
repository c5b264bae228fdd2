import { z } from 'zod'
import type { Address } from '#src/core/units/address.ts'
import { concentratedFactory } from './concentratedFactory.ts'
import { constantProductFactory } from './constantProductFactory.ts'
import { slipstreamFactory } from './slipstreamFactory.ts'
import { solidlyFactory } from './solidlyFactory.ts'
import { uniswapV4Factory } from './uniswapV4Factory.ts'

/** The configuration of a factory, by the kind of its pools. */
const factory = z.discriminatedUnion('kind', [
  constantProductFactory,
  concentratedFactory,
  solidlyFactory,
  slipstreamFactory,
  uniswapV4Factory,
])

/** The factories of a chain. At most one Uniswap v4 manager: two managers may have pools with the same id. */
export const factories = z
  .array(factory)
  .min(1)
  .refine(
    (all) =>
      new Set(all.flatMap((each) => (each.kind === 'uniswapV4' ? each.factory : []))).size < 2,
    'must have one manager of Uniswap v4 at most',
  )

/** Adds the chain's wrapped native currency to a Uniswap v4 factory. */
export const factoryOn = (each: z.output<typeof factory>, wrappedNative: Address) =>
  each.kind === 'uniswapV4' ? { ...each, wrappedNative } : each

/** A factory of the configuration before it is parsed. */
export type FactoryInput = z.input<typeof factory>
