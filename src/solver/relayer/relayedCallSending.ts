import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { highestCallCost } from '#src/core/pricing/gas/callCost.ts'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'
import type { RelayedCall } from '#src/requests/relayedCall.ts'
import type { FailReason } from '#src/requests/state/requestState.ts'
import type { AccountChain, SolverMarket } from '#src/solver/ports.ts'
import { leftToApply } from '#src/solver/sending/authorizations.ts'
import { estimateGas } from '#src/solver/sending/estimateGas.ts'
import { type Fees, marketFees } from '#src/solver/sending/fees.ts'
import type { CallFailure } from './relayedCallEnds.ts'

/** How long a call that reverts is simulated again: nodes may lag behind the one that accepted it. */
const revertPatienceMs = 30_000
/** How long a call waits for gas money or cheaper gas. Then it ends. */
export const patienceMs = 600_000

type Prepared =
  | Readonly<{ kind: 'ready'; transaction: TransactionCall; fees: Fees }>
  /** Nothing can be sent for it any more. */
  | Readonly<{ kind: 'hopeless'; failure: CallFailure }>
  /** The call fails once it is older than `patienceMs`. */
  | Readonly<{ kind: 'blocked'; failure: CallFailure; patienceMs: number }>

/** Simulates a call on the newest block, and checks its cost. */
export async function prepareCall(
  { client, market }: Readonly<{ client: ChainClient; market: SolverMarket }>,
  { chain, solver: relayer }: AccountChain,
  { call, gas, maxCost }: RelayedCall,
): Promise<Prepared> {
  const blocked = (failReason: FailReason, reason: string, ms = patienceMs): Prepared => ({
    kind: 'blocked',
    failure: { failReason, reason },
    patienceMs: ms,
  })
  const gasMarket = market.latest(chain.id)?.gas
  if (gasMarket === undefined) return blocked('TRANSACTION_NOT_INCLUDED', 'the chain has no market')
  const { to, data, authorizationList } = call
  const applied = await leftToApply(client, authorizationList)
  if (applied === 'stale') {
    const reason = 'an account that signed an authorization has another nonce or code by now'
    return { kind: 'hopeless', failure: { failReason: 'INVALID_NONCE', reason } }
  }
  const transaction: TransactionCall = {
    to,
    data,
    value: 0n,
    ...(applied !== undefined && { authorizationList: applied }),
  }
  const fees = marketFees(gasMarket)
  if (highestCallCost(gasMarket, call, gas) > maxCost)
    return blocked(
      'TRANSACTION_NOT_INCLUDED',
      'gas has become dearer than what was reserved for it',
    )
  const estimate = await estimateGas(client, relayer, transaction, fees)
  if (estimate.kind === 'insufficientFunds')
    return blocked('TRANSACTION_NOT_INCLUDED', 'the relayer lacks gas money')
  if (estimate.kind === 'reverts')
    return blocked('EXECUTION_REVERTED', estimate.reason, revertPatienceMs)
  if (estimate.simulated > gas) {
    const reason = `it needs ${estimate.simulated} gas by now`
    return blocked('EXECUTION_REVERTED', reason, revertPatienceMs)
  }
  return { kind: 'ready', transaction, fees }
}
