import { type Hex, keccak256, parseTransaction } from 'viem'
import { reasonOf } from '#src/errors.ts'
import type { TransactionCall } from '#src/execution/calls/transactionCall.ts'
import type { Batch } from '#src/requests/requestStore.ts'
import type { TransactionSighting } from '#src/requests/state/requestState.ts'
import type { Attempt, SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { SolverChain, SolverDeps } from '#src/solver/solverDeps.ts'
import { toAddress } from '#src/units/address.ts'
import { cancellationOf, isCancellation } from './cancellation.ts'
import { estimateGas } from './estimateGas.ts'
import type { Fees } from './fees.ts'

/** A transaction before it has a nonce. */
export type Draft = Pick<
  SolverTransaction,
  'transactionId' | 'purpose' | 'requestId' | 'depositIds' | 'spends'
> &
  Readonly<{ call: TransactionCall; gas: bigint }>

export type Outbox = Readonly<{
  /** Takes up what the chain and the store say of nonces; while it gives any that nothing holds, nothing new may be sent. */
  open: (view: ChainView) => Promise<readonly number[]>
  /** Stores a signed transaction with what else it changes, then sends it. Of a `conflict` nothing remains. */
  send: (
    draft: Draft,
    fees: Fees,
    changes: (transaction: SolverTransaction) => Batch,
  ) => Promise<'saved' | 'conflict'>
  /** Stores an attempt that takes the place of the last one, then sends it. */
  replace: (
    transaction: SolverTransaction,
    fees: Fees,
    changes: (transaction: SolverTransaction) => Batch,
  ) => Promise<'saved' | 'conflict'>
  /** Stores, as an attempt of it, what takes its nonce and does nothing, then sends that. */
  cancel: (transaction: SolverTransaction, fees: Fees) => Promise<'saved' | 'conflict'>
  /** The last attempt once more. */
  resend: (transaction: SolverTransaction) => void
  /** How many times in a row the account could not pay for it. */
  refusals: (transaction: SolverTransaction) => number
  /** Once all that was sent has been answered. */
  flushed: () => Promise<void>
}>

/** The attempt that counts until another is made; what only takes its nonce pays nothing, and is not shown. */
export function sightingOf(transaction: SolverTransaction): TransactionSighting {
  const { chainId, attempts } = transaction
  const last = attempts.findLast((attempt) => !isCancellation(transaction, attempt))
  if (last === undefined) throw new Error('A transaction has an attempt')
  return { chainId, hash: last.hash }
}

/** Writes transactions ahead, in the order of their nonces, none of which is ever left out. */
export function createOutbox(
  { client, store, log, account, now }: Omit<SolverDeps, 'market' | 'bus'>,
  { chain, solver }: SolverChain,
): Outbox {
  /** Undefined until it is read, and again once it may have been taken by others. */
  let nonce: number | undefined
  const refused = new Map<string, number>()
  /** Of a chain without EIP-1559. */
  let isLegacy = false
  const sending = new Set<Promise<void>>()
  const chainId = chain.id

  async function sign(
    call: TransactionCall,
    terms: Readonly<{ nonce: number; gas: bigint }>,
    fees: Fees,
  ): Promise<Attempt> {
    const shared = { chainId, ...call, ...terms }
    const raw = await account.signTransaction(
      isLegacy
        ? { ...shared, type: 'legacy', gasPrice: fees.maxFeePerGas }
        : { ...shared, type: 'eip1559', ...fees },
    )
    return { hash: keccak256(raw), raw, ...fees }
  }

  async function broadcast({ transactionId, attempts }: SolverTransaction): Promise<void> {
    const last = attempts.at(-1)
    if (last === undefined) return
    const facts = { chainId, transactionId, hash: last.hash }
    try {
      await client.ask({ method: 'eth_sendRawTransaction', params: [last.raw] }, (hash) => hash)
      refused.delete(transactionId)
      log.debug(facts, 'Sent a transaction')
    } catch (error) {
      const reason = reasonOf(error)
      if (isUnpaid.test(reason)) refused.set(transactionId, (refused.get(transactionId) ?? 0) + 1)
      // It is there, or another attempt of it was mined: who watches finds out.
      if (isKnown.test(reason)) log.debug({ ...facts, reason }, 'It was sent before')
      // It is stored, and will be sent again, or replaced at a higher price.
      else log.warn({ ...facts, reason }, 'A transaction is not taken; trying on')
    }
  }

  function dispatch(transaction: SolverTransaction): void {
    const sent = broadcast(transaction).finally(() => sending.delete(sent))
    sending.add(sent)
  }

  return {
    async open({ head, nonces, open }) {
      isLegacy = head.baseFeePerGas === null
      const last = await store.lastNonce(chainId, solver)
      nonce = Math.max(nonces.pending, last === undefined ? 0 : last + 1)
      const waiting = new Set(open.map((each) => each.nonce))
      const names = new Set(open.map(({ transactionId }) => transactionId))
      for (const name of refused.keys()) if (!names.has(name)) refused.delete(name)
      return range(nonces.pending, nonce).filter((each) => !waiting.has(each))
    },
    async send({ call, gas, ...draft }, fees, changes) {
      const own = nonce
      if (own === undefined) throw new Error('The outbox is not open')
      const attempt = await sign(call, { nonce: own, gas }, fees)
      const transaction: SolverTransaction = {
        ...draft,
        chainId,
        account: solver,
        nonce: own,
        attempts: [attempt],
        status: 'sent',
        createdAt: now(),
        version: 0,
      }
      // Where it is not known whether it was stored, the nonce is not given out again.
      nonce = undefined
      const saved = await store.save(changes(transaction))
      if (saved === 'conflict') {
        const last = await store.lastNonce(chainId, solver)
        nonce = Math.max(own, last === undefined ? 0 : last + 1)
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
      const estimate = await estimateGas(client, solver, call)
      if (estimate.kind !== 'gas') throw new Error('An account cannot pay itself nothing')
      const { nonce: taken, attempts } = transaction
      const attempt = await sign(call, { nonce: taken, gas: estimate.gas }, fees)
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
    refusals: ({ transactionId }) => refused.get(transactionId) ?? 0,
    flushed: async () => {
      await Promise.all(sending)
    },
  }
}

const isKnown = /already (known|imported)|nonce too low/i
/** Of gas at the price that it offers, and what it takes along. */
const isUnpaid = /insufficient ?(funds|balance)/i

/** What a signed transaction does. */
function readCall(raw: Hex): Readonly<{ call: TransactionCall; gas: bigint }> {
  const { to, data = '0x', value = 0n, gas = 0n } = parseTransaction(raw)
  if (to == null) throw new Error('No transaction of the solver makes a contract')
  return { call: { to: toAddress(to), data, value }, gas }
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at)
