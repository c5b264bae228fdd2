import { z } from 'zod'
import { pips } from '#src/config/values.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { toPips } from '#src/core/units/pips.ts'
import { factoryFields } from './factoryFields.ts'

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
export const uniswapV4Factory = z.strictObject({
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
