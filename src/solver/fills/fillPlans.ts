import { setImmediate } from 'node:timers/promises'
import type { LegSwap } from '#src/pricing/leg/leg.ts'
import { marketAhead } from '#src/pricing/leg/marketAfterSwaps.ts'
import type { Market } from '#src/pricing/market.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { Fees } from '#src/solver/sending/fees.ts'
import type { SolverChain, SolverConfig, SolverDeps } from '#src/solver/solverDeps.ts'
import type { Address } from '#src/units/address.ts'
import type { Candidate } from './fillCandidates.ts'
import type { Purse } from './inventory.ts'
import { type FillPlan, planFill } from './planFill.ts'

/** Of one request's payment that reverted on the chain each time. */
const mostTries = 3

export type Planned = Readonly<{ candidate: Candidate; plan: FillPlan }>

/** What one look at the chain goes by. */
export type Step = Readonly<{
  view: ChainView
  snapshot: Market
  fees: Fees
  purse: Purse
  /** Of fills on their way, in the order of their nonces; those of this step join. */
  ahead: LegSwap[]
}>

/** Plans fills one after the other, each on the market and with the money that those before it leave. */
export function createFillPlans(
  { log, market, now }: Pick<SolverDeps, 'log' | 'market' | 'now'>,
  { chain, contracts, solver }: SolverChain,
  limits: SolverConfig['limits'],
): (candidates: readonly Candidate[], step: Step) => Promise<readonly Planned[]> {
  function currencyOf(address: Address) {
    const known = market.currencies.known({ chainId: chain.id, address })
    if (known !== undefined) return known
    const native = market.latest(chain.id)?.chain.native
    if (native === undefined) throw new Error(`No market of chain ${chain.id}`)
    // In no pool, as the market knows those of all pools: nothing is swapped for it, and no decimals count.
    return { ...native, address }
  }

  /** What fails by a defect fails alone. */
  function tryPlan(candidate: Candidate, seen: Market, purse: Purse): FillPlan | undefined {
    try {
      return planOf(candidate, seen, purse)
    } catch (error) {
      const { requestId } = candidate.request
      log.error({ chainId: chain.id, requestId, err: error }, 'A request cannot be planned')
      return undefined
    }
  }

  function planOf({ request, deposits, tries }: Candidate, seen: Market, purse: Purse): FillPlan {
    if (tries >= mostTries) return { kind: 'refund', reason: 'EXECUTION_REVERTED' }
    return planFill({
      request,
      deposits,
      market: seen,
      currencyOf,
      contracts,
      solver,
      holdings: purse,
      limits,
      now: Math.floor(now() / 1000),
    })
  }

  return async (candidates, { snapshot, purse, ahead }) => {
    let current = marketAhead(snapshot, chain.id, ahead)
    const planned: Planned[] = []
    for (const candidate of candidates) {
      const plan = tryPlan(candidate, current, purse)
      if (plan === undefined) continue
      planned.push({ candidate, plan })
      if (plan.kind === 'fill') {
        purse.reserve(plan.spends)
        ahead.push(plan.leg)
        current = marketAhead(current, chain.id, [plan.leg])
      }
      // A route takes a while to find: others get their turn between two.
      await setImmediate()
    }
    return planned
  }
}
