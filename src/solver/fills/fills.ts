import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type Address, evmAddress } from '#src/core/units/address.ts'
import { advance } from '#src/requests/machine.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { DepositChecks } from '#src/solver/deposits/depositChecks.ts'
import { createReadyCandidates } from '#src/solver/deposits/readyCandidates.ts'
import type {
  OwnChain,
  Runtime,
  SolverChain,
  SolverLimits,
  SolverMarket,
} from '#src/solver/ports.ts'
import { toApply } from '#src/solver/sending/authorizations.ts'
import type { Fees } from '#src/solver/sending/estimateGas.ts'
import type { IdentityCheck } from '#src/solver/sending/identityCheck.ts'
import { currentAttempt, type Outbox } from '#src/solver/sending/outbox.ts'
import type { VerifiedChains } from '#src/solver/verifiedChains.ts'
import { type Allowances, createAllowances } from './allowances.ts'
import { type Candidate, createFillCandidates } from './fillCandidates.ts'
import type { FillChecks } from './fillChecks.ts'
import { createFillEstimates, type EstimatedFill, type PlannedFill } from './fillEstimates.ts'
import { createFillPlans, type Planned } from './fillPlans.ts'
import { awaitsLiquidity, createFillRounds, type FillRound } from './fillRounds.ts'
import type { FillPlan } from './planFill.ts'
import { createProvableFills, type Provable } from './provableFills.ts'
import { createRefundMarks, debounceBlocks, type RefundMarks } from './refundMarks.ts'
import { createWaitingRequests } from './waitingRequests.ts'

/** Requests per batch. A batch is planned, simulated and sent before the next one is planned. */
const maxBatch = 16

type Ports = Runtime &
  Readonly<{
    client: ChainClient
    store: RequestStore
    market: SolverMarket
    verifiedChains: VerifiedChains
    depositChecks: DepositChecks
    fillChecks: FillChecks
  }>

type Parts = Readonly<{
  outbox: Outbox
  identity: IdentityCheck
  limits: SolverLimits
  /** Whether settlements bring this amount of a currency soon. If so, they start in this round. */
  mayBring: (currency: Address, amount: bigint) => boolean
}>

/** Fills the requests that wait on the chain, or marks their deposits as refundable. */
export function createFills(
  ports: Ports,
  solverChain: SolverChain,
  { outbox, identity, limits, mayBring }: Parts,
): (view: ChainView) => Promise<void> {
  const { client, log, now } = ports
  const { chain } = solverChain
  const readWaiting = createWaitingRequests(ports, solverChain)
  const candidatesOf = createFillCandidates(ports)
  const rounds = createFillRounds(ports, solverChain)
  const marks = createRefundMarks(ports, solverChain)
  const provableOf = createProvableFills(ports, solverChain, limits, marks)
  const selectReady = createReadyCandidates(ports)
  const plan = createFillPlans(ports, solverChain, limits)
  const allowances = createAllowances(ports, solverChain, outbox)
  const allowedOf = createAllowedFills({ allowances, marks, mayBring, now }, solverChain)
  const estimates = createFillEstimates(ports, solverChain, { allowances, identity, marks })

  async function send(estimated: EstimatedFill, fees: Fees): Promise<void> {
    const { request, exposed, plan, gas, tries, reverted, proof } = estimated
    const { requestId } = request
    const transactionId = `fill:${requestId}:${tries}`
    const unsent = {
      transactionId,
      purpose: 'fill',
      requestId,
      depositIds: proof.depositIds,
      proof,
      spends: plan.spends,
      call: plan.call,
      gas,
    } as const
    const saved = await outbox.send(unsent, fees, (transaction) => ({
      transactions: [transaction],
      requests: [{ ...request, state: sentState(estimated, transaction, now()) }],
      ...exposed,
    }))
    if (saved === 'conflict') return
    rounds.add(transactionId, plan.leg)
    marks.forget(requestId)
    const facts = { chainId: chain.id, requestId }
    log.info({ ...facts, transactionId }, 'Fills a request')
    if (reverted === undefined) return
    log.info(
      { ...facts, cost: reverted.cost },
      'The calls of the order reverted; paying the recipient without them',
    )
  }

  async function fillSome(
    candidates: readonly Candidate[],
    round: FillRound,
    mayFill: boolean,
  ): Promise<void> {
    const provable = await provableOf(candidates, round)
    if (!mayFill) return
    // Reads authorizations only for ready candidates: each account takes two RPC requests.
    const ready = await Promise.all(
      (await selectReady(provable, round.snapshot)).map(async (each) => ({
        ...each,
        authorizations: await toApply(client, each),
      })),
    )
    const allowed = await allowedOf(await plan(ready, round), round)
    const estimated = await Promise.all(allowed.map((each) => estimates.estimate(each, round)))
    for (const each of estimated) if (each !== undefined) await send(each, round.fees)
  }

  return async (view) => {
    const mayFill = await identity.check()
    const requests = await readWaiting()
    estimates.keepOnly(new Set(requests.map(({ requestId }) => requestId)))
    const round = await rounds.read(view, requests, estimates.simulatedGas)
    if (round === undefined) return
    for (let from = 0; from < requests.length; from += maxBatch)
      await fillSome(await candidatesOf(requests.slice(from, from + maxBatch)), round, mayFill)
  }
}

const sentState = ({ request, reverted }: Candidate, transaction: SolverTransaction, at: number) =>
  advance(
    request,
    {
      type: 'fillSent',
      transaction: currentAttempt(transaction),
      ...(reverted !== undefined && { skipsCalls: true }),
    },
    at,
  )

type FilterPorts = Readonly<{
  allowances: Allowances
  marks: RefundMarks
  /** Whether settlements bring this amount of a currency soon. If so, they start in this round. */
  mayBring: (currency: Address, amount: bigint) => boolean
  /** Milliseconds since 1970. */
  now: () => number
}>

/** The fills that may be sent. Sends missing approvals, and marks deposits that cannot be filled as refundable. */
function createAllowedFills(
  { allowances, marks, mayBring, now }: FilterPorts,
  { chain }: OwnChain,
): (planned: readonly Planned<Provable>[], round: FillRound) => Promise<readonly PlannedFill[]> {
  async function refund(
    candidate: Provable,
    { reason }: Extract<FillPlan, { kind: 'refund' }>,
    { snapshot, view, inventory }: FillRound,
  ): Promise<void> {
    const { payoutAmount, ...fill } = candidate.request.fill
    const payoutCurrency = evmAddress(fill.payoutCurrency)
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
        (await allowances.covers(evmAddress(spent.currency), spent.amount, round.view, round.fees))
      if (isAllowed) allowed.push({ ...candidate, plan })
    }
    return allowed
  }
}
