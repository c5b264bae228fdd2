import type { LegSwap } from '#src/core/pricing/leg/leg.ts'
import type { Market, SettlementState } from '#src/core/pricing/market.ts'
import type { Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { advance } from '#src/requests/state/advance.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { FailReason } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { createBlockDebounce } from '#src/solver/blockDebounce.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import { createReadyCandidates } from '#src/solver/deposits/readyCandidates.ts'
import { createUnrecordedLimit } from '#src/solver/deposits/unrecordedLimit.ts'
import { toApply } from '#src/solver/sending/authorizations.ts'
import { type Fees, marketFees } from '#src/solver/sending/fees.ts'
import type { IdentityCheck } from '#src/solver/sending/identityCheck.ts'
import { currentAttempt, type Outbox } from '#src/solver/sending/outbox.ts'
import { simulateFill } from '#src/solver/sending/simulateFill.ts'
import type { SolverChain, SolverConfig, SolverDeps } from '#src/solver/solverDeps.ts'
import type { Allowances } from './allowances.ts'
import { depositFault } from './depositFault.ts'
import { type Candidate, createFillCandidates, originChainIdsOf } from './fillCandidates.ts'
import { usesMoreGas } from './fillGas.ts'
import { createFillPlans, type FillRound, type Planned } from './fillPlans.ts'
import { awaitsLiquidity, createInventory, isPendingFill } from './inventory.ts'
import type { FillPlan } from './planFill.ts'
import { proveSettlement, type SettlementProof } from './settlementProof.ts'

/** Requests per batch. A batch is planned, simulated and sent before the next one is planned. */
const maxBatch = 16

/**
 * Errors of the approval proxy that do not lead to a refund: the store has lost the fill of the order, the account is
 * not a key of the identity, or the node's clock is far ahead.
 */
const refusals: ReadonlySet<string> = new Set(['AlreadyFilled', 'NotAKey', 'FillExpired'])

/** A candidate whose deposits can be settled. */
type Provable = Candidate & Readonly<{ proof: SettlementProof }>
type Filling = Provable & Readonly<{ plan: Extract<FillPlan, { kind: 'fill' }> }>
type Estimated = Filling & Readonly<{ gas: bigint }>

/** Fills the requests that wait on the chain, or marks their deposits as refundable. */
export function createFills(
  deps: Omit<SolverDeps, 'account' | 'bus'>,
  solverChain: SolverChain,
  {
    outbox,
    allowances,
    identity,
    limits,
    mayBring,
  }: Readonly<{
    outbox: Outbox
    allowances: Allowances
    identity: Pick<IdentityCheck, 'check' | 'recheck'>
    limits: SolverConfig['limits']
    /** Whether settlements bring this amount of a currency soon. If so, they start in this round. */
    mayBring: (currency: Address, amount: bigint) => boolean
  }>,
): (view: ChainView) => Promise<void> {
  const { client, store, log, market, now, fillChecks } = deps
  const { chain, solver } = solverChain
  const { waiting, candidatesOf } = createFillCandidates(deps, solverChain)
  const selectReady = createReadyCandidates(deps)
  const unrecordedWorth = createUnrecordedLimit(market)
  const plan = createFillPlans(deps, solverChain, limits)
  const debounce = createBlockDebounce()
  /** Swaps of pending fills, by transaction. Unknown for fills that were sent before a restart. */
  const legs = new Map<string, LegSwap>()
  /** Simulated gas of fills that use more than their quotes estimate, by request. The next round charges it. */
  const simulatedGas = new Map<string, bigint>()

  async function markRefundable(
    { request, deposits }: Candidate,
    reason: FailReason,
    height: bigint,
    blocks = debounceBlocks(reason),
  ): Promise<void> {
    const { requestId } = request
    if (blocks > 0n && !debounce.hasLasted(requestId, height, blocks)) return
    const state = advance(request, { type: 'refundDue', reason }, now())
    if (state === request.state) return
    // One save for all deposits: a reorg may undo a deposit on another chain at the same time.
    const saved = await store.save({
      requests: [{ ...request, state }],
      deposits: deposits.map((each): Deposit => ({ ...each, status: 'refundable', reason })),
    })
    if (saved === 'conflict') return
    debounce.forget(requestId)
    log.info({ chainId: chain.id, requestId, reason }, 'A request is refunded instead of filled')
  }

  /** Refunds need no depth: the depository pays back no deposit that it does not hold. Returns the other candidates. */
  async function refundFaulty(
    candidates: readonly Candidate[],
    height: bigint,
  ): Promise<readonly Candidate[]> {
    const faultless: Candidate[] = []
    for (const each of candidates) {
      const seconds = Math.floor(now() / 1000)
      const fault = depositFault(each.request, each.deposits, { ...limits, now: seconds })
      if (fault === undefined) faultless.push(each)
      else await markRefundable(each, fault, height)
    }
    return faultless
  }

  /** Refunds requests whose plain transfers are worth too much. Returns the others that have a price. */
  async function refundUnrecorded(
    candidates: readonly Candidate[],
    { snapshot, view }: FillRound,
  ): Promise<readonly Candidate[]> {
    const rated = candidates.map((each) => {
      return { each, worth: unrecordedWorth(each.deposits, snapshot) }
    })
    for (const { each, worth } of rated)
      if (worth === 'above')
        await markRefundable(each, 'SOLVER_CAPACITY_EXCEEDED', view.head.number)
    return rated.filter(({ worth }) => worth === 'within').map(({ each }) => each)
  }

  /** The candidates whose deposits can be settled. Others wait, or are refunded. */
  async function provableOf(
    candidates: readonly Candidate[],
    { view, settlements, taken }: FillRound,
  ): Promise<readonly Provable[]> {
    const provable: Provable[] = []
    for (const each of candidates) {
      const verdict = proveSettlement(each, each.deposits, settlements, { payee: solver, taken })
      const facts = { chainId: chain.id, requestId: each.request.requestId }
      switch (verdict.kind) {
        case 'proven':
          provable.push({ ...each, proof: verdict.proof })
          break
        case 'wait':
          log.debug({ ...facts, cause: verdict.cause }, 'A fill waits until it can be settled')
          break
        case 'refund':
          log.debug({ ...facts, ...verdict }, 'The deposits of a request cannot be settled')
          await markRefundable(each, verdict.reason, view.head.number)
      }
    }
    return provable
  }

  /** Simulates a fill on the newest block. Undefined if it is not sent now. */
  async function estimate(
    filling: Filling,
    { view, fees }: FillRound,
  ): Promise<Estimated | undefined> {
    const { plan, request } = filling
    const estimated = await simulateFill(deps, solver, filling, fees)
    if (estimated === undefined) return undefined
    const facts = { chainId: chain.id, requestId: request.requestId }
    switch (estimated.kind) {
      case 'gas': {
        const { gas, simulated } = estimated
        if (gas > plan.maxGas) {
          log.info({ ...facts, gas, max: plan.maxGas }, 'A fill would use too much gas')
          await markRefundable(filling, 'EXECUTION_REVERTED', view.head.number)
          return undefined
        }
        if (!usesMoreGas(simulated, plan.gas)) return { ...filling, gas }
        log.info(
          { ...facts, simulated, charged: plan.gas },
          'Plans a fill again that uses more gas',
        )
        simulatedGas.set(request.requestId, simulated)
        return undefined
      }
      case 'insufficientFunds':
        log.warn(facts, 'The solver cannot pay the gas of a fill yet')
        return undefined
      case 'reverts': {
        log.info({ ...facts, reason: estimated.reason }, 'A fill would revert')
        if (plan.isErc20) allowances.forget(plan.leg.input)
        if (estimated.error !== undefined && refusals.has(estimated.error)) {
          if (estimated.error === 'AlreadyFilled') await fillChecks.restore(request)
          if (estimated.error === 'NotAKey') identity.recheck()
          const refused = { ...facts, identity: solverChain.identity, error: estimated.error }
          log.error(refused, 'The approval proxy refuses a fill: it is neither filled nor refunded')
          return undefined
        }
        const isTooLittle = estimated.error === 'TooLittleReceived'
        const reason = isTooLittle ? 'TOO_LITTLE_RECEIVED' : 'EXECUTION_REVERTED'
        await markRefundable(filling, reason, view.head.number)
        return undefined
      }
    }
  }

  async function send(estimated: Estimated, fees: Fees) {
    const { request, exposed, plan, gas, tries, reverted, proof } = estimated
    const transactionId = `fill:${request.requestId}:${tries}`
    const unsent = {
      transactionId,
      purpose: 'fill',
      requestId: request.requestId,
      depositIds: proof.depositIds,
      proof,
      spends: plan.spends,
      call: plan.call,
      gas,
    } as const
    const saved = await outbox.send(unsent, fees, (transaction) => ({
      transactions: [transaction],
      requests: [{ ...request, state: sentState(estimated, transaction) }],
      ...exposed,
    }))
    if (saved === 'conflict') return
    legs.set(transactionId, plan.leg)
    debounce.forget(request.requestId)
    const facts = { chainId: chain.id, requestId: request.requestId }
    log.info({ ...facts, transactionId }, 'Fills a request')
    if (reverted === undefined) return
    log.info(
      { ...facts, cost: reverted.cost },
      'Pays a recipient without the calls of the order, as they reverted',
    )
  }

  const sentState = ({ request, reverted }: Candidate, transaction: SolverTransaction) =>
    advance(
      request,
      {
        type: 'fillSent',
        transaction: currentAttempt(transaction),
        ...(reverted !== undefined && { skipsCalls: true }),
      },
      now(),
    )

  /** The fills that may be sent. Sends missing approvals, and marks deposits that cannot be filled as refundable. */
  async function allowedOf(planned: readonly Planned<Provable>[], round: FillRound) {
    const { view, fees, snapshot, inventory } = round
    const marketHeight = snapshot.chains.get(chain.id)?.block.number ?? view.head.number
    const allowed: Filling[] = []
    for (const { candidate, plan } of planned) {
      if (plan.kind === 'refund') {
        const { payoutCurrency, payoutAmount } = candidate.request.fill
        const missing = payoutAmount - inventory.held(payoutCurrency)
        const isWaiting =
          plan.reason === 'SOLVER_BALANCE_TOO_LOW' &&
          (mayBring(payoutCurrency, missing) ||
            awaitsLiquidity(candidate.request, candidate.deposits, Math.floor(now() / 1000)))
        // Here only expensive gas gives this reason, and gas is sometimes expensive for a few blocks.
        const isLate = plan.reason === 'ORDER_EXPIRED'
        const blocks = debounceBlocks(isLate ? 'SOLVER_CAPACITY_EXCEEDED' : plan.reason)
        if (!isWaiting) await markRefundable(candidate, plan.reason, marketHeight, blocks)
      }
      if (plan.kind !== 'fill') continue
      const [spent] = plan.spends
      const isAllowed =
        !plan.isErc20 ||
        spent === undefined ||
        (await allowances.covers(spent.currency, spent.amount, view, fees))
      if (isAllowed) allowed.push({ ...candidate, plan })
    }
    return allowed
  }

  async function fillSome(
    candidates: readonly Candidate[],
    round: FillRound,
    mayFill: boolean,
  ): Promise<void> {
    const faultless = await refundFaulty(candidates, round.view.head.number)
    const payable = await refundUnrecorded(faultless, round)
    const provable = await provableOf(payable, round)
    if (!mayFill) return
    // Reads authorizations only for ready candidates: each account takes two RPC requests.
    const ready = await Promise.all(
      (await selectReady(provable, round.snapshot)).map(async (each) => ({
        ...each,
        authorizations: await toApply(client, each),
      })),
    )
    const allowed = await allowedOf(await plan(ready, round), round)
    const estimated = await Promise.all(allowed.map((each) => estimate(each, round)))
    for (const each of estimated) if (each !== undefined) await send(each, round.fees)
  }

  function roundOf(
    view: ChainView,
    requests: readonly SolverRequest[],
  ): Omit<FillRound, 'settlements'> | undefined {
    const chainIds = [...new Set([...requests.flatMap(originChainIdsOf), chain.id])]
    const snapshot = market.snapshot(chainIds)
    const chainMarket = snapshot.chains.get(chain.id)
    if (chainMarket === undefined) return undefined
    const pendingLegs = view.open
      .filter((each) => isPendingFill(each, chainMarket.block.number))
      .flatMap(({ transactionId }) => legs.get(transactionId) ?? [])
    return {
      view,
      snapshot,
      pendingLegs,
      simulatedGas,
      taken: new Map(),
      fees: marketFees(chainMarket.gas),
      inventory: createInventory(chainMarket, view.open),
    }
  }

  /** What the depositories of the requests' origin chains can pay, with the newest amounts of the database. */
  async function readSettlements({ chains }: Market, requests: readonly SolverRequest[]) {
    const states = new Map<ChainId, SettlementState>()
    for (const chainId of new Set(requests.flatMap(originChainIdsOf))) {
      const state = chains.get(chainId)?.settlement
      const unsettled = await store.unsettledAmounts(chainId)
      if (state !== undefined) states.set(chainId, { ...state, unsettled })
    }
    return states
  }

  return async (view) => {
    const open = new Set(view.open.map(({ transactionId }) => transactionId))
    for (const id of legs.keys()) if (!open.has(id)) legs.delete(id)
    const mayFill = await identity.check()
    const requests = await waiting()
    const ids = new Set<string>(requests.map(({ requestId }) => requestId))
    for (const id of simulatedGas.keys()) if (!ids.has(id)) simulatedGas.delete(id)
    const read = requests.length === 0 ? undefined : roundOf(view, requests)
    if (read === undefined) return
    const settlements = await readSettlements(read.snapshot, requests)
    const round = { ...read, settlements }
    for (let from = 0; from < requests.length; from += maxBatch)
      await fillSome(await candidatesOf(requests.slice(from, from + maxBatch)), round, mayFill)
  }
}

/** Number of blocks for which a reason must last before the refund: 0 if no block can change it. */
function debounceBlocks(reason: FailReason): bigint {
  switch (reason) {
    case 'UNKNOWN':
    case 'INCORRECT_DEPOSIT_CURRENCY':
    case 'ORDER_EXPIRED':
      return 0n
    // A lagging node may not have the last transaction of an account.
    case 'INVALID_NONCE':
    // Gas is sometimes expensive for a few blocks.
    case 'SOLVER_CAPACITY_EXCEEDED':
      return 4n
    // The fill is planned at the market's block and simulated on a newer one.
    case 'TOO_LITTLE_RECEIVED':
      return 3n
    default:
      return 1n
  }
}
