import {
  getAbiItem,
  type Hex,
  keccak256,
  serializeTransaction,
  type Transaction,
  type TransactionSerializable,
} from 'viem'
import { findLastLog } from '#src/chains/read/findLastLog.ts'
import type { HistoryReader } from '#src/chains/rpc/chainClient.ts'
import type { ChainConfig } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { approvalProxy as proxyArtifact } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { advance } from '#src/requests/state/advance.ts'
import { fundingDepositIds } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { Attempt, SolverTransaction } from '#src/requests/state/solverTransaction.ts'

type Deps = Readonly<{
  client: HistoryReader
  store: Pick<RequestStore, 'transactionsOf' | 'save'>
  log: Log
  /** Unix time in milliseconds. */
  now: () => number
}>

type Destination = Readonly<{
  chain: Pick<ChainConfig, 'id' | 'blockSeconds'>
  approvalProxy: Address
  identity: Address
}>

const filled = getAbiItem({ abi: proxyArtifact.abi, name: 'OrderFilled' })

/** Blocks that are searched in addition to those that the chain usually makes since the quote. */
const spareBlocks = 10_000n

/**
 * Restores the lost fill of a request that the approval proxy has marked as filled. The tracker then confirms it like
 * any other fill, and the request ends as a success. Does nothing if the store has a fill of the request that has not
 * reverted, or before the tracker has read the deposits of the fill.
 * @throws what the store and the RPC throw
 */
export function createRestoreFill(deps: Deps, destination: Destination) {
  const { client, store, log, now } = deps
  const { chain, approvalProxy: address, identity } = destination

  async function findFill({ orderId, createdAt }: SolverRequest) {
    const to = await client.getBlockNumber()
    const usual = Math.ceil(Math.max(now() - createdAt, 0) / 1000 / chain.blockSeconds)
    const from = to - 2n * BigInt(usual) - spareBlocks
    return findLastLog(
      (blocks) =>
        client.getLogs({ address, event: filled, args: { identity, orderId }, ...blocks }),
      () => true,
      { from: from > 0n ? from : 0n, to },
    )
  }

  return async (request: SolverRequest): Promise<void> => {
    const { requestId } = request
    const known = await store.transactionsOf(requestId)
    const fills = known.filter(({ purpose }) => purpose === 'fill')
    const depositIds = fundingDepositIds(request)
    if (depositIds.length === 0 || fills.some(({ status }) => status !== 'reverted')) return
    const facts = { chainId: chain.id, requestId }
    const found = await findFill(request)
    if (found === undefined)
      return log.warn(facts, 'No node has the log of a fill that the store has lost')
    const { transactionHash: hash, blockNumber: number, blockHash } = found
    const mined = { hash, block: { number, hash: blockHash } }
    const transaction = await client.getTransaction({ hash })
    const restored: SolverTransaction = {
      transactionId: `fill:${requestId}:${fills.length}`,
      purpose: 'fill',
      chainId: chain.id,
      account: toAddress(transaction.from.toLowerCase()),
      nonce: transaction.nonce,
      requestId,
      depositIds,
      spends: [],
      attempts: [attemptOf(transaction)],
      status: 'mined',
      mined,
      createdAt: now(),
      version: 0,
    }
    const event = { type: 'fillMined', transaction: { chainId: chain.id, ...mined } } as const
    const state = advance(request, event, now())
    const requests = state === request.state ? [] : [{ ...request, state }]
    if ((await store.save({ transactions: [restored], requests })) === 'saved')
      log.warn({ ...facts, hash }, 'Restores a fill that the store has lost')
  }
}

/** @throws Error if the node does not answer with the signed transaction of this hash */
function attemptOf(transaction: Transaction): Attempt {
  const { hash, input: data, r, s, v, yParity } = transaction
  const signature = { r, s, v, ...(yParity !== undefined && { yParity }) }
  const raw: Hex = serializeTransaction(
    { ...transaction, data } as TransactionSerializable,
    signature,
  )
  if (keccak256(raw) !== hash) throw new Error(`A node changed the transaction ${hash}`)
  const { gasPrice = 0n, maxFeePerGas = gasPrice, maxPriorityFeePerGas = gasPrice } = transaction
  return { hash, raw, maxFeePerGas, maxPriorityFeePerGas }
}
