import { toUsd, type Usd } from '#src/core/units/usd.ts'

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
  /** Maximum value of the deposits that are filled and not final yet. A quarter of it is for small deposits. */
  maxUnfinalizedUsd: Usd
  /** Maximum value of a plain ERC-20 transfer, which the depository does not record. Larger ones are refunded. */
  unrecordedLimitUsd: Usd
}>

/** Blocks on top of a deposit. */
export type DepositDepth = number | 'final'

/** The value of a chain's deposits that are filled and not final yet. */
export type Exposed = Readonly<{
  usd: bigint
  /** The part of the payer of the deposit in question. */
  ofPayerUsd: bigint
}>

const nothing: Exposed = { usd: 0n, ofPayerUsd: 0n }

/**
 * The most that may be exposed on a chain with deposits worth `usd`: `maxUnfinalizedUsd` if they are worth up to a
 * hundredth of it, else three quarters of it. So large deposits never delay small ones, and it takes many small ones,
 * each with its fees, to delay the others.
 */
export const exposureLimit = ({ maxUnfinalizedUsd: max }: DepositPolicy, usd: bigint): Usd =>
  toUsd(usd <= max / 100n ? max : (max * 3n) / 4n)

/** The most that one payer may have exposed: two fifths, by default as much as the largest deposit of all tiers. */
export const payerLimit = ({ maxUnfinalizedUsd: max }: DepositPolicy): Usd => toUsd((max * 2n) / 5n)

/**
 * The depth at which the solver fills for deposits worth `usd` together. It is `final` in five cases: the value is
 * unknown; the value is above all tiers; with the other exposed deposits it exceeds `exposureLimit`; with those of its
 * payer it exceeds `payerLimit`; or it is above `agreeAboveUsd`, and the chain has fewer than `agreeingEndpoints`
 * endpoints to confirm a fresh block.
 */
export function depositDepth(
  policy: DepositPolicy,
  usd: Usd | undefined,
  exposed: Exposed = nothing,
): DepositDepth {
  const { minBlocks, tiers, agreeAboveUsd, agreeingEndpoints, endpoints } = policy
  if (usd === undefined || usd + exposed.usd > exposureLimit(policy, usd)) return 'final'
  if (usd + exposed.ofPayerUsd > payerLimit(policy)) return 'final'
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
