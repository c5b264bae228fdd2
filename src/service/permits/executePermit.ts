import { AppError } from '#src/core/errors.ts'
import { evmGas } from '#src/core/pricing/gas/gas.ts'
import type { LatestMarkets, Simulations } from '#src/market/markets.ts'
import type { CallOutcome, TransactionTrials } from '#src/market/reads/transactionSimulator.ts'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'
import { lastSecondOf, type PayingPermit, type Permit } from '#src/protocol/permit.ts'
import {
  allowanceCall,
  allowanceRead,
  amountIn,
  balanceRead,
  permitsIn,
  type QuotedPermits,
  readingsOf,
  revertReason,
  signedCall,
} from '#src/protocol/permits/permitCall.ts'
import { checkOf } from '#src/protocol/step.ts'
import { feesOf } from '#src/protocol/steps/buildSteps.ts'
import { advance } from '#src/requests/machine.ts'
import {
  type PermitStore,
  permitMemoryMs,
  permitsBlockedUntil,
  type StoredPermit,
} from '#src/requests/permitStore.ts'
import {
  type BatchStore,
  type RequestReads,
  UnknownRequestError,
} from '#src/requests/requestStore.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import type { PermitInput } from '#src/service/input/permitInput.ts'
import type { PermitAnswer, QuotedItem, QuotedStep } from '#src/service/quotedSteps.ts'

export type PermitDeps = Readonly<{
  requests: RequestReads & PermitStore & BatchStore
  market: Simulations & LatestMarkets
  /** Milliseconds since 1970. */
  now: () => number
}>

/** A request whose quote asks for signatures, with those that are stored. */
type Signing = Readonly<{
  request: StoredRequest
  quoted: QuotedPermits
  stored: StoredPermit | undefined
}>

/**
 * Takes a user's signature. The solver carries out a paying one: it is stored, and the request is `depositing`. The same
 * signature again has the same answer.
 * @throws AppError UNKNOWN_REQUEST; PERMIT_FAILED; INSUFFICIENT_FUNDS; RPC_HTTP_ERROR; OVERLOADED; SERVICE_UNAVAILABLE.
 * Nothing has happened then.
 */
export async function executePermit(deps: PermitDeps, input: PermitInput): Promise<PermitAnswer> {
  for (;;) {
    const answer = await tryPermit(deps, input)
    if (answer !== 'conflict') return answer
  }
}

async function tryPermit(deps: PermitDeps, input: PermitInput): Promise<PermitAnswer | 'conflict'> {
  const { requestId, kind } = input
  const request = await deps.requests.find(requestId)
  if (request === undefined) throw new UnknownRequestError(requestId)
  const quoted = permitsIn(request.steps)
  if (quoted === undefined)
    throw new PermitFailedError('the quote is not paid by signature', requestId)
  const kinds = [quoted.allowance?.kind, quoted.paying.kind].filter((each) => each !== undefined)
  if (!kinds.includes(kind))
    throw new PermitFailedError(`the quote asks for ${kinds.join(' and ')}, not ${kind}`, requestId)
  const stored = await deps.requests.findPermit(requestId)
  const signing = { request, quoted, stored }
  if (isStored(signing, input)) return accepted(kind)
  checkWaiting(deps, signing)
  return kind === 'eip2612'
    ? takeAllowance(deps, signing, input)
    : takePayment(deps, signing, input)
}

const isStored = ({ stored }: Signing, { kind, signature }: PermitInput): boolean =>
  readingsOf(kind, signature).some(
    (each) => each === (kind === 'eip2612' ? stored?.allowanceSignature : stored?.signature),
  )

const accepted = (kind: PermitInput['kind']): PermitAnswer => ({
  message:
    kind === 'eip2612'
      ? 'The allowance is signed. Sign the payment now.'
      : 'The signature is accepted, and its transaction will be sent.',
})

/** @throws PermitFailedError unless the request awaits a signature */
function checkWaiting(
  { now }: PermitDeps,
  { request: { requestId, state }, quoted, stored }: Signing,
): void {
  if (stored?.signature !== undefined)
    throw new PermitFailedError('the request was signed with another signature before', requestId)
  if (state.status !== 'waiting')
    throw new PermitFailedError(
      `the request is ${state.status}, and awaits no signature`,
      requestId,
    )
  if (now() > lastSecondOf(quoted.paying) * 1000)
    throw new PermitFailedError('the signature has expired: ask for a new quote', requestId)
}

/** Stores the allowance that Permit2 needs. A permit that was already used is accepted. */
async function takeAllowance(
  { requests, market: { simulator }, now }: PermitDeps,
  { request: { requestId }, quoted, stored }: Signing,
  { kind, signature: given }: PermitInput,
): Promise<PermitAnswer | 'conflict'> {
  const { allowance, paying } = quoted
  const [signature] = readingsOf(kind, given)
  const call = allowance && allowanceCall({ permit: allowance, signature })
  if (allowance === undefined || call === undefined)
    throw new PermitFailedError('the signature has a wrong length', requestId)
  const { chainId } = paying
  const { relayer } = paying.run
  const outcome = await simulator.tryCall({ chainId, from: relayer, ...call })
  if (!outcome.succeeds) {
    const allowed = await readAllowance({ simulator }, paying)
    if (allowed === undefined || allowed < paying.amount)
      throw new PermitFailedError(revertReason(outcome), requestId)
  }
  const permit: StoredPermit = {
    version: 0,
    ...stored,
    requestId,
    chainId,
    relayer,
    allowanceSignature: signature,
    dueAt: now(),
  }
  return (await requests.save({ permits: [permit] })) === 'conflict' ? 'conflict' : accepted(kind)
}

