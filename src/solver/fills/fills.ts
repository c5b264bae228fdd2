import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Address } from '#src/core/units/address.ts'
import { advance } from '#src/requests/machine.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { DepositChecks } from '#src/solver/deposits/depositChecks.ts'
import { createReadyCandidates } from '#src/solver/deposits/readyCandidates.ts'
import type { Runtime, SolverChain, SolverLimits, SolverMarket } from '#src/solver/ports.ts'
import { toApply } from '#src/solver/sending/authorizations.ts'
import type { Fees } from '#src/solver/sending/fees.ts'
import type { IdentityCheck } from '#src/solver/sending/identityCheck.ts'
import { currentAttempt, type Outbox } from '#src/solver/sending/outbox.ts'
import type { VerifiedChains } from '#src/solver/verifiedChains.ts'
import { createAllowances } from './allowances.ts'
import { createAllowedFills } from './allowedFills.ts'
import { type Candidate, createFillCandidates } from './fillCandidates.ts'
import type { FillChecks } from './fillChecks.ts'
import { createFillEstimates, type EstimatedFill } from './fillEstimates.ts'
import { createFillPlans } from './fillPlans.ts'
import { createFillRounds, type FillRound } from './fillRounds.ts'
import { createProvableFills } from './provableFills.ts'
import { createRefundMarks } from './refundMarks.ts'
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
      'Pays a recipient without the calls of the order, as they reverted',
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
