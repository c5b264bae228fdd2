import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Log } from '#src/config/log.ts'
import { AppError, reasonOf } from '#src/core/errors.ts'
import { evmAddress } from '#src/core/units/address.ts'
import { isNative } from '#src/core/units/currency.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { SolverChain } from '#src/solver/ports.ts'
import { type Estimate, estimateGas, type Fees } from '#src/solver/sending/estimateGas.ts'
import type { IdentityCheck } from '#src/solver/sending/identityCheck.ts'
import type { Allowances } from './allowances.ts'
import type { FillChecks } from './fillChecks.ts'
import { limitWithCalls, usesMoreGas } from './fillCosts.ts'
import type { PlannedFill } from './fillLoop.ts'
import type { FillRound } from './fillRounds.ts'
import type { CallPlan } from './fillTransaction.ts'
import { createIsOwed, type RefundMarks } from './refundMarks.ts'

/**
 * Errors of the approval proxy that do not lead to a refund: the store has lost the fill of the order, the account is
 * not a key of the identity, or the node's clock is far ahead.
 */
const refusals: ReadonlySet<string> = new Set(['AlreadyFilled', 'NotAKey', 'FillExpired'])

type Ports = Readonly<{ client: ChainClient; log: Log; fillChecks: FillChecks }>

/** What a fill that would revert shows to be outdated. */
type Outdated = Readonly<{
  allowances: Allowances
  identity: IdentityCheck
  marks: RefundMarks
}>

export type CalledFill = PlannedFill & Readonly<{ plan: CallPlan }>

/** A round with the fees of its transactions. */
export type CallRound = FillRound<ChainView> & Readonly<{ fees: Fees }>

/** `gas`: the gas limit of its transaction. */
export type EstimatedFill = CalledFill & Readonly<{ gas: bigint }>

type FillEstimates = Readonly<{
  /** Simulates a fill on the newest block. Undefined if it is not sent now. */
  estimate: (filling: CalledFill, round: CallRound) => Promise<EstimatedFill | undefined>
  /** Simulated gas of fills that use more than their quotes estimate, by request. The next round charges it. */
  simulatedGas: ReadonlyMap<string, bigint>
  /** Discards what is known about all other requests. */
  keepOnly: (requestIds: ReadonlySet<string>) => void
}>

export function createFillEstimates(
  { client, log, fillChecks }: Ports,
  { chain, solver, identity: ownIdentity }: SolverChain,
  { allowances, identity, marks }: Outdated,
): FillEstimates {
  const simulatedGas = new Map<string, bigint>()
  const isOwed = createIsOwed({ log, fillChecks }, marks)

  /**
   * The gas of a fill on the newest block. Undefined if no node answers: a call of the order may take too long on
   * purpose, and must not stop other fills.
   */
  async function simulate({ request, plan }: CalledFill, fees: Fees) {
    try {
      return await estimateGas(client, solver, plan.call, fees)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const facts = { chainId: chain.id, requestId: request.requestId, reason: reasonOf(error) }
      log.warn(facts, 'No node simulates the fill of a request; will retry')
      return undefined
    }
  }

  async function withinGas(
    filling: CalledFill,
    { gas, simulated }: Extract<Estimate, { kind: 'gas' }>,
    height: bigint,
  ): Promise<EstimatedFill | undefined> {
    const { plan, request } = filling
    const facts = { chainId: chain.id, requestId: request.requestId }
    if (gas > plan.maxGas) {
      log.info({ ...facts, gas, max: plan.maxGas }, 'A fill would use too much gas')
      await marks.mark(filling, 'EXECUTION_REVERTED', height)
      return undefined
    }
    const limit = limitWithCalls(simulated, plan)
    if (!usesMoreGas(simulated, plan)) return { ...filling, gas: gas < limit ? gas : limit }
    log.info(
      { ...facts, simulated, charged: plan.gas },
      'Fill needs more gas than quoted; replanning',
    )
    simulatedGas.set(request.requestId, simulated)
    return undefined
  }

  async function recordRevert(
    filling: CalledFill,
    { error, reason }: Extract<Estimate, { kind: 'reverts' }>,
    height: bigint,
  ): Promise<void> {
    const { plan, request } = filling
    const facts = { chainId: chain.id, requestId: request.requestId }
    log.info({ ...facts, reason }, 'A fill would revert')
    if (!isNative(plan.leg.input)) allowances.forget(evmAddress(plan.leg.input))
    if (error !== undefined && refusals.has(error)) {
      if (error === 'AlreadyFilled') await fillChecks.restore(request)
      if (error === 'NotAKey') identity.recheck()
      const refused = { ...facts, identity: ownIdentity, error }
      log.error(refused, 'The approval proxy refuses a fill: it is neither filled nor refunded')
      return
    }
    const isTooLittle = error === 'TooLittleReceived'
    await marks.mark(filling, isTooLittle ? 'TOO_LITTLE_RECEIVED' : 'EXECUTION_REVERTED', height)
  }

  return {
    simulatedGas,
    keepOnly: (ids) => {
      for (const id of simulatedGas.keys()) if (!ids.has(id)) simulatedGas.delete(id)
    },
    async estimate(filling, { view: { head }, fees }) {
      const estimated = await simulate(filling, fees)
      switch (estimated?.kind) {
        case undefined:
          return undefined
        case 'gas':
          // After the simulation, which shows whether the order is filled: then its deposits may be settled.
          return (await isOwed(filling, head.number))
            ? withinGas(filling, estimated, head.number)
            : undefined
        case 'insufficientFunds': {
          const facts = { chainId: chain.id, requestId: filling.request.requestId }
          log.warn(facts, 'The solver cannot pay the gas of a fill yet')
          return undefined
        }
        case 'reverts':
          await recordRevert(filling, estimated, head.number)
          return undefined
      }
    },
  }
}
