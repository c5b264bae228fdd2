import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type GasMarket, gasPriceOf, transactionCost } from '#src/core/pricing/gas/gas.ts'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'
import { lastSecondOf } from '#src/protocol/permit.ts'
import { type QuotedPermits, signedCall } from '#src/protocol/permits/permitCall.ts'
import { advance } from '#src/requests/machine.ts'
import type { StoredPermit } from '#src/requests/permitStore.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import type { AccountChain, Runtime, SolverMarket } from '#src/solver/ports.ts'
import {
  type Estimate,
  estimateGas,
  gasAfterRefunds,
  signedBytes,
} from '#src/solver/sending/estimateGas.ts'
import { type Fees, marketFees } from '#src/solver/sending/fees.ts'
import { currentAttempt, type Sender, type UnsentTransaction } from '#src/solver/sending/outbox.ts'

type Ports = Runtime & Readonly<{ client: ChainClient; market: SolverMarket }>

/** A stored permit with its request, and the permits that the request asks the user to sign. */
export type DuePermit = Readonly<{
  permit: StoredPermit
  request: StoredRequest
  quoted: QuotedPermits
}>

/**
 * - `conflict`: another change was stored first.
 * - `notReady`: the market or a signature is missing.
 */
type SendOutcome = 'sent' | 'conflict' | 'notReady' | 'reverts' | 'tooExpensive'

/** Sends the permit's transaction, unless it would revert or costs too much. */
export function createPermitSending(
  { client, log, market, now }: Ports,
  { chain, solver }: AccountChain,
  outbox: Sender,
): (due: DuePermit) => Promise<SendOutcome> {
  /** Whether the user pays for the gas of the call, after refunds of gas if necessary. */
  async function isPaidFor(
    { request, quoted }: DuePermit,
    call: TransactionCall,
    { simulated }: Extract<Estimate, { kind: 'gas' }>,
    { gasMarket, fees }: Readonly<{ gasMarket: GasMarket; fees: Fees }>,
  ): Promise<boolean> {
    const bytes = signedBytes(call)
    const isEnough = (gas: bigint) =>
      transactionCost(gasMarket, { gas, bytes }) <= (quoted.maxCost ?? 0n)
    if (isEnough(simulated)) return true
    const gas = await gasAfterRefunds(client, solver, call, fees)
    if (gas !== undefined && isEnough(gas)) return true
    const cost = { gas: gas ?? simulated, gasPrice: gasPriceOf(gasMarket) }
    const facts = { chainId: chain.id, requestId: request.requestId }
    log.debug({ ...facts, ...cost }, 'A signed transaction waits for cheaper gas')
    return false
  }

  return async (due) => {
    const { permit, request, quoted } = due
    const { requestId } = request
    const facts = { chainId: chain.id, requestId }
    const gasMarket = market.latest(chain.id)?.gas
    const call =
      permit.signature === undefined
        ? undefined
        : signedCall(quoted, permit.signature, permit.allowanceSignature)
    if (gasMarket === undefined || call === undefined) return 'notReady'
    const fees = marketFees(gasMarket)
    const estimate = await estimateGas(client, solver, call, fees)
    if (estimate.kind !== 'gas') {
      log.debug({ ...facts, estimate }, 'A signed transaction would revert')
      return 'reverts'
    }
    if (!(await isPaidFor(due, call, estimate, { gasMarket, fees }))) return 'tooExpensive'
    const transactionId = `permit:${requestId}`
    const unsent: UnsentTransaction = {
      transactionId,
      purpose: 'permit',
      requestId,
      depositIds: [],
      spends: [],
      call,
      gas: estimate.gas,
    }
    const dueAt = (lastSecondOf(quoted.paying) + 1) * 1000
    const saved = await outbox.send(unsent, fees, (transaction) => {
      const event = { type: 'permitSent', transaction: currentAttempt(transaction) } as const
      return {
        transactions: [transaction],
        permits: [{ ...permit, transactionId, dueAt }],
        requests: [{ ...request, state: advance(request, event, now()) }],
      }
    })
    if (saved === 'conflict') return saved
    log.info(facts, 'Sends what a user has signed')
    return 'sent'
  }
}
