import { z } from 'zod'
import { pips } from '#src/config/values.ts'
import type { Address } from '#src/core/units/address.ts'
import { toPips } from '#src/core/units/pips.ts'
import { factoryFields } from './factoryFields.ts'
import { uniswapV4Factory } from './uniswapV4Factory.ts'

/** A factory of Uniswap v2 or a fork. */
const constantProductFactory = z.strictObject({
  kind: z.literal('constantProduct'),
  ...factoryFields,
  /** The fork's fee on the input. */
  fee: pips.default(toPips(3000)),
})

/** A factory of Uniswap v3 or a fork. */
const concentratedFactory = z.strictObject({
  kind: z.literal('concentrated'),
  ...factoryFields,
  /** Fee tiers to look up for each configured pair. */
  feeTiers: z.array(pips).default([toPips(100), toPips(500), toPips(3000), toPips(10_000)]),
})

/** A factory of Aerodrome's or Velodrome's Slipstream. The fee of each pool is read from it. */
const slipstreamFactory = z.strictObject({
  kind: z.literal('slipstream'),
  ...factoryFields,
  /** Tick spacings to look up for each configured pair. A pair has at most one pool for each. */
  tickSpacings: z.array(z.int().min(1).max(16_383)).min(1).default([1, 50, 100, 200, 2000]),
})

/** A factory of Velodrome v2, Aerodrome or a fork. The fee of each pool is read from it. */
const solidlyFactory = z.strictObject({
  kind: z.literal('solidly'),
  ...factoryFields,
})

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
