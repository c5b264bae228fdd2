import { getAbiItem, type Hex, toEventSelector } from 'viem'
import { readReceipt } from '#src/chains/read/readTransaction.ts'
import type { ChainClient, HistoryReader } from '#src/chains/rpc/chainClient.ts'
import type { Header } from '#src/chains/rpc/rpcAnswer.ts'
import { findLastLog } from '#src/chains/search/searchLogs.ts'
import type { Address } from '#src/core/units/address.ts'
import { evmHash } from '#src/core/units/txId.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'
import type { Batch } from '#src/requests/requestStore.ts'
import { type Deposit, plainTransferOf, recordIdIn, refundOf } from '#src/requests/state/deposit.ts'
import {
  inputFundedBy,
  type ObservedTransaction,
  type StoredRequest,
} from '#src/requests/state/requestState.ts'
import { confirmPayments, createBalanceChange } from '#src/requests/tracker/confirmPayments.ts'
import { depositPayments } from '#src/requests/tracker/read/payments.ts'
import { failedPayments } from '#src/requests/tracker/read/trackedLogs.ts'
import { createIsPaidOut } from '#src/solver/depository/depositoryCalls.ts'
import type { Runtime, SolverChain } from '#src/solver/ports.ts'
import { refundChanges } from './refundChanges.ts'

/** A refund that anybody may have executed: the solver's signed payout, or the exit of the depositor. */
type ExecutedRefund =
  | Readonly<{ kind: 'none' }>
  /** It has too few confirmations, or no node has its log. */
  | Readonly<{ kind: 'unconfirmed' }>
  /** It has enough confirmations: save `changes`. */
  | Readonly<{ kind: 'confirmed'; changes: Batch }>

type Ports = Runtime & Readonly<{ client: ChainClient }>

type FindExecutedRefund = (
  deposit: Deposit,
  request: StoredRequest | undefined,
  head: Pick<Header, 'number'>,
) => Promise<ExecutedRefund>

/**
 * Checks whether the depository has already paid a deposit back, by the solver's signed payout (anybody may execute it)
 * or by the depositor's exit.
 */
export function createFindExecutedRefund(
  { client, log, now }: Ports,
  { chain, contracts }: SolverChain,
): FindExecutedRefund {
  const isPaidOut = createIsPaidOut(client, contracts)

  /** The payments out of the deposit as far as balances confirm them, and those that failed. Undefined if no node has the transaction. */
  async function paymentsIn(transaction: ObservedTransaction, deposit: Deposit) {
    const { depositId } = deposit
    const hash = evmHash(transaction.hash)
    const receipt = await readReceipt(client, hash)
    if (receipt === undefined) return undefined
    const on = { chainId: chain.id, contracts }
    const outcome = {
      hash,
      status: receipt.status,
      ofDeposits: depositPayments(on, receipt),
    }
    const { wrappedNative } = chain
    const confirmed = await confirmPayments(
      { contracts, wrappedNative, balanceChange: createBalanceChange(client) },
      [receipt],
      [outcome],
      { requests: [], deposits: [deposit] },
    )
    const paid = confirmed.get(hash)?.ofDeposits?.get(depositId)
    const unpaid = (failedPayments(on, receipt).get(hash) ?? [])
      .filter((each) => each.depositId === depositId)
      .map(({ recipient, amount }) => ({ recipient, amount }))
    return { ...(paid && { paid }), ...(unpaid.length > 0 && { unpaid }) }
  }

  return async (deposit, request, head) => {
    const { depositId } = deposit
    const confirmed = head.number - BigInt(chain.fillConfirmations)
    if (confirmed < 0n || !(await isPaidOut(deposit, confirmed)))
      return { kind: (await isPaidOut(deposit)) ? 'unconfirmed' : 'none' }
    const refunded: Deposit = { ...deposit, status: 'refunded' }
    const facts = { chainId: chain.id, depositId }
    if (request === undefined || inputFundedBy(request, depositId) === undefined)
      return { kind: 'confirmed', changes: { deposits: [refunded] } }
    const range = { from: deposit.block?.number ?? 0n, to: confirmed }
    const transaction = await findPayout(client, contracts.depository, deposit, range)
    if (transaction === undefined) {
      log.warn(facts, 'No node has the log of a deposit’s refund; will ask again')
      return { kind: 'unconfirmed' }
    }
    log.info({ ...facts, hash: transaction.hash }, 'Somebody else executed a refund first')
    const payments = await paymentsIn(transaction, deposit)
    if (payments === undefined) return { kind: 'unconfirmed' }
    const paidOut = { ...refunded, ...payments }
    const paid = refundOf(paidOut)
    const isRefused = payments.unpaid !== undefined && { isRefused: true as const }
    const shown = paid ? { ...transaction, paid } : transaction
    const event = { type: 'refundConfirmed', transaction: shown, ...isRefused } as const
    return { kind: 'confirmed', changes: refundChanges(paidOut, request, event, now()) }
  }
}

const { abi } = depositoryArtifact
const events = (
  ['DepositRefunded', 'DepositExited', 'DepositSettled', 'UnrecordedPaid'] as const
).map((name) => getAbiItem({ abi, name }))
const [refunded, exited, settled, unrecorded] = events.map((event) => toEventSelector(event))

type PaidDeposit = Pick<Deposit, 'depositId' | 'txHash' | 'record'>

/**
 * The last transaction in an inclusive range of blocks that paid out a deposit, back to its depositor or otherwise;
 * undefined if no log shows one.
 * @throws RpcUnavailableError or RpcRefusedError when the nodes fail
 */
export async function findPayout(
  client: HistoryReader,
  depository: Address,
  deposit: PaidDeposit,
  { from, to }: Readonly<{ from: bigint; to: bigint }>,
): Promise<ObservedTransaction | undefined> {
  const isPayout = payoutFilter(deposit)
  const found = await findLastLog(
    (blocks) => client.getLogs({ address: depository, events, ...blocks }),
    ({ topics }) => isPayout(topics),
    { from, to },
  )
  if (found === undefined) return undefined
  const { transactionHash: hash, blockNumber: number, blockHash } = found
  return { chainId: client.chain.id, hash, block: { number, hash: blockHash } }
}

/** Returns a filter for the topics of the event that paid out the deposit. */
function payoutFilter(deposit: PaidDeposit): (topics: readonly Hex[]) => boolean {
  if (deposit.record === undefined) {
    const [txHash, logIndex] = plainTransferOf(deposit)
    return ([event, hash, index]) =>
      event === unrecorded && hash === txHash && BigInt(index ?? -1) === logIndex
  }
  const id = recordIdIn(deposit)
  return ([event, depositId]) =>
    (event === refunded || event === exited || event === settled) && depositId === id
}
