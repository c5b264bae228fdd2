import type { LegSwap } from '#src/pricing/leg/leg.ts'
import { advance } from '#src/requests/state/advance.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { FailReason } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { createSecondLook } from '#src/solver/blockDebounce.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import { estimateGas } from '#src/solver/sending/estimateGas.ts'
import { type Fees, marketFees } from '#src/solver/sending/fees.ts'
import { type Outbox, sightingOf } from '#src/solver/sending/outbox.ts'
import type { SolverChain, SolverConfig, SolverDeps } from '#src/solver/solverDeps.ts'
import type { SolverRequest } from '#src/solver/solverRequest.ts'
import type { Address } from '#src/units/address.ts'
import type { Allowances } from './allowances.ts'
import { type Candidate, createFillCandidates, originsOf } from './fillCandidates.ts'
import { createFillPlans, type Planned, type Step } from './fillPlans.ts'
import { isAhead, purseOf } from './inventory.ts'
import type { FillPlan } from './planFill.ts'

/** Planned, tried and sent together: the first are on their way before the last are planned. */
const mostAtOnce = 16

type Filling = Candidate & Readonly<{ plan: Extract<FillPlan, { kind: 'fill' }> }>
type Estimated = Filling & Readonly<{ gas: bigint }>

/** Pays out what waits for it on the chain, or says that it is to be refunded. */
export function createFills(
  deps: Omit<SolverDeps, 'account' | 'bus'>,
  solverChain: SolverChain,
  {
    outbox,
    allowances,
    limits,
    mayBring,
  }: Readonly<{
    outbox: Outbox
    allowances: Allowances
    limits: SolverConfig['limits']
    /** Whether settlements will bring so much of a currency; asks for them. */
    mayBring: (currency: Address, amount: bigint) => boolean
  }>,
): (view: ChainView) => Promise<void> {
  const { client, store, log, market, now } = deps
  const { chain, solver } = solverChain
  const { waiting, candidatesOf } = createFillCandidates(deps, solverChain)
  const plan = createFillPlans(deps, solverChain, limits)
  const secondLook = createSecondLook()
  /** What is on its way does to the pools, by transaction; what was sent before a restart is not known. */
  const legs = new Map<string, LegSwap>()

  async function refundLater(
    { request, deposits }: Candidate,
    reason: FailReason,
    lookedAt: bigint,
  ): Promise<void> {
    const { requestId } = request
    const blocks = looks(reason)
    if (blocks > 0n && !secondLook.confirms(requestId, lookedAt, blocks)) return
    const state = advance(request, { type: 'refundDue', reason }, now())
    if (state === request.state) return
    // All of them or none: one of another chain may be undone just now.
    const saved = await store.save({
      requests: [{ ...request, state }],
      deposits: deposits.map((each): Deposit => ({ ...each, status: 'refundable', reason })),
    })
    if (saved === 'conflict') return
    secondLook.forget(requestId)
    log.info({ chainId: chain.id, requestId, reason }, 'A request is not filled')
  }

  /** Tries it on the newest block; undefined where it is not to be sent now. */
  async function estimate(filling: Filling, view: ChainView): Promise<Estimated | undefined> {
    const { plan, request } = filling
    const tried = await estimateGas(client, solver, plan.call)
    const facts = { chainId: chain.id, requestId: request.requestId }
    switch (tried.kind) {
      case 'gas': {
        if (tried.gas <= plan.mostGas) return { ...filling, gas: tried.gas }
        log.info({ ...facts, gas: tried.gas, most: plan.mostGas }, 'A fill would take too much gas')
        await refundLater(filling, 'EXECUTION_REVERTED', view.head.number)
        return undefined
      }
      case 'funds':
        log.warn(facts, 'The solver cannot pay for a fill yet')
        return undefined
      case 'reverts': {
        log.info({ ...facts, reason: tried.reason }, 'A fill would revert')
        if (plan.isErc20) allowances.forget(plan.leg.input)
        const isTooLittle = tried.error === 'TooLittleReceived'
        const reason = isTooLittle ? 'TOO_LITTLE_RECEIVED' : 'EXECUTION_REVERTED'
        await refundLater(filling, reason, view.head.number)
        return undefined
      }
    }
  }

  async function send({ request, deposits, plan, gas, tries }: Estimated, fees: Fees) {
    const transactionId = `fill:${request.requestId}:${tries}`
    const draft = {
      transactionId,
      purpose: 'fill',
      requestId: request.requestId,
      depositIds: deposits.map(({ depositId }) => depositId),
      spends: plan.spends,
      call: plan.call,
      gas,
    } as const
    const saved = await outbox.send(draft, fees, (transaction) => ({
      transactions: [transaction],
      requests: [{ ...request, state: sentState(request, transaction) }],
    }))
    if (saved === 'conflict') return
    legs.set(transactionId, plan.leg)
    secondLook.forget(request.requestId)
  }

  const sentState = (request: SolverRequest, transaction: SolverTransaction) =>
    advance(request, { type: 'fillSent', transaction: sightingOf(transaction) }, now())

  /** What may be sent: currencies are approved first, and what is not to be filled is refunded. */
  async function allowedOf(planned: readonly Planned[], { view, fees, snapshot, purse }: Step) {
    const shown = snapshot.chains.get(chain.id)?.block.number ?? view.head.number
    const allowed: Filling[] = []
    for (const { candidate, plan } of planned) {
      if (plan.kind === 'refund') {
        const { payoutCurrency, payoutAmount } = candidate.request.fill
        const missing = payoutAmount - purse.held(payoutCurrency)
        const isAwaited =
          plan.reason === 'SOLVER_BALANCE_TOO_LOW' && mayBring(payoutCurrency, missing)
        if (!isAwaited) await refundLater(candidate, plan.reason, shown)
      }
      if (plan.kind !== 'fill') continue
      const [spent] = plan.spends
      const isAllowed =
        !plan.isErc20 ||
        spent === undefined ||
        (await allowances.allows(spent.currency, spent.amount, view, fees))
      if (isAllowed) allowed.push({ ...candidate, plan })
    }
    return allowed
  }

  async function fillSome(candidates: readonly Candidate[], step: Step): Promise<void> {
    const allowed = await allowedOf(await plan(candidates, step), step)
    const estimated = await Promise.all(allowed.map((each) => estimate(each, step.view)))
    for (const each of estimated) if (each !== undefined) await send(each, step.fees)
  }

  function stepOf(view: ChainView, requests: readonly SolverRequest[]): Step | undefined {
    const chainIds = [...new Set([...requests.flatMap(originsOf), chain.id])]
    const snapshot = market.snapshot(chainIds)
    const shown = snapshot.chains.get(chain.id)
    if (shown === undefined) return undefined
    const ahead = view.open
      .filter((each) => isAhead(each, shown.block.number))
      .flatMap(({ transactionId }) => legs.get(transactionId) ?? [])
    return { view, snapshot, fees: marketFees(shown.gas), purse: purseOf(shown, view.open), ahead }
  }

  return async (view) => {
    const open = new Set(view.open.map(({ transactionId }) => transactionId))
    for (const name of legs.keys()) if (!open.has(name)) legs.delete(name)
    const requests = await waiting()
    const step = requests.length === 0 ? undefined : stepOf(view, requests)
    if (step === undefined) return
    for (let from = 0; from < requests.length; from += mostAtOnce)
      await fillSome(await candidatesOf(requests.slice(from, from + mostAtOnce)), step)
  }
}

/** Blocks over which it must stay so: none where no block would change it. */
function looks(reason: FailReason): bigint {
  switch (reason) {
    case 'UNKNOWN':
    case 'INCORRECT_DEPOSIT_CURRENCY':
    case 'ORDER_EXPIRED':
      return 0n
    // Gas is dear for a few blocks at times.
    case 'SOLVER_CAPACITY_EXCEEDED':
      return 4n
    // The market that it was planned by may be a block behind the one that it was tried on.
    case 'TOO_LITTLE_RECEIVED':
      return 3n
    default:
      return 1n
  }
}
