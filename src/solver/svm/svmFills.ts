import type { Hex } from 'viem'
import type { SvmClient } from '#src/chains/svm/svmClient.ts'
import type { Account } from '#src/core/units/address.ts'
import { svmNative, toPubkey } from '#src/core/units/svm/pubkey.ts'
import { isTokenAccountOf } from '#src/protocol/svm/accounts.ts'
import { markFilledCall } from '#src/protocol/svm/depository/depositCalls.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import type { Instruction } from '#src/protocol/svm/instruction.ts'
import { memo } from '#src/protocol/svm/memo.ts'
import { transferLamports } from '#src/protocol/svm/systemProgram.ts'
import {
  createTokenAccount,
  requireTokenAccount,
  transferTokens,
} from '#src/protocol/svm/tokenProgram.ts'
import { advance } from '#src/requests/machine.ts'
import type { Candidate } from '#src/solver/fills/fillCandidates.ts'
import { createFillLoop, type PlannedFill } from '#src/solver/fills/fillLoop.ts'
import { createFillRounds, type FillRound } from '#src/solver/fills/fillRounds.ts'
import { createIsOwed, createRefundMarks } from '#src/solver/fills/refundMarks.ts'
import type { SolverLimits } from '#src/solver/ports.ts'
import { currentAttempt } from '#src/solver/sending/outbox.ts'
import type { SvmOutbox } from './svmOutbox.ts'
import type { SvmSolverChain, SvmSolverPorts } from './svmPorts.ts'
import type { SvmRecords } from './svmRecords.ts'
import { simulateFailure } from './svmSimulation.ts'
import type { SvmView } from './svmView.ts'

/**
 * Seconds after the newest final block until which a fill may run. Short: after a start, refunds wait so long for fills
 * that the store may have lost.
 */
export const fillSeconds = 90n

type Parts = Readonly<{
  outbox: SvmOutbox
  records: SvmRecords
  limits: SolverLimits
  /** Whether settlements bring this amount of a currency soon. */
  mayBring: (currency: Account, amount: bigint) => boolean
}>

/** Fills the requests that wait on a Solana chain, or marks their deposits as refundable. */
export function createSvmFills(
  ports: SvmSolverPorts,
  solverChain: SvmSolverChain,
  { outbox, records, limits, mayBring }: Parts,
): (view: SvmView) => Promise<void> {
  const { client, log, now, fillChecks, market } = ports
  const { chain, solver } = solverChain
  const rounds = createFillRounds(ports, solverChain)
  const marks = createRefundMarks(ports, solverChain)
  const isOwed = createIsOwed(ports, marks)

  /** A fill that would fail. One of an order that is filled belongs into the store. */
  async function refuse(fill: PlannedFill, error: string, height: bigint): Promise<void> {
    const { request } = fill
    const facts = { chainId: chain.id, requestId: request.requestId, reason: error }
    if (await records.isFilled(request.orderId)) {
      log.error(facts, 'An order is filled, and the store has lost its fill')
      return fillChecks.restore(request)
    }
    log.info(facts, 'A fill would fail')
    await marks.mark(fill, 'EXECUTION_REVERTED', height)
  }

  async function send(fill: PlannedFill, { view, gas }: FillRound<SvmView>): Promise<void> {
    const { request, exposed, plan, tries, proof } = fill
    const { requestId } = request
    if (outbox.free() === 0 || gas.vmType !== 'svm') return
    const decimals = market.currencies.known({
      chainId: chain.id,
      address: request.destinationCurrency,
    })?.decimals
    if (decimals === undefined) return
    const deadline = view.head.timestamp + fillSeconds
    const instructions = fillInstructions(solverChain, fill, { deadline, decimals })
    const call = { instructions, units: plan.gas }
    const error = await simulateFailure(client, solver, call)
    if (error !== undefined) return refuse(fill, error, view.head.number)
    if (!(await isOwed(fill, view.head.number))) return
    const transactionId = `fill:${requestId}:${tries}`
    const saved = await outbox.send(
      {
        ...call,
        transactionId,
        purpose: 'fill',
        requestId,
        depositIds: proof.depositIds,
        proof,
        spends: plan.spends,
      },
      gas.microLamportsPerUnit,
      (transaction) => {
        const event = { type: 'fillSent', transaction: currentAttempt(transaction) } as const
        return {
          transactions: [transaction],
          requests: [{ ...request, state: advance(request, event, now()) }],
          ...exposed,
        }
      },
    )
    if (saved === 'conflict') return
    rounds.add(transactionId, plan.leg)
    marks.forget(requestId)
    log.info({ chainId: chain.id, requestId, transactionId }, 'Fills a request')
  }

  return createFillLoop<SvmView>(ports, solverChain, {
    machine: {
      mayFill: async () => true,
      // Fills make no calls. One that had no effect is tried again, and the number of tries is limited.
      revertsOf: async () => undefined,
      prepare: (ready) => withTokenAccounts(client, ready),
      send: async (fills, round) => {
        for (const each of fills) await send(each, round)
      },
      simulatedGas: new Map(),
      keepOnly: () => {},
    },
    rounds,
    marks,
    limits,
    mayBring,
  })
}

/** Adds whether the recipients have token accounts. One request to a node. */
async function withTokenAccounts<Given extends Candidate>(
  client: SvmClient,
  candidates: readonly Given[],
): Promise<readonly Given[]> {
  const paid = candidates.map(({ request: { destinationCurrency, recipient } }) => {
    const [owner, mint] = [toPubkey(recipient), toPubkey(destinationCurrency)]
    return mint === svmNative ? undefined : { owner, mint }
  })
  const addresses = paid.flatMap((each) =>
    each === undefined ? [] : [associatedTokenAddress(each.owner, each.mint)],
  )
  if (addresses.length === 0) return candidates
  const { accounts } = await client.getAccounts(addresses, 'confirmed')
  const found = new Map(addresses.map((address, at) => [address, accounts[at]]))
  return candidates.map((candidate, at) => {
    const holder = paid[at]
    if (holder === undefined) return candidate
    const account = found.get(associatedTokenAddress(holder.owner, holder.mint))
    return { ...candidate, hasTokenAccount: isTokenAccountOf(account, holder) }
  })
}

type Terms = Readonly<{
  /** Unix time in seconds. */
  deadline: bigint
  /** Of the currency. */
  decimals: number
}>

/** The payment of an order in full, its mark, and its id. */
function fillInstructions(
  { program, solver }: SvmSolverChain,
  { request, plan: { leg }, hasTokenAccount }: PlannedFill,
  { deadline, decimals }: Terms,
): readonly Instruction[] {
  const { orderId, destinationCurrency } = request
  if (leg.input !== destinationCurrency || leg.route !== undefined)
    throw new Error('Nothing is swapped on this chain')
  const [mint, recipient] = [toPubkey(destinationCurrency), toPubkey(request.recipient)]
  const amount = leg.amountOut
  const payment =
    mint === svmNative
      ? [transferLamports({ from: solver, to: recipient, lamports: amount })]
      : [
          // The solver pays no rent that the plan does not charge.
          hasTokenAccount
            ? requireTokenAccount({ owner: recipient, mint })
            : createTokenAccount({ payer: solver, owner: recipient, mint }),
          transferTokens({
            source: associatedTokenAddress(solver, mint),
            destination: associatedTokenAddress(recipient, mint),
            authority: solver,
            mint,
            amount,
            decimals,
          }),
        ]
  return [
    markFilledCall(program, { solver, id: orderId as Hex, deadline }),
    ...payment,
    memo(orderId),
  ]
}
