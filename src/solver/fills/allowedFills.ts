import type { Address } from '#src/core/units/address.ts'
import type { OwnChain } from '#src/solver/ports.ts'
import type { Allowances } from './allowances.ts'
import type { PlannedFill } from './fillEstimates.ts'
import type { Planned } from './fillPlans.ts'
import type { FillRound } from './fillRounds.ts'
import { awaitsLiquidity } from './inventory.ts'
import type { FillPlan } from './planFill.ts'
import type { Provable } from './provableFills.ts'
import { debounceBlocks, type RefundMarks } from './refundMarks.ts'

type Ports = Readonly<{
  allowances: Allowances
  marks: RefundMarks
  /** Whether settlements bring this amount of a currency soon. If so, they start in this round. */
  mayBring: (currency: Address, amount: bigint) => boolean
  /** Milliseconds since 1970. */
  now: () => number
}>

/** The fills that may be sent. Sends missing approvals, and marks deposits that cannot be filled as refundable. */
export function createAllowedFills(
  { allowances, marks, mayBring, now }: Ports,
  { chain }: OwnChain,
): (planned: readonly Planned<Provable>[], round: FillRound) => Promise<readonly PlannedFill[]> {
  async function refund(
    candidate: Provable,
    { reason }: Extract<FillPlan, { kind: 'refund' }>,
    { snapshot, view, inventory }: FillRound,
  ): Promise<void> {
    const { payoutCurrency, payoutAmount } = candidate.request.fill
    const missing = payoutAmount - inventory.held(payoutCurrency)
    const isWaiting =
      reason === 'SOLVER_BALANCE_TOO_LOW' &&
      (mayBring(payoutCurrency, missing) ||
        awaitsLiquidity(candidate.request, candidate.deposits, Math.floor(now() / 1000)))
    if (isWaiting) return
    // Here only expensive gas gives this reason, and gas is sometimes expensive for a few blocks.
    const isLate = reason === 'ORDER_EXPIRED'
    const blocks = debounceBlocks(isLate ? 'SOLVER_CAPACITY_EXCEEDED' : reason)
    const height = snapshot.chains.get(chain.id)?.block.number ?? view.head.number
    await marks.mark(candidate, reason, height, blocks)
  }

  return async (planned, round) => {
    const allowed: PlannedFill[] = []
    for (const { candidate, plan } of planned) {
      if (plan.kind === 'refund') await refund(candidate, plan, round)
      if (plan.kind !== 'fill') continue
      const [spent] = plan.spends
      const isAllowed =
        !plan.isErc20 ||
        spent === undefined ||
        (await allowances.covers(spent.currency, spent.amount, round.view, round.fees))
      if (isAllowed) allowed.push({ ...candidate, plan })
    }
    return allowed
  }
}
