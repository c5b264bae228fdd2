import type { Account } from '#src/core/units/address.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { WorkView } from '#src/solver/chainView.ts'
import type { DepositChecks } from '#src/solver/deposits/depositChecks.ts'
import { createReadyCandidates, type Exposed } from '#src/solver/deposits/readyCandidates.ts'
import type { OwnChain, Runtime, SolverLimits, SolverMarket } from '#src/solver/ports.ts'
import type { VerifiedChains } from '#src/solver/verifiedChains.ts'
import { type Candidate, createFillCandidates, type RevertsOf } from './fillCandidates.ts'
import { createFillPlans } from './fillPlans.ts'
import { awaitsLiquidity, type FillRound, type FillRounds } from './fillRounds.ts'
import type { FillPlan } from './planFill.ts'
import { createProvableFills, type Provable } from './provableFills.ts'
import { debounceBlocks, type RefundMarks } from './refundMarks.ts'
import { createWaitingRequests } from './waitingRequests.ts'

/** Requests per batch. A batch is planned, simulated and sent before the next one is planned. */
const maxBatch = 16

/** A request whose deposits can be settled, and are deep enough. */
type ReadyFill = Provable & Readonly<{ exposed: Exposed }>

export type PlannedFill = ReadyFill & Readonly<{ plan: Extract<FillPlan, { kind: 'fill' }> }>

/** What filling depends on the chain's virtual machine for. */
type FillMachine<View extends WorkView> = Readonly<{
  mayFill: () => Promise<boolean>
  revertsOf: RevertsOf
  /** Adds what a plan needs to know of the chain. */
  prepare: (ready: readonly ReadyFill[]) => Promise<readonly ReadyFill[]>
  /** Sends the fills that would succeed, and marks the deposits of the others as refundable. */
  send: (fills: readonly PlannedFill[], round: FillRound<View>) => Promise<void>
  /** Simulated gas of fills that use more than their quotes estimate, by request. */
  simulatedGas: ReadonlyMap<string, bigint>
  /** Discards what is known about all other requests. */
  keepOnly: (requestIds: ReadonlySet<string>) => void
}>

type Ports = Runtime &
  Readonly<{
    store: RequestStore
    market: SolverMarket
    verifiedChains: VerifiedChains
    depositChecks: DepositChecks
  }>

type Parts<View extends WorkView> = Readonly<{
  machine: FillMachine<View>
  rounds: FillRounds
  marks: RefundMarks
  limits: SolverLimits
  /** Whether settlements bring this amount of a currency soon. If so, they start in this round. */
  mayBring: (currency: Account, amount: bigint) => boolean
}>

/** Fills the requests that wait on a chain of any virtual machine, or marks their deposits as refundable. */
export function createFillLoop<View extends WorkView>(
  ports: Ports,
  own: OwnChain,
  { machine, rounds, marks, limits, mayBring }: Parts<View>,
): (view: View) => Promise<void> {
  const readWaiting = createWaitingRequests(ports, own)
  const candidatesOf = createFillCandidates(ports, machine.revertsOf)
  const { withoutFault, provableOf } = createProvableFills(ports, own, limits, marks)
  const selectReady = createReadyCandidates(ports)
  const plan = createFillPlans(ports, own, limits)

  async function refund(
    candidate: Provable,
    { reason }: Extract<FillPlan, { kind: 'refund' }>,
    { snapshot, view, inventory }: FillRound<View>,
  ): Promise<void> {
    const { payoutAmount, payoutCurrency } = candidate.request.fill
    const missing = payoutAmount - inventory.held(payoutCurrency)
    const isWaiting =
      reason === 'SOLVER_BALANCE_TOO_LOW' &&
      (mayBring(payoutCurrency, missing) ||
        awaitsLiquidity(candidate.request, candidate.deposits, Math.floor(ports.now() / 1000)))
    if (isWaiting) return
    // Here only expensive gas gives this reason, and gas is sometimes expensive for a few blocks.
    const isLate = reason === 'ORDER_EXPIRED'
    const blocks = debounceBlocks(isLate ? 'SOLVER_CAPACITY_EXCEEDED' : reason)
    const height = snapshot.chains.get(own.chain.id)?.block.number ?? view.head.number
    await marks.mark(candidate, reason, height, blocks)
  }

  async function fillSome(
    candidates: readonly Candidate[],
    round: FillRound<View>,
    mayFill: boolean,
  ): Promise<void> {
    const provable = await provableOf(candidates, round)
    if (!mayFill) return
    const ready = await machine.prepare(await selectReady(provable, round.snapshot))
    const fills: PlannedFill[] = []
    for (const { candidate, plan: planned } of await plan(ready, round)) {
      if (planned.kind === 'refund') await refund(candidate, planned, round)
      if (planned.kind === 'fill') fills.push({ ...candidate, plan: planned })
    }
    await machine.send(fills, round)
  }

  return async (view) => {
    const mayFill = await machine.mayFill()
    const { fillable, overdue } = await readWaiting()
    // An origin chain that is silent must not hold back the refunds of deposits on others.
    await withoutFault(await candidatesOf(overdue), view.head.number)
    machine.keepOnly(new Set(fillable.map(({ requestId }) => requestId)))
    const round = await rounds.read(view, fillable, machine.simulatedGas)
    if (round === undefined) return
    for (let from = 0; from < fillable.length; from += maxBatch)
      await fillSome(await candidatesOf(fillable.slice(from, from + maxBatch)), round, mayFill)
  }
}
