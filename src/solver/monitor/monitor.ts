import type { Receipt } from '#src/chains/read/readTransaction.ts'
import type { GasMarket } from '#src/pricing/gas/gas.ts'
import type { Batch } from '#src/requests/requestStore.ts'
import { advance } from '#src/requests/state/advance.ts'
import type { RequestEvent } from '#src/requests/state/requestEvent.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import { inputFundedBy } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { createSecondLook } from '#src/solver/blockDebounce.ts'
import { type ChainView, countAt } from '#src/solver/chainView.ts'
import { isCancellation, isCancelled } from '#src/solver/sending/cancellation.ts'
import { marketFees, raisedFees } from '#src/solver/sending/fees.ts'
import { type Outbox, sightingOf } from '#src/solver/sending/outbox.ts'
import type { SolverChain, SolverDeps } from '#src/solver/solverDeps.ts'
import { findReceipt } from './findReceipt.ts'
import { createReverts, type Fate } from './recordFailure.ts'

/** Blocks that the next one in line may wait for before it offers more. */
const patience = 4
/** Attempts of one transaction: with each, its price rises by an eighth at the least. */
const mostAttempts = 12
/** Blocks over which no node may have a receipt before it is believed that something else has used the nonce. */
const unseenBlocks = 3n
/** Times that an account may fail to pay for what all others wait for. */
const mostRefusals = 5

/**
 * Looks after what was written ahead until a block holds it, and settles what the tracker does not see. Gives those
 * that a block holds to no effect: nothing takes their place until that is final, but others may use what they do
 * not spend.
 */
