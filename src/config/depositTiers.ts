import { z } from 'zod'
import { toUsd, type Usd } from '#src/core/units/usd.ts'
import { dollars } from './values.ts'

/** Deposits worth up to `upToUsd` are filled once `blocks` blocks follow their block. */
export type DepositTier = Readonly<{ upToUsd: Usd; blocks: number }>

/** By ascending value. Deposits above the last tier must be final. */
export const depositTiers = z
  .array(z.strictObject({ upToUsd: dollars, blocks: z.int().min(0).max(1000) }))
  .max(20)
  .refine(
    (tiers) =>
      tiers.every(({ upToUsd }, at) => at === 0 || upToUsd > (tiers[at - 1]?.upToUsd ?? 0n)),
    'must be ordered by upToUsd, each value once',
  )

const dollarsOf = (whole: bigint): Usd => toUsd(whole * 1_000_000n)

/**
 * The tiers of a chain that configures none. On Ethereum-like chains a deep reorg is rarer than a shallow one. A rollup
 * reorgs only if its sequencer replaces blocks that it has published, or if Ethereum reorgs.
 */
export const defaultDepositTiers = (isRollup: boolean): readonly DepositTier[] =>
  isRollup
    ? [{ upToUsd: dollarsOf(1_000n), blocks: 1 }]
    : [
        { upToUsd: dollarsOf(100n), blocks: 16 },
        { upToUsd: dollarsOf(1_000n), blocks: 32 },
        { upToUsd: dollarsOf(10_000n), blocks: 64 },
      ]
