import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type Account, evmAddress } from '#src/core/units/address.ts'
import { isNative } from '#src/core/units/currency.ts'
import { advance } from '#src/requests/machine.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { DepositChecks } from '#src/solver/deposits/depositChecks.ts'
import type { Runtime, SolverChain, SolverLimits, SolverMarket } from '#src/solver/ports.ts'
import { toApply } from '#src/solver/sending/authorizations.ts'
import { type Fees, marketFees } from '#src/solver/sending/estimateGas.ts'
import type { IdentityCheck } from '#src/solver/sending/identityCheck.ts'
import { currentAttempt, type Outbox } from '#src/solver/sending/outbox.ts'
import type { VerifiedChains } from '#src/solver/verifiedChains.ts'
import { createAllowances } from './allowances.ts'
import { type Candidate, revertedFillOf } from './fillCandidates.ts'
import type { FillChecks } from './fillChecks.ts'
import {
  type CalledFill,
  type CallRound,
  createFillEstimates,
  type EstimatedFill,
} from './fillEstimates.ts'
import { createFillLoop, type PlannedFill } from './fillLoop.ts'
import { createFillRounds, type FillRound } from './fillRounds.ts'
import { fillTransaction } from './fillTransaction.ts'
import { createRefundMarks } from './refundMarks.ts'

/** Seconds after the newest block until which a fill may run. The contract refuses it later. */
const fillSeconds = 600n

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
  mayBring: (currency: Account, amount: bigint) => boolean
}>

/** Fills the requests that wait on the chain, or marks their deposits as refundable. */
export function createFills(
  ports: Ports,
  solverChain: SolverChain,
  { outbox, identity, limits, mayBring }: Parts,
): (view: ChainView) => Promise<void> {
  const { client, log, now } = ports
  const { chain } = solverChain
  const rounds = createFillRounds(ports, solverChain)
  const marks = createRefundMarks(ports, solverChain)
  const allowances = createAllowances(ports, solverChain, outbox)
  const estimates = createFillEstimates(ports, solverChain, { allowances, identity, marks })

  const isAllowed = async ({ leg, spends }: PlannedFill['plan'], { view, fees }: CallRound) => {
    const [spent] = spends
    if (isNative(leg.input) || spent === undefined) return true
    return allowances.covers(evmAddress(spent.currency), spent.amount, view, fees)
  }

  function withCall(fill: PlannedFill, { view: { head } }: CallRound): CalledFill {
    const { request, reverted, authorizations, plan } = fill
    if (authorizations === 'stale') throw new Error('No such fill is planned')
    const gasCase = { request, revertedWei: reverted?.cost, authorizationList: authorizations }
    const deadline = head.timestamp + fillSeconds
    const sender = { ...solverChain, wrappedNative: chain.wrappedNative, deadline }
    return { ...fill, plan: { ...plan, call: fillTransaction(plan, gasCase, sender) } }
  }

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

  async function sendAll(
    fills: readonly PlannedFill[],
    found: FillRound<ChainView>,
  ): Promise<void> {
    const round: CallRound = { ...found, fees: marketFees(found.gas) }
    const allowed: PlannedFill[] = []
    for (const fill of fills) if (await isAllowed(fill.plan, round)) allowed.push(fill)
    const estimated = await Promise.all(
      allowed.map((each) => estimates.estimate(withCall(each, round), round)),
    )
    for (const each of estimated) if (each !== undefined) await send(each, round.fees)
  }

  return createFillLoop<ChainView>(ports, solverChain, {
    machine: {
      mayFill: identity.check,
      revertsOf: (request, fills) => revertedFillOf(client, request, fills),
      // Only for ready candidates: each account takes two RPC requests.
      prepare: (ready) =>
        Promise.all(
          ready.map(async (each) => ({ ...each, authorizations: await toApply(client, each) })),
        ),
      send: sendAll,
      simulatedGas: estimates.simulatedGas,
      keepOnly: estimates.keepOnly,
    },
    rounds,
    marks,
    limits,
    mayBring,
  })
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
