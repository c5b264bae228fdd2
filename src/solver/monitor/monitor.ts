import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { GasMarket } from '#src/core/pricing/gas/gas.ts'
import { advance } from '#src/requests/machine.ts'
import type { Batch, RequestStore } from '#src/requests/requestStore.ts'
import type { RequestEvent } from '#src/requests/state/requestEvent.ts'
import { inputFundedBy, type StoredRequest } from '#src/requests/state/requestState.ts'
import { isCancelled, type SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { OwnChain, Runtime, SolverChain, SolverMarket } from '#src/solver/ports.ts'
import { type Fees, marketFees, raisedFees } from '#src/solver/sending/estimateGas.ts'
import { currentAttempt, type Outbox } from '#src/solver/sending/outbox.ts'
import type { StillPays } from './stillPays.ts'
import { createUsedNonces } from './usedNonces.ts'

type Ports = Runtime & Readonly<{ client: ChainClient; store: RequestStore; market: SolverMarket }>

type Monitor = Readonly<{
  /**
   * Looks after all sent transactions. Returns the mined ones that had no effect: nothing replaces them until they are final,
   * but the amounts that they would have spent are free.
   */
  inspect: (view: ChainView) => Promise<ReadonlySet<SolverTransaction>>
  /** Number of fills whose nonce was used by a transaction that no node shows, at the last look. */
  unexplained: () => number
}>

/**
 * Monitors the sent transactions until a block includes them: sends them again, raises their fee, cancels them, and
 * records failures and confirmations for which no log exists that the tracker could see.
 */
export function createMonitor(
  ports: Ports,
  solverChain: SolverChain,
  outbox: Outbox,
  stillPays: StillPays,
): Monitor {
  const used = createUsedNonces(ports, solverChain)
  const waiting = createWaitingTransactions(ports, solverChain, outbox, stillPays)
  return {
    unexplained: used.unexplained,
    async inspect(view) {
      const sent = view.open.filter(({ status }) => status === 'sent')
      const ids = new Set(sent.map(({ transactionId }) => transactionId))
      waiting.keepOnly(ids)
      used.keepOnly(ids)
      const isMined = ({ nonce }: SolverTransaction) => nonce < view.nonces.mined
      const mined = sent.filter(isMined)
      const isIneffective = await Promise.all(mined.map((each) => used.inspect(each, view)))
      for (const each of sent) if (!isMined(each)) await waiting.push(each, view)
      return new Set(mined.filter((_, at) => isIneffective[at]))
    },
  }
}

/** Seconds that the transaction with the next nonce waits before its fee is raised, on fast chains too. */
const secondsBeforeRaise = 30
/** Seconds after which a fill that no longer pays is cancelled: the nonces behind it wait for it. */
const secondsBeforeCancel = 600
/** Attempts of one transaction, not counting those that the base fee has overtaken. Each raises the fee by at least an eighth. */
const maxAttempts = 12
/** Refusals in a row before the transaction that blocks all others is cancelled. */
const maxRefusals = 5

/** Looks after transactions that no block includes. */
type WaitingTransactions = Readonly<{
  /** Cancels the transaction, raises its fee, or sends it again. */
  push: (transaction: SolverTransaction, view: ChainView) => Promise<void>
  /** Discards what is known about all other transactions. */
  keepOnly: (transactionIds: ReadonlySet<string>) => void
}>

function createWaitingTransactions(
  { store, log, market, now }: Ports,
  { chain }: OwnChain,
  outbox: Outbox,
  stillPays: StillPays,
): WaitingTransactions {
  /** When, in Unix ms, each transaction was first found waiting with its current number of attempts, and the block. */
  const waitingSince = new Map<string, Readonly<{ attempts: number; at: number; block: bigint }>>()

  const waitFrom = ({ transactionId }: SolverTransaction, attempts: number, block: bigint) =>
    void waitingSince.set(transactionId, { attempts, at: now(), block })

  /** The account cannot pay for it, or no node takes it, and all later transactions wait for it. */
  const isRefused = (transaction: SolverTransaction, { nonces }: ChainView): boolean =>
    transaction.nonce === nonces.mined &&
    outbox.refusals(transaction) >= maxRefusals &&
    !isCancelled(transaction)

  async function cancel(transaction: SolverTransaction, gas: GasMarket): Promise<void> {
    const last = transaction.attempts.at(-1)
    if (last === undefined) return
    const { transactionId } = transaction
    log.warn(
      { chainId: chain.id, transactionId },
      'Canceling a transaction that nodes refuse or that no longer pays',
    )
    await outbox.cancel(transaction, raisedFees(last, marketFees(gas)))
  }

  function isStuck(transaction: SolverTransaction, { head, nonces }: ChainView): boolean {
    const { transactionId, nonce, attempts } = transaction
    const since = waitingSince.get(transactionId)
    if (since?.attempts !== attempts.length) {
      waitFrom(transaction, attempts.length, head.number)
      return false
    }
    if (since.block === head.number) return false
    const hasWaited = now() - since.at >= secondsBeforeRaise * 1000
    const isUnderpriced = (attempts.at(-1)?.maxFeePerGas ?? 0n) < (head.baseFeePerGas ?? 0n)
    if (isUnderpriced) return hasWaited || attempts.length < maxAttempts
    // Only the next nonce can be stuck: later ones wait for it.
    return nonce === nonces.mined && hasWaited && attempts.length < maxAttempts
  }

  async function raise(transaction: SolverTransaction, fees: Fees): Promise<void> {
    const { transactionId, requestId } = transaction
    const request = requestId === undefined ? undefined : await store.find(requestId)
    log.info({ chainId: chain.id, transactionId }, 'A transaction waits too long: raises its fee')
    await outbox.replace(transaction, fees, (replaced) => ({
      transactions: [replaced],
      ...shownChange(request, replaced, now()),
    }))
  }

  return {
    async push(transaction, view) {
      const { head, nonces } = view
      const gas = market.latest(chain.id)?.gas
      if (gas !== undefined && isRefused(transaction, view)) return cancel(transaction, gas)
      if (gas !== undefined && isStuck(transaction, view)) {
        const last = transaction.attempts.at(-1)
        const fees = raisedFees(last ?? noFees, marketFees(gas))
        if (isCancelled(transaction) || (await stillPays(transaction, fees))) {
          await raise(transaction, fees)
          return waitFrom(transaction, transaction.attempts.length + 1, head.number)
        }
        // Cheaper gas, or a better price, makes it pay again. But all later transactions wait for it.
        const waitsFor = (now() - transaction.createdAt) / 1000
        if (transaction.nonce === nonces.mined && waitsFor >= secondsBeforeCancel)
          return cancel(transaction, gas)
      }
      if (transaction.nonce >= nonces.pending) outbox.resend(transaction)
    },
    keepOnly: (ids) => {
      for (const id of waitingSince.keys()) if (!ids.has(id)) waitingSince.delete(id)
    },
  }
}

const noFees: Fees = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }

/** The change of the request that shows the new attempt. A cancellation is not shown. */
function shownChange(
  request: StoredRequest | undefined,
  replaced: SolverTransaction,
  at: number,
): Pick<Batch, 'requests'> {
  const event = request && !isCancelled(replaced) && sentEvent(request, replaced)
  if (request === undefined || !event) return {}
  const state = advance(request, event, at)
  return state === request.state ? {} : { requests: [{ ...request, state }] }
}

/** Undefined where the request does not show the transaction. */
function sentEvent(request: StoredRequest, replaced: SolverTransaction): RequestEvent | undefined {
  const transaction = currentAttempt(replaced)
  if (replaced.purpose === 'fill') return { type: 'fillSent', transaction }
  if (replaced.purpose !== 'refund') return undefined
  // A refund has exactly one deposit.
  const input = inputFundedBy(request, replaced.depositIds[0] ?? '')
  return input === undefined ? undefined : { type: 'refundSent', input, transaction }
}
