import { encodeFunctionData, type Hex, hexToBigInt, parseAbi } from 'viem'
import type { BlockId } from '#src/chains/chainEvent.ts'
import { readHeaderAt } from '#src/chains/read/readBlock.ts'
import type { ChainClient, Rpc } from '#src/chains/rpc/chainClient.ts'
import { bytes, parse } from '#src/chains/rpc/rpcAnswer.ts'
import { type GasMarket, gasPriceOf, transactionCost } from '#src/core/pricing/gas/gas.ts'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'
import { permit2Abi, permit2Address } from '#src/protocol/contracts/protocolContracts.ts'
import { lastSecondOf, type PayingPermit } from '#src/protocol/permit.ts'
import { type QuotedPermits, signedCall } from '#src/protocol/permits/permitCall.ts'
import { witnessHash } from '#src/protocol/permits/typedData.ts'
import { advance } from '#src/requests/machine.ts'
import type { StoredPermit } from '#src/requests/permitStore.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import {
  type FailReason,
  isTerminal,
  type StoredRequest,
} from '#src/requests/state/requestState.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import { failureOf, findReceipt } from '#src/solver/monitor/usedNonces.ts'
import type { AccountChain, OwnChain, Runtime, SolverMarket } from '#src/solver/ports.ts'
import {
  type Estimate,
  estimateGas,
  type Fees,
  gasAfterRefunds,
  marketFees,
  signedBytes,
} from '#src/solver/sending/estimateGas.ts'
import { currentAttempt, type Sender, type UnsentTransaction } from '#src/solver/sending/outbox.ts'

const authorizationAbi = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
])

/** First delay before a permit that cannot be sent now is tried again. It doubles with each look. */
export const retryMs = 5_000
/** Interval between checks of a permit that cannot be carried out, or whose request is paid: a reorg may undo the deposit. */
export const paidMs = 60_000

type Ports = Runtime & Readonly<{ client: ChainClient; store: RequestStore; market: SolverMarket }>

/** What becomes of permits that are not sent now. */
type PermitEnds = Readonly<{
  /** Makes the permit due again after `ms` milliseconds. */
  postpone: (due: DuePermit, ms: number) => Promise<unknown>
  /**
   * Fails the request if its permit can no longer have an effect. Else the permit is due again later, after `maxMs` at
   * most.
   * @throws what the store and the RPC throw
   */
  endOrWait: (due: DuePermit, view: ChainView, maxMs: number) => Promise<void>
  /** The request is paid, or has ended. */
  leave: (due: DuePermit) => Promise<void>
}>

