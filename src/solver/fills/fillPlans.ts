import { setImmediate } from 'node:timers/promises'
import type { LegSwap } from '#src/pricing/leg/leg.ts'
import { marketAfterSwaps } from '#src/pricing/leg/marketAfterSwaps.ts'
import type { Market } from '#src/pricing/market.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { Fees } from '#src/solver/sending/fees.ts'
import type { SolverChain, SolverConfig, SolverDeps } from '#src/solver/solverDeps.ts'
import type { Address } from '#src/units/address.ts'
import type { Candidate } from './fillCandidates.ts'
import type { ReservableInventory } from './inventory.ts'
import { type FillPlan, planFill } from './planFill.ts'

/** Reverted fills after which a request is refunded. */
const maxReverts = 3

export type Planned = Readonly<{ candidate: Candidate; plan: FillPlan }>

/** The inputs of one round of fills. */
export type FillRound = Readonly<{
  view: ChainView
  snapshot: Market
  fees: Fees
  inventory: ReservableInventory
  /** Swaps of pending fills, by nonce. Fills of this round are appended. */
  pendingLegs: LegSwap[]
}>

/** Plans fills one after the other, each on the market and inventory that the fills before it leave. */
export function createFillPlans(
  { log, market, now }: Pick<SolverDeps, 'log' | 'market' | 'now'>,
  { chain, contracts, solver }: SolverChain,
  limits: SolverConfig['limits'],
): (candidates: readonly Candidate[], round: FillRound) => Promise<readonly Planned[]> {
  function currencyOf(address: Address) {
    const known = market.currencies.known({ chainId: chain.id, address })
    if (known !== undefined) return known
    const native = market.latest(chain.id)?.chain.native
    if (native === undefined) throw new Error(`No market of chain ${chain.id}`)
    // The market knows the currencies of all pools: this one is in none, so that its decimals do not matter.
    return { ...native, address }
  }

  /** An unexpected error of one plan does not stop the others. */
  function tryPlan(
    candidate: Candidate,
    current: Market,
    inventory: ReservableInventory,
  ): FillPlan | undefined {
    try {
      return planOf(candidate, current, inventory)
    } catch (error) {
      const { requestId } = candidate.request
      log.error({ chainId: chain.id, requestId, err: error }, 'Cannot plan the fill of a request')
      return undefined
    }
  }

  function planOf(
    { request, deposits, reverts }: Candidate,
    current: Market,
    inventory: ReservableInventory,
  ): FillPlan {
    if (reverts >= maxReverts) return { kind: 'refund', reason: 'EXECUTION_REVERTED' }
    return planFill({
      request,
      deposits,
      market: current,
      currencyOf,
      contracts,
      solver,
      inventory,
      limits,
      now: Math.floor(now() / 1000),
    })
  }

  return async (candidates, { snapshot, inventory, pendingLegs }) => {
    let current = marketAfterSwaps(snapshot, chain.id, pendingLegs)
    const planned: Planned[] = []
    for (const candidate of candidates) {
      const plan = tryPlan(candidate, current, inventory)
      if (plan === undefined) continue
      planned.push({ candidate, plan })
      if (plan.kind === 'fill') {
        inventory.reserve(plan.spends)
        pendingLegs.push(plan.leg)
        current = marketAfterSwaps(current, chain.id, [plan.leg])
      }
      // Finding a route takes time: yields to other work in between.
      await setImmediate()
    }
    return planned
  }
}
