import type { Usd } from '#src/units/usd.ts'

/** When the solver fills for deposits on a chain: what it risks if a reorg takes them back, or an endpoint lies. */
export type DepositPolicy = Readonly<{
  /** Blocks on top of a deposit before it funds its request; no tier asks for fewer. */
  minBlocks: number
  /** By ascending value. Deposits above the last tier must be final. */
  tiers: readonly Readonly<{ upToUsd: Usd; blocks: number }>[]
  /** Deposits above this value must be confirmed by `agreeingEndpoints` endpoints. */
  agreeAboveUsd: Usd
  agreeingEndpoints: number
  /** Number of the chain's RPC endpoints. */
  endpoints: number
  /** Maximum value of the deposits that are filled and not final yet. */
  maxUnfinalizedUsd: Usd
  /** Maximum value of a plain ERC-20 transfer, of which the depository keeps no record. Larger ones are refunded. */
  unrecordedLimitUsd: Usd
}>

/** Blocks on top of a deposit. */
export type DepositDepth = number | 'final'

/**
 * The depth at which the solver fills for deposits worth `usd` together; a value that is unknown needs finality, and so
 * does what exceeds the ceiling beside the other deposits that are exposed (`exposedUsd`). Above `agreeAboveUsd` a chain
 * with too few endpoints has nobody to contradict a lie about a fresh block: it needs finality.
 */
export function depositDepth(
  policy: DepositPolicy,
  usd: Usd | undefined,
  exposedUsd: bigint = 0n,
): DepositDepth {
  const { minBlocks, tiers, agreeAboveUsd, agreeingEndpoints, endpoints } = policy
  if (usd === undefined || usd + exposedUsd > policy.maxUnfinalizedUsd) return 'final'
  if (usd > agreeAboveUsd && endpoints < agreeingEndpoints) return 'final'
  const tier = tiers.find(({ upToUsd }) => usd <= upToUsd)
  return tier === undefined ? 'final' : Math.max(minBlocks, tier.blocks)
}

/** How many endpoints must confirm deposits worth `usd` together at this depth: finality is never one endpoint's word. */
export const neededEndpoints = (
  { agreeAboveUsd, agreeingEndpoints, endpoints }: DepositPolicy,
  usd: Usd | undefined,
  depth: DepositDepth,
): number =>
  depth !== 'final' && usd !== undefined && usd <= agreeAboveUsd
    ? 1
    : Math.min(agreeingEndpoints, endpoints)
