import type { Log } from '#src/config/log.ts'
import { proveSettlement, type SettlementProof } from '#src/solver/depository/settlementProof.ts'
import { createUnrecordedLimit } from '#src/solver/deposits/unrecordedLimit.ts'
import type { SolverChain, SolverLimits, SolverMarket } from '#src/solver/ports.ts'
import { depositFault } from './depositFault.ts'
import type { Candidate } from './fillCandidates.ts'
import type { FillRound } from './fillRounds.ts'
import type { RefundMarks } from './refundMarks.ts'

type Ports = Readonly<{
  market: SolverMarket
  log: Log
  /** Milliseconds since 1970. */
  now: () => number
}>

/** A candidate whose deposits can be settled. */
export type Provable = Candidate & Readonly<{ proof: SettlementProof }>

/**
 * The candidates that have no fault and whose deposits can be settled. The others wait, or are marked as refundable.
 * Asks no node, and no depth is needed for a refund: the depository pays back no deposit that it does not hold.
 */
export function createProvableFills(
  { market, log, now }: Ports,
  { chain, solver }: SolverChain,
  limits: SolverLimits,
  marks: RefundMarks,
): (candidates: readonly Candidate[], round: FillRound) => Promise<readonly Provable[]> {
  const unrecordedWorth = createUnrecordedLimit(market)

  /** Refunds requests with a fault. Returns the others. */
  async function withoutFault(
    candidates: readonly Candidate[],
    height: bigint,
  ): Promise<readonly Candidate[]> {
    const faultless: Candidate[] = []
    for (const each of candidates) {
      const seconds = Math.floor(now() / 1000)
      const fault = depositFault(each.request, each.deposits, { ...limits, now: seconds })
      if (fault === undefined) faultless.push(each)
      else await marks.mark(each, fault, height)
    }
    return faultless
  }

  /** Refunds requests whose plain transfers are worth too much. Returns the others that have a price. */
  async function withinLimit(
    candidates: readonly Candidate[],
    { snapshot, view }: FillRound,
  ): Promise<readonly Candidate[]> {
    const rated = candidates.map((each) => {
      return { each, worth: unrecordedWorth(each.deposits, snapshot) }
    })
    for (const { each, worth } of rated)
      if (worth === 'above') await marks.mark(each, 'SOLVER_CAPACITY_EXCEEDED', view.head.number)
    return rated.filter(({ worth }) => worth === 'within').map(({ each }) => each)
  }

  async function provableOf(
    candidates: readonly Candidate[],
    { view, settlements, taken }: FillRound,
  ): Promise<readonly Provable[]> {
    const provable: Provable[] = []
    for (const each of candidates) {
      const verdict = proveSettlement(each, each.deposits, settlements, { payee: solver, taken })
      const facts = { chainId: chain.id, requestId: each.request.requestId }
      switch (verdict.kind) {
        case 'proven':
          provable.push({ ...each, proof: verdict.proof })
          break
        case 'wait':
          log.debug({ ...facts, cause: verdict.cause }, 'A fill waits until it can be settled')
          break
        case 'refund':
          log.debug({ ...facts, ...verdict }, 'The deposits of a request cannot be settled')
          await marks.mark(each, verdict.reason, view.head.number)
      }
    }
    return provable
  }

  return async (candidates, round) => {
    const faultless = await withoutFault(candidates, round.view.head.number)
    return provableOf(await withinLimit(faultless, round), round)
  }
}