export function createWatch(
  deps: Omit<SolverDeps, 'account' | 'bus'>,
  solverChain: SolverChain,
  outbox: Outbox,
): (view: ChainView) => Promise<ReadonlySet<SolverTransaction>> {
  const { client, store, log, market, now } = deps
  const { chain } = solverChain
  const revert = createReverts(deps, solverChain)
  /** The block at which each was found waiting with the attempt that is its last now. */
  const waitingSince = new Map<string, Readonly<{ attempts: number; block: bigint }>>()

  const secondLook = createSecondLook()

  /** Blocks hold its nonce: what of it, where no log tells the tracker? Whether it was to no effect. */
  async function settle(transaction: SolverTransaction, view: ChainView): Promise<boolean> {
    const receipt = await findReceipt(client, transaction)
    if (receipt === undefined) {
      await giveUp(transaction, view)
      return false
    }
    secondLook.forget(transaction.transactionId)
    const { hash, block } = receipt
    const mined = { hash, block }
    const fate = fateOf(transaction, receipt)
    if (fate !== undefined) await revert({ ...transaction, mined }, fate, view)
    else if (view.head.number - block.number >= BigInt(chain.fillConfirmations))
      await confirm({ ...transaction, mined })
    return fate !== undefined
  }

  /** Of all others the tracker finds a log. */
  async function confirm(transaction: SolverTransaction): Promise<void> {
    if (transaction.purpose === 'approval' || transaction.purpose === 'cancellation')
      await store.save({ transactions: [{ ...transaction, status: 'final' }] })
  }

  /**
   * Something else was sent with its nonce: it can never be mined. That is believed of what is final alone: were
   * it wrong, a fill would be paid twice.
   */
  async function giveUp(transaction: SolverTransaction, view: ChainView): Promise<void> {
    const { head } = view
    const final = await view.final()
    if (final < 0n) return
    const counted = await countAt(client, transaction.account, final)
    if (counted <= transaction.nonce) return secondLook.forget(transaction.transactionId)
    if (!secondLook.confirms(transaction.transactionId, head.number, unseenBlocks)) return
    await revert(transaction, 'replaced', view)
  }

  /** In no block yet: sent again where the node has lost it, and at a higher price where it is stuck. */
  async function push(transaction: SolverTransaction, view: ChainView): Promise<void> {
    const { head, nonces } = view
    const gas = market.latest(chain.id)?.gas
    if (gas !== undefined && isHopeless(transaction, view)) return cancel(transaction, gas)
    const mayRaise = transaction.attempts.length < mostAttempts
    if (isStuck(transaction, view) && mayRaise && gas !== undefined) {
      await raise(transaction, gas)
      waitingSince.set(transaction.transactionId, {
        attempts: transaction.attempts.length + 1,
        block: head.number,
      })
    } else if (transaction.nonce >= nonces.pending) outbox.resend(transaction)
  }

  /** The account cannot pay for it, and all others wait for it. */
  const isHopeless = (transaction: SolverTransaction, { nonces }: ChainView): boolean =>
    transaction.nonce === nonces.mined &&
    outbox.refusals(transaction) >= mostRefusals &&
    !isCancelled(transaction)

  async function cancel(transaction: SolverTransaction, gas: GasMarket): Promise<void> {
    const last = transaction.attempts.at(-1)
    if (last === undefined) return
    const { transactionId } = transaction
    log.warn({ chainId: chain.id, transactionId }, 'A transaction cannot be paid for: cancelling')
    await outbox.cancel(transaction, raisedFees(last, marketFees(gas)))
  }

  function isStuck({ transactionId, nonce, attempts }: SolverTransaction, view: ChainView) {
    const { head, nonces } = view
    const since = waitingSince.get(transactionId)
    if (since?.attempts !== attempts.length) {
      waitingSince.set(transactionId, { attempts: attempts.length, block: head.number })
      return false
    }
    if (since.block === head.number) return false
    if ((attempts.at(-1)?.maxFeePerGas ?? 0n) < (head.baseFeePerGas ?? 0n)) return true
    // Those behind it wait for it.
    return nonce === nonces.mined && head.number - since.block >= BigInt(patience)
  }

  async function raise(transaction: SolverTransaction, gas: GasMarket): Promise<void> {
    const last = transaction.attempts.at(-1)
    if (last === undefined) return
    const { transactionId, requestId } = transaction
    const request = requestId === undefined ? undefined : await store.find(requestId)
    log.info({ chainId: chain.id, transactionId }, 'A transaction waits too long: offering more')
    await outbox.replace(transaction, raisedFees(last, marketFees(gas)), (replaced) => {
      const transactions = [replaced]
      if (isCancelled(replaced)) return { transactions }
      const event = request && sentEvent(request, replaced)
      if (request === undefined || event === undefined) return { transactions }
      return { transactions, ...changed(request, advance(request, event, now())) }
    })
  }

  return async (view) => {
    const sent = view.open.filter(({ status }) => status === 'sent')
    const names = new Set(sent.map(({ transactionId }) => transactionId))
    for (const name of waitingSince.keys()) if (!names.has(name)) waitingSince.delete(name)
    const isMined = ({ nonce }: SolverTransaction) => nonce < view.nonces.mined
    const mined = sent.filter(isMined)
    const isIneffective = await Promise.all(mined.map((each) => settle(each, view)))
    for (const each of sent) if (!isMined(each)) await push(each, view)
    return new Set(mined.filter((_, at) => isIneffective[at]))
  }
}

/** How it came to nothing; undefined where it did not. */
function fateOf(transaction: SolverTransaction, { hash, status }: Receipt): Fate | undefined {
  const attempt = transaction.attempts.find((each) => each.hash === hash)
  if (attempt !== undefined && isCancellation(transaction, attempt)) return 'cancelled'
  return status === 'reverted' ? 'failed' : undefined
}

/** What it shows in the request; undefined where it pays nothing that the request counts on. */
function sentEvent(request: StoredRequest, replaced: SolverTransaction): RequestEvent | undefined {
  const transaction = sightingOf(replaced)
  if (replaced.purpose === 'fill') return { type: 'fillSent', transaction }
  if (replaced.purpose !== 'refund') return undefined
  // A refund is of one.
  const input = inputFundedBy(request, replaced.depositIds[0] ?? '')
  return input === undefined ? undefined : { type: 'refundSent', input, transaction }
}

/** Nothing to save where the state is the very same. */
const changed = (request: StoredRequest, state: StoredRequest['state']): Batch =>
  state === request.state ? {} : { requests: [{ ...request, state }] }
