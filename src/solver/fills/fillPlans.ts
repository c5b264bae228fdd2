import { setImmediate } from 'node:timers/promises'
import { marketAfterSwaps } from '#src/core/pricing/leg/swapSequence.ts'
import type { Market } from '#src/core/pricing/market.ts'
import type { Account } from '#src/core/units/address.ts'
import type { OwnChain, Runtime, SolverLimits, SolverMarket } from '#src/solver/ports.ts'
import type { Candidate } from './fillCandidates.ts'
import type { FillRound } from './fillRounds.ts'
import { type FillPlan, planFill } from './planFill.ts'

/** A request is refunded after this many fills that had no effect. */
const maxTries = 3

const refundReverted: FillPlan = { kind: 'refund', reason: 'EXECUTION_REVERTED' }

export type Planned<Given extends Candidate = Candidate> = Readonly<{
  candidate: Given
  plan: FillPlan
}>

type Ports = Runtime & Readonly<{ market: SolverMarket }>

/** What planning needs of a round. */
type PlanRound = Pick<FillRound, 'snapshot' | 'inventory' | 'pendingLegs' | 'simulatedGas'>

/** Plans fills one after the other, each on the market and inventory after the fills before it. */
export function createFillPlans(
  { log, market, now }: Ports,
  { chain }: OwnChain,
  limits: SolverLimits,
): <Given extends Candidate>(
  candidates: readonly Given[],
  round: PlanRound,
) => Promise<readonly Planned<Given>[]> {
  function currencyOf(address: Account) {
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
    { request, deposits, tries, reverted, authorizations, hasTokenAccount }: Candidate,
    current: Market,
    { inventory, simulatedGas }: PlanRound,
  ): FillPlan {
    // A contract can detect a simulation and revert only in a block. It can cost the solver the gas of one fill only.
    if (reverted?.maySkipCalls === false) return refundReverted
    if (authorizations === 'stale') return { kind: 'refund', reason: 'INVALID_NONCE' }
    // The recipient could close its account after each quote, and earn the rent of a new one.
    if (request.fill.hasTokenAccount && hasTokenAccount === false)
      return { kind: 'refund', reason: 'SOLVER_CAPACITY_EXCEEDED' }
    if (tries >= maxTries) return { kind: 'refund', reason: 'SOLVER_CAPACITY_EXCEEDED' }
    const plan = planFill({
      request,
      deposits,
      market: current,
      currencyOf,
      inventory,
      limits,
      simulatedGas: simulatedGas.get(request.requestId),
      revertedWei: reverted?.cost,
      authorizationList: authorizations,
      hasTokenAccount,
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
