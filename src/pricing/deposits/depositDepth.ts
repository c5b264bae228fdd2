import type { Usd } from '#src/units/usd.ts'

/**
 * The confirmations that deposits on a chain need before the solver fills. They limit its loss if a reorg removes a
 * deposit or an RPC endpoint lies.
 */
export type DepositPolicy = Readonly<{
  /** Minimum blocks on top of a deposit before it funds its request. No tier asks for fewer. */
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
  /** Maximum value of a plain ERC-20 transfer, which the depository does not record. Larger ones are refunded. */
  unrecordedLimitUsd: Usd
}>

/** Blocks on top of a deposit. */
export type DepositDepth = number | 'final'

/**
 * The depth at which the solver fills for deposits worth `usd` together. It is `final` in four cases: the value is
 * unknown; the value is above all tiers; with the other exposed deposits (`exposedUsd`) it exceeds `maxUnfinalizedUsd`;
 * or it is above `agreeAboveUsd`, and the chain has fewer than `agreeingEndpoints` endpoints to confirm a fresh block.
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

/**
 * The number of endpoints that must confirm deposits worth `usd` together at this depth. Finality is never taken from a
 * single endpoint if the chain has more.
 */
export const neededEndpoints = (
  { agreeAboveUsd, agreeingEndpoints, endpoints }: DepositPolicy,
  usd: Usd | undefined,
  depth: DepositDepth,
): number =>
  depth !== 'final' && usd !== undefined && usd <= agreeAboveUsd
    ? 1
    : Math.min(agreeingEndpoints, endpoints)