export function createPermitEnds(
  { client, store, log, now }: Ports,
  { chain }: OwnChain,
): PermitEnds {
  const spentNonces = createSpentNonces(client)

  const postpone = ({ permit }: DuePermit, ms: number) =>
    store.save({ permits: [{ ...permit, dueAt: now() + ms }] })

  async function fail({ request }: DuePermit, reason: FailReason): Promise<void> {
    const { requestId } = request
    const state = advance(request, { type: 'permitFailed', reason }, now())
    const requests = [{ ...request, state }]
    if ((await store.save({ requests })) === 'conflict') return
    log.info({ chainId: chain.id, requestId, reason }, 'A signature had no effect')
  }

  /** Whether a stored deposit, or one of the mined transaction that is not stored yet, may still fund the request. */
  async function mayBePaid({ permit, request: { requestId } }: DuePermit): Promise<boolean> {
    const deposits = await store.depositsOf(requestId)
    if (deposits.some(({ status }) => status === 'seen')) return true
    const { transactionId } = permit
    const transactions = transactionId === undefined ? [] : await store.transactionsOf(requestId)
    const sent = transactions.find((each) => each.transactionId === transactionId)
    if (sent === undefined) return false
    const receipt = await findReceipt(client, sent)
    if (receipt === undefined || failureOf(sent, receipt) !== undefined) return false
    return deposits.every(({ txHash }) => txHash !== receipt.hash)
  }

  /**
   * The reason why the permit can no longer have an effect; undefined while it may. Relies only on final blocks whose
   * deposits are stored.
   */
  async function endOf(due: DuePermit, view: ChainView): Promise<FailReason | undefined> {
    const cursor = await store.cursor(chain.id)
    if (cursor === undefined || cursor.block.number > (await view.finalHeight())) return undefined
    const header = await readHeaderAt(client, cursor.block.number)
    if (header?.hash !== cursor.block.hash || (await mayBePaid(due))) return undefined
    const { requestId } = due.request
    const { paying } = due.quoted
    if (Number(header.timestamp) > lastSecondOf(paying))
      return due.permit.transactionId === undefined
        ? 'SIGNATURE_EXPIRED'
        : 'TRANSACTION_NOT_INCLUDED'
    const since = await spentNonces.since(requestId, paying, view.head)
    if (since === undefined || since.number > cursor.block.number) return undefined
    const spending = await readHeaderAt(client, since.number)
    if (spending?.hash === since.hash) return 'INVALID_NONCE'
    // A reorg has replaced the block: the nonce was spent in a later one, if at all.
    spentNonces.forget(requestId)
    return undefined
  }

  return {
    postpone,
    async endOrWait(due, view, maxMs) {
      const reason = await endOf(due, view)
      await (reason === undefined ? postpone(due, delayOf(due, maxMs)) : fail(due, reason))
    },
    async leave(due) {
      const { requestId, state } = due.request
      spentNonces.forget(requestId)
      if (isTerminal(state.status)) await store.removePermits([requestId])
      else await postpone(due, paidMs)
    },
  }
}

/** Each look stores the permit, so that its version counts them. */
export const delayOf = ({ permit: { version } }: DuePermit, maxMs: number): number =>
  Math.min(retryMs * 2 ** Math.max(0, version - 1), maxMs)

/** The blocks at which nonces of permits were first found used or cancelled. */
function createSpentNonces(client: ChainClient) {
  /** Remembered until the block is final, because nodes have the state of recent blocks only. */
  const spentAt = new Map<string, BlockId>()
  return {
    /** The first block at which this process found the nonce spent; undefined if it is not spent at the head. */
    async since(
      requestId: string,
      permit: PayingPermit,
      { number, hash }: BlockId,
    ): Promise<BlockId | undefined> {
      if (!(await isSpent(client, permit, hash))) {
        spentAt.delete(requestId)
        return undefined
      }
      const first = spentAt.get(requestId) ?? { number, hash }
      spentAt.set(requestId, first)
      return first
    },
    forget: (requestId: string) => void spentAt.delete(requestId),
  }
}

/** Whether the nonce of a permit was used or cancelled at a block. */
async function isSpent(
  client: Rpc,
  permit: PayingPermit,
  blockHash: BlockId['hash'],
): Promise<boolean> {
  const { to, data, bit } = nonceCall(permit)
  const request = { method: 'eth_call', params: [{ to, data }, { blockHash }] }
  const answer = await client.ask(request, (value) => parse(bytes, value))
  if (answer === undefined || answer === '0x') return false
  return (hexToBigInt(answer) & (1n << bit)) !== 0n
}

/** The contract call whose answer contains the bit of the nonce. */
function nonceCall(permit: PayingPermit): Readonly<{ to: Hex; data: Hex; bit: bigint }> {
  const { payer } = permit
  if (permit.kind === 'eip3009') {
    const args = [payer, witnessHash(permit.run)] as const
    const call = { abi: authorizationAbi, functionName: 'authorizationState', args } as const
    return { to: permit.currency, data: encodeFunctionData(call), bit: 0n }
  }
  const args = [payer, permit.nonce >> 8n] as const
  const call = { abi: permit2Abi, functionName: 'nonceBitmap', args } as const
  return { to: permit2Address, data: encodeFunctionData(call), bit: permit.nonce & 255n }
}

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
    log.info(facts, 'Submitting a signed permit')
    return 'sent'
  }
}