/** Simulates the whole payment on the newest block, then stores the signature and shows the request as `depositing`. */
async function takePayment(
  deps: PermitDeps,
  { request, quoted, stored }: Signing,
  input: PermitInput,
): Promise<PermitAnswer | 'conflict'> {
  const { requests, market, now } = deps
  const { requestId } = request
  const { paying } = quoted
  const { chainId } = paying
  const { relayer } = paying.run
  const { signature, call } = await acceptedPayment(market, { request, quoted, stored }, input)
  if (quoted.maxCost === undefined)
    return {
      message: `The signature is good. ${relayer} has to send its transaction.`,
      steps: payerSteps(market, request, { chainId, from: relayer, ...call }),
    }
  await checkBlocked(deps, paying, requestId)
  const permit: StoredPermit = {
    version: 0,
    ...stored,
    requestId,
    chainId,
    relayer,
    signature,
    dueAt: now(),
  }
  const state = advance(request, { type: 'permitSigned' }, now())
  const saved = await requests.save({ requests: [{ ...request, state }], permits: [permit] })
  return saved === 'conflict' ? 'conflict' : accepted(input.kind)
}

/**
 * The reading of the signature that pays, by a simulation on the newest block, and its transaction.
 * @throws AppError PERMIT_FAILED; INSUFFICIENT_FUNDS
 */
async function acceptedPayment(
  { simulator }: Reads,
  { request: { requestId }, quoted, stored }: Signing,
  { kind, signature }: PermitInput,
): Promise<Readonly<{ signature: PermitInput['signature']; call: TransactionCall }>> {
  const { chainId, run } = quoted.paying
  let failed: CallOutcome | undefined
  for (const reading of readingsOf(kind, signature)) {
    const call = signedCall(quoted, reading, stored?.allowanceSignature)
    if (call === undefined)
      throw new PermitFailedError('the signature has a wrong length', requestId)
    const outcome = await simulator.tryCall({ chainId, from: run.relayer, ...call })
    if (outcome.succeeds) return { signature: reading, call }
    failed ??= outcome
  }
  if (failed === undefined) throw new Error('A signature has at least one reading')
  throw await paymentError({ simulator }, quoted.paying, { outcome: failed, requestId })
}

/**
 * The solver bears the gas of a permit that reverts, so its payer has to wait.
 * @throws PermitFailedError
 */
async function checkBlocked(
  { requests, now }: PermitDeps,
  { chainId, payer }: PayingPermit,
  requestId: string,
): Promise<void> {
  const reverts = await requests.revertedPermits(chainId, now() - permitMemoryMs)
  const until = permitsBlockedUntil(reverts.filter((each) => each.payer === payer))
  if (until <= now()) return
  const time = new Date(until).toISOString()
  throw new PermitFailedError(
    `an earlier signed payment of ${payer} reverted on chain: sign again after ${time}, or pay by transaction`,
    requestId,
  )
}

/** The transaction of a signature, for the account that pays its gas instead of the solver. */
function payerSteps(
  { simulator, latest }: Simulations & LatestMarkets,
  { requestId, execution }: StoredRequest,
  transaction: Pick<QuotedItem['data'], 'chainId' | 'from' | 'to' | 'data' | 'value'>,
): readonly QuotedStep[] {
  const market = latest(transaction.chainId)
  if (market === undefined) throw new Error(`No market of chain ${transaction.chainId}`)
  const data = {
    ...transaction,
    ...feesOf(evmGas(market.gas)),
    gas: () => simulator.estimateGas(transaction),
  }
  const isDeposit = execution === 'solver'
  return [
    {
      id: isDeposit ? 'deposit' : 'swap',
      action: 'Confirm transaction in your wallet',
      description: 'Sending the signed payment',
      kind: 'transaction',
      requestId,
      ...(isDeposit && { depositAddress: '' }),
      items: [{ status: 'incomplete', data, check: checkOf({ requestId }) }],
    },
  ]
}

/** A signature is refused. Nothing was sent, and the request still waits. */
class PermitFailedError extends AppError {
  constructor(reason: string, requestId: string) {
    super('PERMIT_FAILED', `Permit signature validation failed: ${reason}.`, { requestId })
  }
}

/** The user's balance is below the signed payment. */
class InsufficientFundsError extends AppError {
  constructor({ payer, currency, chainId, amount }: PayingPermit, balance: bigint) {
    super(
      'INSUFFICIENT_FUNDS',
      `${payer} holds ${balance} of ${currency} on chain ${chainId}, less than the ${amount} that the signature pays.`,
      { chainId, balance: `${balance}`, amount: `${amount}` },
    )
  }
}

type Reads = Readonly<{ simulator: TransactionTrials }>

/** The error for a payment that would revert. */
async function paymentError(
  { simulator }: Reads,
  permit: PayingPermit,
  { outcome, requestId }: Readonly<{ outcome: CallOutcome; requestId: string }>,
): Promise<AppError> {
  const balance = await readAmount({ simulator }, permit, balanceRead)
  if (balance !== undefined && balance < permit.amount)
    return new InsufficientFundsError(permit, balance)
  return new PermitFailedError(revertReason(outcome), requestId)
}

/** Amount that Permit2 may transfer now; `undefined` if the read fails. */
const readAllowance = (deps: Reads, permit: Permit): Promise<bigint | undefined> =>
  readAmount(deps, permit, allowanceRead)

async function readAmount(
  { simulator }: Reads,
  permit: Permit,
  read: typeof balanceRead,
): Promise<bigint | undefined> {
  const { chainId, payer: from } = permit
  const { succeeds, data } = await simulator.tryCall({ chainId, from, ...read(permit) })
  return succeeds ? amountIn(data) : undefined
}
