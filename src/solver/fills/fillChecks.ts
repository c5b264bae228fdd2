import {
  getAbiItem,
  type Hex,
  keccak256,
  serializeTransaction,
  type Transaction,
  type TransactionSerializable,
} from 'viem'
import { createReadFinal } from '#src/chains/follow/finality.ts'
import { countAt } from '#src/chains/read/readTransaction.ts'
import type { ChainClient, HistoryReader } from '#src/chains/rpc/chainClient.ts'
import { findLastLog } from '#src/chains/search/searchLogs.ts'
import type { ChainConfig } from '#src/config/config.ts'
import { AppError, reasonOf } from '#src/core/errors.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { paymentOrderIdOf } from '#src/protocol/calls/depositAddress.ts'
import { approvalProxy as proxyArtifact } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'
import { advance } from '#src/requests/machine.ts'
import type { BatchStore, PaymentReads, RequestStore } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { fundingDepositIds } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { Attempt, SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { createIsPaidOut } from '#src/solver/depository/depositoryCalls.ts'
import type { Runtime } from '#src/solver/ports.ts'

/**
 * - `unfilled`: no fill that is missing from the store has paid for the deposit, and none can any more.
 * - `filled`: the chain has such a fill.
 * - `notYet`: not decidable yet. Ask again later.
 */
type FillVerdict = 'unfilled' | 'filled' | 'notYet'

/**
 * - `owed`: the depository owes the deposit, and no payout that is missing from the store is under way.
 * - `paidOut`: the store has lost a refund, or the fill and its settlement.
 * - `notYet`: not decidable yet. Ask again later.
 */
type OwedVerdict = 'owed' | 'paidOut' | 'notYet'

/**
 * Reads from the chains whether an order is filled, and whether its deposits are still owed. A restored database may
 * have lost fills and refunds: nothing may pay for the same order again.
 */
export type FillChecks = Readonly<{
  /** Called right before a fill, for all of its deposits. */
  owed: (deposits: readonly Deposit[]) => Promise<OwedVerdict>
  /** Called right before the refund of a deposit. Checks all chains if the request is unknown. */
  verdict: (deposit: Deposit, request: SolverRequest | undefined) => Promise<FillVerdict>
  /** Stores the lost fill of a filled request. Logs failures: ask again later. */
  restore: (request: SolverRequest) => Promise<void>
}>

type Ports = Runtime & Readonly<{ clients: ReadonlyMap<ChainId, ChainClient>; store: RequestStore }>

type Solver = Readonly<{
  /** Sends the fills. */
  account: Address
  /** The account marks orders as filled in the name of this identity. */
  identity: Address
}>

/** @param others chains of other virtual machines */
export function createFillChecks(
  ports: Ports,
  chains: readonly ChainConfig[],
  solver: Solver,
  others: ReadonlyMap<ChainId, ChainChecks> = new Map(),
): FillChecks {
  const { store, log } = ports
  const checks = new Map<ChainId, ChainChecks>([
    ...others,
    ...chains.flatMap((chain) => {
      const client = ports.clients.get(chain.id)
      return chain.contracts === undefined || client === undefined
        ? []
        : [
            [
              chain.id,
              createChainChecks({ ...ports, client }, chain, chain.contracts, solver),
            ] as const,
          ]
    }),
  ])

  /** Whether the store has the fill of the request, and other deposits paid for it. */
  async function isOtherwiseFilled({ requestId }: SolverRequest, { depositId }: Deposit) {
    const fills = (await store.transactionsOf(requestId)).filter(
      ({ purpose, status }) => purpose === 'fill' && (status === 'mined' || status === 'final'),
    )
    return fills.length > 0 && fills.every(({ depositIds }) => !depositIds.includes(depositId))
  }

  async function owedVerdict(deposit: Deposit): Promise<OwedVerdict> {
    const { chainId, depositId } = deposit
    try {
      return (await checks.get(chainId)?.owed(deposit)) ?? 'notYet'
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      log.debug({ chainId, depositId, code: error.code }, 'A fill waits for an origin chain')
      return 'notYet'
    }
  }

  return {
    async owed(deposits) {
      const verdicts = await Promise.all(deposits.map(owedVerdict))
      if (verdicts.includes('paidOut')) return 'paidOut'
      return verdicts.includes('notYet') ? 'notYet' : 'owed'
    },
    async verdict(deposit, request) {
      if (request !== undefined && (await isOtherwiseFilled(request, deposit))) return 'unfilled'
      const asked =
        request === undefined
          ? [...checks.values()]
          : [checks.get(request.destinationChainId)].filter((each) => each !== undefined)
      try {
        for (const each of asked)
          for (const orderId of ordersOf(deposit, request)) {
            const verdict = await each.verdictOn(orderId)
            if (verdict !== 'unfilled') return verdict
          }
        return 'unfilled'
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const { chainId, depositId } = deposit
        log.debug({ chainId, depositId, code: error.code }, 'A refund waits for another chain')
        return 'notYet'
      }
    },
    async restore(request) {
      const { requestId, destinationChainId: chainId } = request
      try {
        await checks.get(chainId)?.restore(request)
      } catch (error) {
        const facts = { chainId, requestId, reason: reasonOf(error) }
        log.error(facts, 'A fill that the store has lost cannot be restored; will try again')
      }
    },
  }
}

/** Fills and deposits as one chain has them. Each throws what the store and the RPC throw. */
export type ChainChecks = Readonly<{
  owed: (deposit: Deposit) => Promise<OwedVerdict>
  verdictOn: (orderId: Deposit['orderId']) => Promise<FillVerdict>
  /** Stores the lost fill of a filled request. */
  restore: (request: SolverRequest) => Promise<void>
}>

type ChainPorts = Omit<Ports, 'clients'> & Readonly<{ client: ChainClient }>

function createChainChecks(
  ports: ChainPorts,
  chain: ChainConfig,
  contracts: ProtocolContracts,
  { account, identity }: Solver,
): ChainChecks {
  const { client, store } = ports
  const { approvalProxy: address } = contracts
  const readFinal = createReadFinal(client, chain)
  const isPaidOut = createIsPaidOut(client, contracts)

  const isMarked = (orderId: Deposit['orderId']): Promise<boolean> =>
    client.readContract({
      address,
      abi: proxyArtifact.abi,
      functionName: 'filled',
      args: [identity, orderId],
    })

  /** Whether the store has every transaction of the account, except final ones that an operator accepted. */
  async function knowsAll(): Promise<boolean> {
    const mined = await countAt(client, account, 'latest')
    const pending = await countAt(client, account, 'pending')
    // Read after the chain: each transaction is stored before it is sent, so one that is sent meanwhile is no gap.
    if (Math.max(mined, pending) > (await store.nextNonce(chain.id, account))) return false
    const accepted = await store.acceptedNonce(chain.id, account)
    if (accepted === 0) return true
    const final = await readFinal(await client.getBlockNumber())
    return final !== undefined && (await countAt(client, account, final.number)) >= accepted
  }

  return {
    restore: createRestoreFill(ports, { chain, approvalProxy: address, identity }),
    async owed(deposit) {
      // The transactions first: a refund that lands meanwhile then shows in the depository.
      if (!(await knowsAll())) return 'notYet'
      return (await isPaidOut(deposit)) ? 'paidOut' : 'owed'
    },
    async verdictOn(orderId: Deposit['orderId']): Promise<FillVerdict> {
      if (await isMarked(orderId)) return 'filled'
      return (await knowsAll()) ? 'unfilled' : 'notYet'
    },
  }
}

/** The order ids under which a deposit may be filled. Without a request, it may be a payment to an open address. */
const ordersOf = (
  { orderId, depositId }: Deposit,
  request: SolverRequest | undefined,
): readonly Deposit['orderId'][] =>
  request === undefined ? [orderId, paymentOrderIdOf(orderId, depositId)] : [request.orderId]

type Deps = Runtime &
  Readonly<{
    client: HistoryReader
    store: PaymentReads & BatchStore
  }>

type Destination = Readonly<{
  chain: ChainConfig
  approvalProxy: Address
  identity: Address
}>

const filled = getAbiItem({ abi: proxyArtifact.abi, name: 'OrderFilled' })

/** Blocks that are searched in addition to those that the chain usually makes since the quote, or since the deposit. */
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

  async function findFill({ orderId, createdAt }: SolverRequest, depositIds: readonly string[]) {
    const deposits = await store.findDeposits(depositIds)
    // A store that lost the request of a payment to an open address has made it again, after the fill.
    const since = Math.min(createdAt, ...deposits.map(({ timestamp }) => timestamp * 1000))
    const to = await client.getBlockNumber()
    const usual = Math.ceil(Math.max(now() - since, 0) / 1000 / chain.blockSeconds)
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
    const found = await findFill(request, depositIds)
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
