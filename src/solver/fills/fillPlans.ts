import { setImmediate } from 'node:timers/promises'
import type { LegSwap } from '#src/core/pricing/leg/leg.ts'
import { marketAfterSwaps } from '#src/core/pricing/leg/marketAfterSwaps.ts'
import type { Market, SettlementState } from '#src/core/pricing/market.ts'
import type { Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { Fees } from '#src/solver/sending/fees.ts'
import type { SolverChain, SolverConfig, SolverDeps } from '#src/solver/solverDeps.ts'
import type { Candidate } from './fillCandidates.ts'
import type { ReservableInventory } from './inventory.ts'
import { type FillPlan, planFill } from './planFill.ts'
import type { Taken } from './settlementProof.ts'

/** A request is refunded after this many fills that had no effect. */
const maxTries = 3

/** Seconds after the newest block until which a fill may run. The contract refuses it later. */
const fillSeconds = 600n

const refundReverted: FillPlan = { kind: 'refund', reason: 'EXECUTION_REVERTED' }

export type Planned<Given extends Candidate = Candidate> = Readonly<{
  candidate: Given
  plan: FillPlan
}>

/** The inputs of one round of fills. */
export type FillRound = Readonly<{
  view: ChainView
  snapshot: Market
  fees: Fees
  inventory: ReservableInventory
  /** Swaps of pending fills, by nonce. Fills of this round are appended. */
  pendingLegs: LegSwap[]
  /** Simulated gas of fills that use more than their quotes estimate, by request. */
  simulatedGas: ReadonlyMap<string, bigint>
  /** What the depository of each origin chain can pay to the solver. */
  settlements: ReadonlyMap<ChainId, SettlementState>
  /** Amounts of deposits whose settlement was proven in this round. */
  taken: Taken
}>

type PlanRound = Omit<FillRound, 'fees' | 'settlements' | 'taken'>

/** Plans fills one after the other, each on the market and inventory after the fills before it. */
export function createFillPlans(
  { log, market, now }: Pick<SolverDeps, 'log' | 'market' | 'now'>,
  { chain, contracts, solver, identity }: SolverChain,
  limits: SolverConfig['limits'],
): <Given extends Candidate>(
  candidates: readonly Given[],
  round: PlanRound,
) => Promise<readonly Planned<Given>[]> {
  function currencyOf(address: Address) {
    const known = market.currencies.known({ chainId: chain.id, address })
    if (known !== undefined) return known
    const native = market.latest(chain.id)?.chain.native
    if (native === undefined) throw new Error(`No market of chain ${chain.id}`)
    // The market knows the currencies of all pools. This one is in no pool, so its decimals do not matter.
    return { ...native, address }
  }

  /** An unexpected error of one plan does not stop the others. */
  function tryPlan(candidate: Candidate, current: Market, round: PlanRound): FillPlan | undefined {
    try {
      return planOf(candidate, current, round)
    } catch (error) {
      const { requestId } = candidate.request
      log.error({ chainId: chain.id, requestId, err: error }, 'Cannot plan the fill of a request')
      return undefined
    }
  }

  function planOf(
    { request, deposits, tries, reverted, authorizations }: Candidate,
    current: Market,
    { view: { head }, inventory, simulatedGas }: PlanRound,
  ): FillPlan {
    // A contract can detect a simulation and revert only in a block. It can cost the solver the gas of one fill only.
    if (reverted?.maySkipCalls === false) return refundReverted
    if (authorizations === 'stale') return { kind: 'refund', reason: 'INVALID_NONCE' }
    if (tries >= maxTries) return { kind: 'refund', reason: 'SOLVER_CAPACITY_EXCEEDED' }
    const plan = planFill({
      request,
      deposits,
      market: current,
      currencyOf,
      contracts,
      solver,
      identity,
      fillDeadline: head.timestamp + fillSeconds,
      inventory,
      limits,
      simulatedGas: simulatedGas.get(request.requestId),
      revertedWei: reverted?.cost,
      authorizationList: authorizations,
      now: Math.floor(now() / 1000),
    })
    const isStopped = plan.kind === 'refund' && plan.reason !== 'SOLVER_BALANCE_TOO_LOW'
    return isStopped && reverted !== undefined ? refundReverted : plan
  }

  return async <Given extends Candidate>(candidates: readonly Given[], round: PlanRound) => {
    const { snapshot, inventory, pendingLegs } = round
    let current = marketAfterSwaps(snapshot, chain.id, pendingLegs)
    const planned: Planned<Given>[] = []
    for (const candidate of candidates) {
      const plan = tryPlan(candidate, current, round)
      if (plan === undefined) continue
      planned.push({ candidate, plan })
      if (plan.kind === 'fill') {
        inventory.reserve(plan.spends)
        pendingLegs.push(plan.leg)
        current = marketAfterSwaps(current, chain.id, [plan.leg])
      }
      // Route search is slow: lets other work run in between.
      await setImmediate()
    }
    return planned
  }
}
