import { AppError } from '#src/core/errors.ts'
import { sizesOf } from '#src/core/pricing/gas/transactionSizes.ts'
import type { Amount } from '#src/core/units/amount.ts'
import { svmNative, toPubkey } from '#src/core/units/svm/pubkey.ts'
import { toSvmSignature } from '#src/core/units/svm/signature.ts'
import { type RefundCall, refundCall } from '#src/protocol/svm/depository/payoutCalls.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import type { Instruction } from '#src/protocol/svm/instruction.ts'
import { createTokenAccount } from '#src/protocol/svm/tokenProgram.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { createRefundDelays, refundChanges } from '#src/solver/payouts/refundChanges.ts'
import { type DueRefund, refundAmount } from '#src/solver/payouts/refundPayout.ts'
import { createAttemptCosts, lessAttempts } from '#src/solver/payouts/refundPrice.ts'
import { createIsUnused, createRefundQueue } from '#src/solver/payouts/refundQueue.ts'
import type { SolverLimits } from '#src/solver/ports.ts'
import { currentAttempt } from '#src/solver/sending/outbox.ts'
import type { SvmOutbox } from './svmOutbox.ts'
import type { SvmSolverChain, SvmSolverPorts } from './svmPorts.ts'
import type { SvmRecords } from './svmRecords.ts'
import { simulateFailure } from './svmSimulation.ts'
import type { SvmView } from './svmView.ts'

/** Lower bound on the size of any refund. */
const leastRefund = { gas: 5_000n, bytes: 0n, signatures: 1n }

/** Nonce accounts that refunds leave to fills. */
const reservedForFills = 4

type Parts = Readonly<{ outbox: SvmOutbox; records: SvmRecords; limits: SolverLimits }>

/** Refunds the deposits on a Solana chain that are not filled. The program pays their depositors only. */
export function createSvmRefunds(
  ports: SvmSolverPorts,
  solverChain: SvmSolverChain,
  { outbox, records, limits }: Parts,
): (view: SvmView) => Promise<void> {
  const { client, log, now, market } = ports
  const { chain, solver } = solverChain
  const queue = createRefundQueue(ports, solverChain, { limits, least: leastRefund })
  const delays = createRefundDelays(ports, solverChain, limits)
  const isUnused = createIsUnused(ports, solverChain, delays)
  const attemptCostOf = createAttemptCosts(
    ports,
    async (txId) => (await client.getTransaction(toSvmSignature(txId), 'finalized'))?.fee,
  )

  /** Whether the recipient of a refund has no token account: the refund then makes it, and charges its rent. */
  async function lacksTokens({ currency, depositor }: Deposit): Promise<boolean> {
    if (currency === svmNative) return false
    const tokens = associatedTokenAddress(toPubkey(depositor), toPubkey(currency))
    const { accounts } = await client.getAccounts([tokens], 'finalized')
    return accounts[0] === undefined
  }

  async function refund(due: DueRefund, view: SvmView): Promise<void> {
    const { deposit } = due
    const facts = { chainId: chain.id, depositId: deposit.depositId }
    const snapshot = market.snapshot([chain.id])
    const chainMarket = snapshot.chains.get(chain.id)
    if (chainMarket?.gas.vmType !== 'svm' || !(await isUnused(due))) return
    const payout = await records.payoutOf(deposit)
    // The tracker is about to see that the depositor has left, or who has paid it back.
    if (payout === undefined) return delays.wait(due)
    const makesTokens = await lacksTokens(deposit)
    const full = sizesOf(chainMarket.gas).refund(deposit.currency)
    const size = makesTokens ? full : { ...full, bytes: 0n }
    const payable = refundAmount(deposit, snapshot, chainMarket, size)
    const attemptCost = await attemptCostOf(deposit)
    if (payable.kind === 'noPrice' || attemptCost === undefined) {
      log.warn(facts, 'A refund waits for the price of its currency')
      return delays.wait(due)
    }
    if (payable.kind === 'gasTooHigh') return delays.retryLater(due, 'AMOUNT_TOO_LOW_TO_REFUND')
    if (payable.kind === 'dust') return delays.giveUp(due, 'AMOUNT_TOO_LOW_TO_REFUND')
    const amount = lessAttempts(payable.amount, attemptCost)
    const call = { ...payout, amount, cost: payout.owed - amount }
    const instructions = refundInstructions(solverChain, call, makesTokens)
    const error = await simulateFailure(client, solver, { instructions, units: size.gas })
    if (error !== undefined) {
      log.info({ ...facts, reason: error }, 'A refund would fail')
      return delays.retryLater(due, 'EXECUTION_REVERTED')
    }
    const { microLamportsPerUnit: microLamports } = chainMarket.gas
    await send(due, { instructions, units: size.gas, amount, microLamports }, view)
  }

  async function send(
    { deposit, request }: DueRefund,
    { amount, microLamports, ...call }: Sending,
    view: SvmView,
  ): Promise<void> {
    const { depositId, requestId, currency, reason } = deposit
    const unsent = {
      ...call,
      transactionId: `refund:${depositId}:${view.head.number}`,
      purpose: 'refund',
      ...(requestId !== undefined && { requestId }),
      depositIds: [depositId],
      spends: [{ currency, amount }],
    } as const
    const saved = await outbox.send(unsent, microLamports, (transaction) => {
      const event = { type: 'refundSent', transaction: currentAttempt(transaction) } as const
      return { ...refundChanges(deposit, request, event, now()), transactions: [transaction] }
    })
    if (saved === 'saved')
      log.info({ chainId: chain.id, requestId, depositId, reason }, 'Refunds a deposit')
  }

  return async (view) => {
    for (const due of await queue.next(view)) {
      if (outbox.free() <= reservedForFills) return
      try {
        await refund(due, view)
      } catch (error) {
        if (error instanceof AppError) throw error
        const { depositId } = due.deposit
        log.error({ chainId: chain.id, depositId, err: error }, 'A deposit cannot be refunded')
      }
    }
  }
}

/** A refund before it has a transaction. */
type Sending = Readonly<{
  instructions: readonly Instruction[]
  units: bigint
  /** For the depositor. */
  amount: Amount
  /** Price of a compute unit. */
  microLamports: bigint
}>

/**
 * @param makesTokens whether it makes the token account of its recipient. Not if that is there and its rent is not
 * charged: who closes it meanwhile would get the rent of the next one from the solver. The refund then fails.
 */
function refundInstructions(
  { program, solver }: SvmSolverChain,
  refund: RefundCall,
  makesTokens: boolean,
): readonly Instruction[] {
  const { currency, depositor } = refund
  const paying = refundCall(program, refund)
  if (!makesTokens) return [paying]
  return [createTokenAccount({ payer: solver, owner: depositor, mint: currency }), paying]
}
