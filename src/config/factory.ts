import { z } from 'zod'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import { toPips } from '#src/core/units/pips.ts'
import { address, blockNumber, pips } from './values.ts'

/** The fields of every factory, for all kinds of pools. */
const factoryFields = {
  /** Name of these pools in quotes, such as "uniswap-v2". */
  source: z.string().min(1).max(64),
  factory: address,
  /** Block from which the factory's logs are searched for pools: the block of its deployment. */
  fromBlock: blockNumber.default(0n),
  /** The pairs whose pools are tracked. Empty: all pools of the factory are tracked. */
  pairs: z.array(z.tuple([address, address])).default([]),
}

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

/** The fees and tick spacings that Uniswap's interface offers. */
const usualTiers = [
  { fee: toPips(100), tickSpacing: 1 },
  { fee: toPips(500), tickSpacing: 10 },
  { fee: toPips(3000), tickSpacing: 60 },
  { fee: toPips(10_000), tickSpacing: 200 },
]

const tier = z.strictObject({
  /** A static fee: a dynamic one needs a hook. */
  fee: pips.refine(
    (fee) => fee < 999_000,
    'must be below 999,000 pips: a swap would be left nothing',
  ),
  tickSpacing: z.int().min(1).max(32_767),
})

/** The manager of Uniswap v4's pools. Only its pools without hooks are used. */
const uniswapV4Factory = z.strictObject({
  kind: z.literal('uniswapV4'),
  ...factoryFields,
  /** Required: anybody can create pools of any two currencies with any fee, so only those of pairs are tracked. */
  pairs: factoryFields.pairs
    .refine(
      (pairs) => pairs.length > 0,
      'must name pairs: the pools of a whole manager are not tracked',
    )
    .refine(
      (pairs) => !pairs.flat().includes(nativeAddress),
      'must name the wrapped currency: it stands for the native one too',
    ),
  /**
   * Fees and tick spacings to look up for each pair. The wrapped native currency of a pair also covers the native one.
   */
  tiers: z.array(tier).min(1).default(usualTiers),
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
