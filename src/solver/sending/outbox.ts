import {
  type Hex,
  keccak256,
  parseTransaction,
  type SignedAuthorization,
  type TransactionSerializable,
} from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { RpcRefusedError } from '#src/chains/rpc/rpcError.ts'
import type { Signer } from '#src/config/keys/signer.ts'
import { reasonOf } from '#src/core/errors.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'
import type { LeaseProof } from '#src/requests/lease.ts'
import type { Batch, RequestStore } from '#src/requests/requestStore.ts'
import type { ObservedTransaction } from '#src/requests/state/requestState.ts'
import {
  type Attempt,
  isCancellation,
  type SolverTransaction,
} from '#src/requests/state/solverTransaction.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { SettlementProof } from '#src/solver/depository/settlementProof.ts'
import type { AccountChain, OwnChain, Runtime } from '#src/solver/ports.ts'
import { estimateGas, type Fees } from './estimateGas.ts'

type Ports = Runtime &
  Readonly<{
    client: ChainClient
    store: RequestStore
    lease: LeaseProof
    account: Signer
  }>

/** A transaction before it has a nonce. A fill needs a proof that its deposits can be settled. */
export type UnsentTransaction = Pick<
  SolverTransaction,
  'transactionId' | 'requestId' | 'depositIds' | 'spends'
> &
  Readonly<{ call: TransactionCall; gas: bigint }> &
  (
    | Readonly<{ purpose: 'fill'; proof: SettlementProof }>
    | Readonly<{ purpose: Exclude<SolverTransaction['purpose'], 'fill'>; proof?: never }>
  )

/** How the nonces of the chain and those of the store differ. While they do, nothing new may be sent. */
type NonceGap = Readonly<{
  /** Nonces that the store has given out, and that neither the chain nor an open transaction has. */
  missing: readonly number[]
  /**
   * How many nonces the chain has beyond the store's. The store has lost transactions, or somebody else uses the key:
   * the payments of those transactions could be repeated.
   */
  unknown: number
}>

export type Sender = Readonly<{
  /** Stores a signed transaction together with `changes`, then sends it. A `conflict` stores nothing. */
  send: (
    unsent: UnsentTransaction,
    fees: Fees,
    changes: (transaction: SolverTransaction) => Batch,
  ) => Promise<'saved' | 'conflict'>
}>

export type Outbox = Sender &
  Readonly<{
    /** Stores an attempt that replaces the last one, then sends it. */
    replace: (
      transaction: SolverTransaction,
      fees: Fees,
      changes: (transaction: SolverTransaction) => Batch,
    ) => Promise<'saved' | 'conflict'>
    /** Stores a cancellation as the next attempt, then sends it. `conflict`: nothing is stored, also where its gas cannot be estimated. */
    cancel: (transaction: SolverTransaction, fees: Fees) => Promise<'saved' | 'conflict'>
    /** Sends the last attempt again. */
    resend: (transaction: SolverTransaction) => void
    /** How often in a row nodes refused it because the account cannot pay for it, or no node takes it as it is. */
    refusals: (transaction: SolverTransaction) => number
    /** Resolves once nodes have answered everything that was sent. */
    flushed: () => Promise<void>
  }>

export type OpenableOutbox = Outbox &
  Readonly<{
    /** Compares the nonces of the chain with those of the store. Nothing can be sent before, or while some are unknown. */
    open: (view: ChainView) => Promise<NonceGap>
  }>

/** The latest attempt that is not a cancellation, as requests show it. */
export function currentAttempt(transaction: SolverTransaction): ObservedTransaction {
  const { chainId, attempts } = transaction
  const last = attempts.findLast((attempt) => !isCancellation(transaction, attempt))
  if (last === undefined) throw new Error('The transaction has no attempt')
  return { chainId, hash: last.hash }
}

/**
 * Stores each transaction before it is sent (write-ahead), so that a crash loses none. Nonces are given out in order
 * and without gaps.
 */
