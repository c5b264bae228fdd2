import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { powerOfTen } from '#src/core/units/arithmetic.ts'
import { type Bps, toBps, wholeBps } from '#src/core/units/bps.ts'
import type { ChainId } from '#src/core/units/chainId.ts'

/** What the solver has of one asset on one chain, in that chain's smallest unit. */
export type Position = Readonly<{
  chainId: ChainId
  decimals: number
  held: Amount
  /** Deposits that settlements are going to bring. They fill a gap, but cannot be moved yet. */
  incoming: Amount
  target: Amount
}>

/** A transfer of an asset from one chain to another. */
export type Move = Readonly<{
  from: ChainId
  to: ChainId
  /** In the smallest unit of `from`; more than 0. */
  amount: Amount
}>

/** A gap up to this share of its target is left alone, so that no advice follows each fill. */
const driftTolerance: Bps = toBps(1000n)

/**
 * The moves that bring the asset back to its targets: from what is held above a target, to where more than a tenth of
 * one is missing. The largest gap is closed first, from the largest surplus. Never moves more than a chain holds above
 * its target, or than another lacks, and leaves nothing to advise once the moves are made without loss. Amounts are
 * rounded down to a unit that both chains have. The order of the positions does not matter.
 */
export function rebalance(positions: readonly Position[]): readonly Move[] {
  const [first] = positions
  if (first === undefined) return []
  const decimals = positions.reduce((least, each) => Math.min(least, each.decimals), first.decimals)
  const inUnits = (amount: bigint, each: Position): bigint =>
    amount / powerOfTen(each.decimals - decimals)
  const surpluses = positions
    .map((each) => ({ each, left: inUnits(surplusOf(each), each) }))
    .toSorted(byAmount)
  const gaps = positions
    .map((each) => ({ each, left: inUnits(gapOf(each), each) }))
    .toSorted(byAmount)
  const moves: Move[] = []
  for (const gap of gaps)
    for (const surplus of surpluses) {
      const units = smaller(gap.left, surplus.left)
      if (units === 0n) continue
      gap.left -= units
      surplus.left -= units
      const amount = toAmount(units * powerOfTen(surplus.each.decimals - decimals))
      moves.push({ from: surplus.each.chainId, to: gap.each.chainId, amount })
    }
  return moves
}

const surplusOf = ({ held, target }: Position): bigint => (held > target ? held - target : 0n)

/** What is missing, if it is more than the tolerance. */
function gapOf({ held, incoming, target }: Position): bigint {
  const missing = target - held - incoming
  return missing * wholeBps > target * driftTolerance ? missing : 0n
}

type Side = Readonly<{ each: Position; left: bigint }>

/** The largest first; equal ones by chain. */
function byAmount(one: Side, other: Side): number {
  if (one.left !== other.left) return one.left > other.left ? -1 : 1
  return one.each.chainId - other.each.chainId
}

function smaller(one: bigint, other: bigint): bigint {
  if (one < other) return one
  return other
}
