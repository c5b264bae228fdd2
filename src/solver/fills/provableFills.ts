import { depositUsd } from '#src/core/pricing/deposits/timeEstimate.ts'
import type { Market } from '#src/core/pricing/market.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { proveSettlement, type SettlementProof } from '#src/solver/depository/settlementProof.ts'
import type { OwnChain, Runtime, SolverLimits, SolverMarket } from '#src/solver/ports.ts'
import type { Candidate } from './fillCandidates.ts'
import type { FillRound } from './fillRounds.ts'
import { depositFault } from './payoutBudget.ts'
import type { RefundMarks } from './refundMarks.ts'

type Ports = Runtime & Readonly<{ market: SolverMarket }>

/** A candidate whose deposits can be settled. */
export type Provable = Candidate & Readonly<{ proof: SettlementProof }>

/** Asks no node, and no depth is needed for a refund: the depository pays back no deposit that it does not hold. */
type ProvableFills = Readonly<{
  /** Marks the requests with a fault as refundable. Returns the others. */
  withoutFault: (candidates: readonly Candidate[], height: bigint) => Promise<readonly Candidate[]>
  /** The candidates that have no fault and whose deposits can be settled. The others wait, or are marked. */
  provableOf: (candidates: readonly Candidate[], round: FillRound) => Promise<readonly Provable[]>
}>

export function createProvableFills(
  { market, log, now }: Ports,
  { chain }: OwnChain,
  limits: SolverLimits,
  marks: RefundMarks,
): ProvableFills {
  const unrecordedWorth = createUnrecordedLimit(market)

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

  async function settleable(
    candidates: readonly Candidate[],
    { view, settlements, taken }: FillRound,
  ): Promise<readonly Provable[]> {
    const provable: Provable[] = []
    for (const each of candidates) {
      const verdict = proveSettlement(each, each.deposits, settlements, taken)
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

  return {
    withoutFault,
    async provableOf(candidates, round) {
      const faultless = await withoutFault(candidates, round.view.head.number)
      return settleable(await withinLimit(faultless, round), round)
    },
  }
}

/** `unpriced`: at least one plain transfer has no price at the moment. */
type UnrecordedWorth = 'within' | 'above' | 'unpriced'

/**
 * Compares the total value of a request's plain transfers on each chain with `unrecordedLimitUsd`. The depository has
 * no record of them, and pays them only from the part of its balance that no record covers.
 */
const createUnrecordedLimit =
  ({ currencies }: SolverMarket) =>
  (deposits: readonly Deposit[], { chains }: Market): UnrecordedWorth => {
    const totals = new Map<ChainId, bigint>()
    for (const { chainId, currency, amount, record } of deposits) {
      if (record !== undefined) continue
      const market = chains.get(chainId)
      const known = currencies.known({ chainId, address: currency })
      const usd = market && known && depositUsd(market, known, amount)
      if (usd === undefined) return 'unpriced'
      totals.set(chainId, (totals.get(chainId) ?? 0n) + usd)
    }
    const isAbove = ([chainId, usd]: readonly [ChainId, bigint]) =>
      usd > (chains.get(chainId)?.chain.depositPolicy.unrecordedLimitUsd ?? 0n)
    return [...totals].some(isAbove) ? 'above' : 'within'
  }