export function createOutbox(ports: Ports, accountChain: AccountChain): OpenableOutbox {
  const { client, store, log, account, now } = ports
  const { chain, solver } = accountChain
  /** Undefined before the first read, while nonces are unknown, and where a failed save may have used it. */
  let nonce: number | undefined
  /** Whether the chain lacks EIP-1559. */
  let isLegacy = false
  const chainId = chain.id
  const { dispatch, refusals, keepOnly, flushed } = createBroadcasts(ports, accountChain)

  const sign = (
    call: TransactionCall,
    terms: Readonly<{ nonce: number; gas: bigint }>,
    fees: Fees,
  ): Promise<Attempt> => signAttempt(account, call, { ...terms, chainId, isLegacy }, fees)

  return {
    async open({ head, nonces, open }) {
      isLegacy = head.baseFeePerGas === null
      // The chain's nonces were read first, so transactions stored since then are no gap.
      const next = await store.nextNonce(chainId, solver)
      const unknown = Math.max(0, nonces.pending - next)
      nonce = unknown > 0 ? undefined : next
      const waiting = new Set(open.map((each) => each.nonce))
      keepOnly(new Set(open.map(({ transactionId }) => transactionId)))
      return { missing: range(nonces.pending, next).filter((each) => !waiting.has(each)), unknown }
    },
    async send({ call, gas, proof: _, ...unsent }, fees, changes) {
      const own = nonce
      if (own === undefined) throw new Error('The outbox is not open')
      const attempt = await sign(call, { nonce: own, gas }, fees)
      const transaction: SolverTransaction = {
        ...unsent,
        chainId,
        account: solver,
        nonce: own,
        attempts: [attempt],
        status: 'sent',
        createdAt: now(),
        version: 0,
      }
      // If the save throws, the transaction may be stored or not: the nonce is read again.
      nonce = undefined
      const saved = await store.save(changes(transaction))
      if (saved === 'conflict') {
        nonce = Math.max(own, await store.nextNonce(chainId, solver))
        return saved
      }
      nonce = own + 1
      dispatch(transaction)
      return saved
    },
    async replace(transaction, fees, changes) {
      const last = transaction.attempts.at(-1)
      if (last === undefined) throw new Error(`${transaction.transactionId} was never signed`)
      const { call, gas } = readCall(last.raw)
      const attempt = await sign(call, { nonce: transaction.nonce, gas }, fees)
      const replaced = { ...transaction, attempts: [...transaction.attempts, attempt] }
      const saved = await store.save(changes(replaced))
      if (saved === 'saved') dispatch(replaced)
      return saved
    },
    async cancel({ mined: _, ...transaction }, fees) {
      const call = cancellationOf(solver)
      const estimate = await estimateGas(client, solver, call, fees)
      if (estimate.kind !== 'gas') {
        const facts = { chainId, transactionId: transaction.transactionId, outcome: estimate.kind }
        log.error(facts, 'The gas of a cancellation cannot be estimated; will try again')
        return 'conflict'
      }
      const { nonce: usedNonce, attempts } = transaction
      const attempt = await sign(call, { nonce: usedNonce, gas: estimate.gas }, fees)
      const cancelled: SolverTransaction = {
        ...transaction,
        status: 'sent',
        attempts: [...attempts, attempt],
      }
      const saved = await store.save({ transactions: [cancelled] })
      if (saved === 'saved') dispatch(cancelled)
      return saved
    },
    resend: dispatch,
    refusals,
    flushed,
  }
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at)

/** A transfer of 0 to the account itself: it uses a nonce and has no other effect. */
const cancellationOf = (account: Address): TransactionCall => ({
  to: account,
  data: '0x',
  value: 0n,
})

/** `isLegacy`: the chain lacks EIP-1559. */
type Terms = Readonly<{ chainId: number; nonce: number; gas: bigint; isLegacy: boolean }>

