import { divUp } from '#src/core/units/arithmetic.ts'
import { toUsd, type Usd } from '#src/core/units/usd.ts'
import { advance } from '#src/requests/machine.ts'
import { isOpenCall, type RelayedCall } from '#src/requests/relayedCall.ts'
import type { Batch, RequestStore } from '#src/requests/requestStore.ts'
import type { FailReason } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { isReverted } from '#src/requests/state/solverTransaction.ts'
import type { OwnChain, Runtime } from '#src/solver/ports.ts'

/** Delay before a call is looked at again. */
export const retryMs = 1_000

/** Why a call has not been sent, or has had no effect. */
export type CallFailure = Readonly<{ failReason: FailReason; reason: string }>

type Ports = Runtime & Readonly<{ store: RequestStore }>

/** What becomes of calls that are not sent now, or whose transaction has ended. */
type CallEnds = Readonly<{
  postpone: (call: RelayedCall) => Promise<unknown>
  /** The last change of a call. Its request awaits a deposit again if it has none. */
  end: (call: RelayedCall, change: Partial<RelayedCall>) => Promise<void>
  /** Nothing was sent, and never will be: it costs nothing. */
  fail: (call: RelayedCall, failure: CallFailure) => Promise<void>
  /** Postpones the call until it is older than `ms`. Then it fails. */
  failAfter: (call: RelayedCall, ms: number, failure: CallFailure) => Promise<void>
}>

export function createCallEnds(ports: Ports, { chain }: OwnChain): CallEnds {
  const { store, log, now } = ports
  const facts = (call: RelayedCall) => ({ chainId: chain.id, callId: call.callId })

  const postpone = (call: RelayedCall) =>
    store.save({ relayedCalls: [{ ...call, dueAt: now() + retryMs }] })

  async function end(call: RelayedCall, change: Partial<RelayedCall>): Promise<void> {
    const ended: RelayedCall = { ...call, ...change, updatedAt: now() }
    const saved = await store.save({ relayedCalls: [ended], ...(await requestChange(ports, call)) })
    if (saved === 'conflict') return
    const { status, failReason, reason, chargedUsd } = ended
    log.info({ ...facts(call), status, failReason, reason, chargedUsd }, 'A relayed call has ended')
  }

  const fail = (call: RelayedCall, failure: CallFailure) =>
    end(call, { status: 'failed', chargedUsd: toUsd(0n), ...failure })

  async function failAfter(call: RelayedCall, ms: number, failure: CallFailure): Promise<void> {
    if (now() - call.createdAt >= ms) return fail(call, failure)
    log.debug({ ...facts(call), ...failure }, 'A relayed call cannot be sent yet')
    await postpone(call)
  }

  return { postpone, end, fail, failAfter }
}

/** The state of the request without the call; empty while another call is open. */
async function requestChange(
  { store, now }: Ports,
  call: RelayedCall,
): Promise<Pick<Batch, 'requests'>> {
  if (!call.isQuoted) return {}
  const others = await store.relayedCallsOf(call.requestId)
  if (others.some((each) => each.callId !== call.callId && isOpenCall(each))) return {}
  const request = await store.find(call.requestId)
  const state = request && advance(request, { type: 'callEnded' }, now())
  return request === undefined || state === undefined || state === request.state
    ? {}
    : { requests: [{ ...request, state }] }
}

/** How a call ends whose transaction no longer changes. `cost` in wei, if it is known. */
export function outcomeOf(
  call: RelayedCall,
  transaction: SolverTransaction,
  cost: bigint | undefined,
): Partial<RelayedCall> {
  const { status, mined } = transaction
  const paid = {
    ...(mined !== undefined && { txHash: mined.hash }),
    chargedUsd: chargeFor(call, cost),
  }
  if (status === 'final') return { ...paid, status: 'succeeded' }
  const failure: CallFailure = isReverted(transaction)
    ? { failReason: 'TRANSACTION_REVERTED', reason: 'its transaction reverted' }
    : { failReason: 'TRANSACTION_NOT_INCLUDED', reason: 'no block took its transaction in' }
  return { ...paid, status: 'failed', ...failure }
}

/**
 * The value of `cost` at the price at which `maxCost` was reserved, rounded up. All that was reserved, if the cost is unknown
 * or gas was free.
 */
const chargeFor = ({ chargedUsd, maxCost }: RelayedCall, cost: bigint | undefined): Usd =>
  cost === undefined || maxCost === 0n ? chargedUsd : toUsd(divUp(chargedUsd * cost, maxCost))
