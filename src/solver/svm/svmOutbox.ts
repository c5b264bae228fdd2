import { bytesToHex, hexToBytes } from 'viem'
import type { SvmClient } from '#src/chains/svm/svmClient.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { Blockhash } from '#src/core/units/svm/blockhash.ts'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import { limitComputeUnits, priceComputeUnits } from '#src/protocol/svm/computeBudget.ts'
import type { Instruction } from '#src/protocol/svm/instruction.ts'
import { instructionsOf } from '#src/protocol/svm/message.ts'
import type { SvmSigner } from '#src/protocol/svm/signer.ts'
import { decodeAdvanceNonce } from '#src/protocol/svm/systemProgram.ts'
import { decodeTransaction, signTransaction, withNonce } from '#src/protocol/svm/transaction.ts'
import type { LeaseProof } from '#src/requests/lease.ts'
import type { Batch, RequestStore } from '#src/requests/requestStore.ts'
import type { Attempt, SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { SettlementProof } from '#src/solver/depository/settlementProof.ts'
import type { Runtime } from '#src/solver/ports.ts'
import { createSendTurns } from '#src/solver/sending/sendTurns.ts'
import type { SvmSolverChain } from './svmPorts.ts'
import type { SvmView } from './svmView.ts'

/** A transaction before it has a nonce account. A fill needs a proof that its deposits can be settled. */
type SvmUnsent = Pick<SolverTransaction, 'transactionId' | 'requestId' | 'depositIds' | 'spends'> &
  Readonly<{
    instructions: readonly Instruction[]
    /** Its limit of compute units. */
    units: bigint
  }> &
  (
    | Readonly<{ purpose: 'fill'; proof: SettlementProof }>
    | Readonly<{ purpose: 'refund' | 'settlement' | 'sweep'; proof?: never }>
  )

export type SvmOutbox = Readonly<{
  /** Reads the view and takes the nonce accounts that no open transaction owns, while nothing else is sent. */
  openAlone: (readView: () => Promise<SvmView>) => Promise<SvmView>
  /** Whether the view is the last one that was read, and nothing has been sent since. */
  isCurrent: (view: SvmView) => boolean
  /** Number of transactions that can be sent now. */
  free: () => number
  /**
   * Stores a signed transaction together with `changes`, then sends it. `conflict`: nothing is stored, also where all
   * nonce accounts are in use.
   * @param microLamports price of a compute unit
   */
  send: (
    unsent: SvmUnsent,
    microLamports: bigint,
    changes: (transaction: SolverTransaction) => Batch,
  ) => Promise<'saved' | 'conflict'>
  /** Stores an attempt with another price of a compute unit, then sends it. */
  replace: (
    transaction: SolverTransaction,
    microLamports: bigint,
    changes: (transaction: SolverTransaction) => Batch,
  ) => Promise<'saved' | 'conflict'>
  /** Sends the last attempt again. */
  resend: (transaction: SolverTransaction) => void
  /** Resolves once nodes have answered everything that was sent. */
  flushed: () => Promise<void>
}>

type Ports = Runtime &
  Readonly<{
    client: SvmClient
    store: RequestStore
    lease: LeaseProof
    account: SvmSigner
    allocator: SvmSigner
  }>

/** The nonce account of a transaction, and the value with which it was signed. */
export type OwnedNonce = Readonly<{ nonceAccount: Pubkey; nonce: Blockhash }>

/** All attempts of a transaction have the same. Undefined for a fill that was restored from the chain. */
export function ownedNonceOf({ attempts }: SolverTransaction): OwnedNonce | undefined {
  const { raw } = attempts[0] ?? { raw: '0x' }
  if (raw === '0x') return undefined
  const { instructions, lifetime } = decodeTransaction(hexToBytes(raw))
  const [first] = instructions
  const owner = first && decodeAdvanceNonce(first)
  return owner && { nonceAccount: owner.nonceAccount, nonce: lifetime }
}

/**
 * Stores each transaction before it is sent (write-ahead), so that a crash loses none. Each owns a nonce account until
 * it is final: all its attempts have the same value of it, so that at most one of them lands.
 */
export function createSvmOutbox(
  { client, store, lease, account, allocator, log, now }: Ports,
  { chain: { id: chainId }, solver }: SvmSolverChain,
): SvmOutbox {
  const free = new Map<Pubkey, Blockhash>()
  const turns = createSendTurns<SvmView>()
  const sending = new Set<Promise<void>>()

  const signAttempt = createSignAttempt([account, allocator], solver)

  async function broadcast({ transactionId, attempts }: SolverTransaction): Promise<void> {
    const last = attempts.at(-1)
    if (last === undefined) return
    const facts = { chainId, transactionId, hash: last.hash }
    try {
      await lease.confirm()
      await client.send(hexToBytes(last.raw))
      log.debug(facts, 'Sent a transaction')
    } catch (error) {
      // It is stored: it is sent again.
      log.info({ ...facts, reason: reasonOf(error) }, 'Did not send a transaction')
    }
  }

  function dispatch(transaction: SolverTransaction): void {
    const sent = broadcast(transaction).finally(() => sending.delete(sent))
    sending.add(sent)
  }

  async function open(view: SvmView): Promise<SvmView> {
    const owned = new Set(
      view.open
        .filter(({ status }) => status === 'sent' || status === 'mined')
        .map((each) => ownedNonceOf(each)?.nonceAccount),
    )
    free.clear()
    for (const [nonceAccount, nonce] of view.nonces)
      if (!owned.has(nonceAccount)) free.set(nonceAccount, nonce)
    return view
  }

  const send: SvmOutbox['send'] = async (
    { instructions, units, proof: _, ...unsent },
    microLamports,
    changes,
  ) => {
    const [next] = free
    if (next === undefined) return 'conflict'
    const [nonceAccount, nonce] = next
    // Whatever becomes of the save, the account is not free before the next view.
    free.delete(nonceAccount)
    const limited = [limitComputeUnits(Number(units)), ...instructions]
    const attempt = await signAttempt(limited, { nonceAccount, nonce }, microLamports)
    const transaction: SolverTransaction = {
      ...unsent,
      chainId,
      account: solver,
      nonce: await store.nextNonce(chainId, solver),
      attempts: [attempt],
      status: 'sent',
      createdAt: now(),
      version: 0,
    }
    const saved = await store.save(changes(transaction))
    if (saved === 'saved') dispatch(transaction)
    return saved
  }

  const replace: SvmOutbox['replace'] = async (transaction, microLamports, changes) => {
    const owned = ownedNonceOf(transaction)
    const [first] = transaction.attempts
    if (owned === undefined || first === undefined) return 'conflict'
    // The nonce and the price are the first two.
    const instructions = instructionsOf(decodeTransaction(hexToBytes(first.raw))).slice(2)
    const attempt = await signAttempt(instructions, owned, microLamports)
    const replaced = { ...transaction, attempts: [...transaction.attempts, attempt] }
    const saved = await store.save(changes(replaced))
    if (saved === 'saved') dispatch(replaced)
    return saved
  }

  return {
    openAlone: (readView) => turns.openAlone(readView, open),
    isCurrent: turns.isCurrent,
    free: () => free.size,
    send: (...args) => turns.send(() => send(...args)),
    replace: (...args) => turns.change(() => replace(...args)),
    resend: dispatch,
    flushed: async () => {
      await Promise.all(sending)
    },
  }
}

/** Signs a transaction with its nonce and its price of a compute unit, the first two of its instructions. */
const createSignAttempt =
  (signers: readonly SvmSigner[], solver: Pubkey) =>
  async (
    instructions: readonly Instruction[],
    { nonceAccount, nonce }: OwnedNonce,
    microLamports: bigint,
  ): Promise<Attempt> => {
    const priced = [priceComputeUnits(microLamports), ...instructions]
    const owned = { nonceAccount, authority: solver, nonce }
    const message = withNonce(owned, { payer: solver, instructions: priced })
    const { bytes, signature } = await signTransaction(message, signers)
    const fees = { maxFeePerGas: microLamports, maxPriorityFeePerGas: microLamports }
    return { hash: signature, raw: bytesToHex(bytes), ...fees }
  }