/** Signs a transaction of the account, ready to be sent. */
async function signAttempt(
  account: Signer,
  { authorizationList, ...call }: TransactionCall,
  { isLegacy, ...terms }: Terms,
  fees: Fees,
): Promise<Attempt> {
  const shared = { ...call, ...terms }
  const typed = (): TransactionSerializable => {
    if (authorizationList !== undefined)
      return { ...shared, type: 'eip7702', ...fees, authorizationList }
    return isLegacy
      ? { ...shared, type: 'legacy', gasPrice: fees.maxFeePerGas }
      : { ...shared, type: 'eip1559', ...fees }
  }
  const raw = await account.signTransaction(typed())
  return { hash: keccak256(raw), raw, ...fees }
}

/** Decodes the call of a signed transaction. */
function readCall(raw: Hex): Readonly<{ call: TransactionCall; gas: bigint }> {
  const { to, data = '0x', value = 0n, gas = 0n, authorizationList } = parseTransaction(raw)
  if (to == null) throw new Error('The solver never creates contracts')
  const call = { to: toAddress(to), data, value }
  if (authorizationList === undefined) return { call, gas }
  return { call: { ...call, authorizationList: authorizationList.map(readAuthorization) }, gas }
}

function readAuthorization({
  chainId,
  address,
  nonce,
  yParity = 0,
  r,
  s,
}: SignedAuthorization): NonNullable<TransactionCall['authorizationList']>[number] {
  return { chainId, address: toAddress(address), nonce, yParity, r, s }
}

/** Sends stored transactions to the nodes, in the background. */
type Broadcasts = Readonly<{
  /** Sends the last attempt. A refusal is only counted: the monitor sends it again, or replaces it. */
  dispatch: (transaction: SolverTransaction) => void
  /** How often in a row nodes refused it because the account cannot pay for it, or no node takes it as it is. */
  refusals: (transaction: SolverTransaction) => number
  /** Discards the refusals of all other transactions. */
  keepOnly: (transactionIds: ReadonlySet<string>) => void
  /** Resolves once nodes have answered everything that was sent. */
  flushed: () => Promise<void>
}>

function createBroadcasts(
  { client, lease, log }: Ports,
  { chain: { id: chainId } }: OwnChain,
): Broadcasts {
  /** Number of refusals for lack of funds, or because of what the transaction is, in a row, by transaction. */
  const refusals = new Map<string, number>()
  const sending = new Set<Promise<void>>()

  async function broadcast({ transactionId, attempts }: SolverTransaction): Promise<void> {
    const last = attempts.at(-1)
    if (last === undefined) return
    const facts = { chainId, transactionId, hash: last.hash }
    try {
      await lease.confirm()
    } catch (error) {
      // It is stored: the current leader sends it.
      log.info({ ...facts, reason: reasonOf(error) }, 'Did not send a transaction')
      return
    }
    try {
      await client.ask({ method: 'eth_sendRawTransaction', params: [last.raw] }, (hash) => hash)
      refusals.delete(transactionId)
      log.debug(facts, 'Sent a transaction')
    } catch (error) {
      const reason = reasonOf(error)
      if (isInsufficientFunds.test(reason) || error instanceof RpcRefusedError)
        refusals.set(transactionId, (refusals.get(transactionId) ?? 0) + 1)
      // The node has it, or another attempt was mined: the monitor finds out.
      if (isKnown.test(reason)) log.debug({ ...facts, reason }, 'The transaction was sent before')
      // It is stored: the monitor sends it again, or replaces it with a higher fee.
      else log.warn({ ...facts, reason }, 'A node refused a transaction; will send it again')
    }
  }

  return {
    dispatch(transaction) {
      const sent = broadcast(transaction).finally(() => sending.delete(sent))
      sending.add(sent)
    },
    refusals: ({ transactionId }) => refusals.get(transactionId) ?? 0,
    keepOnly: (ids) => {
      for (const id of refusals.keys()) if (!ids.has(id)) refusals.delete(id)
    },
    flushed: async () => {
      await Promise.all(sending)
    },
  }
}

const isKnown = /already (known|imported)|nonce too low/i
/** The account cannot pay the gas and the value. */
const isInsufficientFunds = /insufficient ?(funds|balance)/i
